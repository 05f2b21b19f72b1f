package io.tidemark.resource;

import java.util.List;
import java.util.Optional;

/**
 * The only door to where node resources live: memory, a directory, the Kubernetes API. Thread-safe.
 *
 * <p><b>Optimistic concurrency.</b> A write carries the version of {@code original}; it succeeds
 * only when the object still has that version, otherwise {@link StoreResult.Conflict}.
 *
 * <p><b>Monotone reads.</b> What one store instance answers, remembers as {@link #latest} and
 * delivers to watchers never goes back to a version older than one it has answered or delivered
 * before, its own writes' answers included. The release handshake relies on it (node-manager 13
 * D-5).
 *
 * <p>{@link #get}, {@link #update} and {@link #updateStatus} are one blocking request each and run
 * as leaves of an effect runner.
 */
public interface NodeResourceStore {
  /** The newest version this instance knows, without a request; never blocks. */
  Optional<NodeResource> latest(String name);

  /** Reads the object anew. */
  StoreResult get(String name);

  /**
   * Writes the spec of {@code changed}; {@code Unchanged} when it says the same as the original.
   */
  StoreResult update(NodeResource original, NodeResource changed);

  /**
   * Writes the status of {@code changed}; {@code Unchanged} when it says the same as the original.
   */
  StoreResult updateStatus(NodeResource original, NodeResource changed);

  /**
   * Delivers every object, then {@code synced}, then changes in order. One watcher per instance.
   */
  Watch watch(Watcher watcher);

  /**
   * Who else wrote {@code spec.ipam.pool}, not before we did, by the name the home knows writers
   * by; empty when nobody did, and where it records none. Of the newest version known; never
   * blocks.
   */
  default Optional<String> otherPoolWriter(String name) {
    return Optional.empty();
  }

  /** Receives what happens; called from one thread at a time and must not block. */
  interface Watcher {
    /** The object is new or changed; own writes are delivered too or not, as the home likes. */
    void upserted(NodeResource resource);

    /** The object is gone. */
    void deleted(String name);

    /** The object cannot be read; what was known of it is kept. */
    void refused(String name, List<ResourceProblem> problems);

    /** Every object that existed at the start was delivered. */
    void synced();
  }

  /** A running watch. */
  interface Watch extends AutoCloseable {
    /** Ends the watch; no call is made after it returned. */
    @Override
    void close();
  }
}
