package io.tidemark.resource;

import io.tidemark.time.EffectRunner;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

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
   * Who wrote the operator's part of the newest version known; {@link LastWriter#UNKNOWN} where the
   * home records no writers. Never blocks.
   */
  default LastWriter lastWriter(String name) {
    return LastWriter.UNKNOWN;
  }

  /**
   * Makes sure that what is known is not older than the moment of this call: afterwards {@link
   * #latest} and what the watch delivers include everything that was stored before it, deletions
   * too. An operator that has won its lease calls this before it begins: its watch may lag behind
   * what its predecessor wrote. Where reads are direct it is done at once, which is the default.
   *
   * @param effects runs the requests, one leaf each
   * @return ends with how it ended, never exceptionally; after {@link CatchUp.Failed} the caller
   *     tries again, with back-off
   */
  default CompletionStage<CatchUp> catchUp(EffectRunner effects) {
    return CompletableFuture.completedStage(new CatchUp.Done());
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
