package io.tidemark.resource;

import io.tidemark.time.EffectRunner;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The only access to stored node resources, in memory, in a directory or in the Kubernetes API.
 * Thread-safe.
 *
 * <p><b>Optimistic concurrency.</b> A write carries the version of {@code original}; it succeeds
 * only if the object still has that version, otherwise the result is {@link StoreResult.Conflict}.
 *
 * <p><b>Monotone reads.</b> A store instance never returns, from a read, a write or {@link
 * #latest}, or delivers to watchers a version older than one it has returned or delivered before,
 * unless the backend itself was restored to an older state. The release handshake relies on this
 * (node-manager 13 D-5).
 *
 * <p>{@link #get}, {@link #create}, {@link #update} and {@link #updateStatus} make one blocking
 * request each and run as leaves of an effect runner.
 */
public interface NodeResourceStore {
  /** The newest version that this instance knows; makes no request and never blocks. */
  Optional<NodeResource> latest(String name);

  /** Names of all objects that this instance knows; never blocks. */
  List<String> names();

  /** Reads the object from the backend. */
  StoreResult get(String name);

  /**
   * Adds an object, of which metadata and spec count; its version and status do not. {@code
   * Conflict} when there is one of that name.
   */
  StoreResult create(NodeResource resource);

  /** Writes the spec of {@code changed}; {@code Unchanged} if it means the same as the original. */
  StoreResult update(NodeResource original, NodeResource changed);

  /** Writes the status of {@code changed}; {@code Unchanged} if it means the same. */
  StoreResult updateStatus(NodeResource original, NodeResource changed);

  /** Delivers every object, then {@code synced}, then changes in order. One watcher at a time. */
  Watch watch(Watcher watcher);

  /**
   * The writer of the operator's part of the newest known version; {@link LastWriter#UNKNOWN} if
   * the backend does not record writers. Never blocks.
   */
  default LastWriter lastWriter(String name) {
    return LastWriter.UNKNOWN;
  }

  /**
   * Catches up with the backend: afterwards {@link #latest} and the watch include every write and
   * deletion before this call. An operator that acquired its lease calls this before it begins,
   * because its watch may lag behind the writes of its predecessor. The default completes at once,
   * for stores with direct reads.
   *
   * @param effects runs the requests, one leaf each
   * @return never ends exceptionally; after {@link CatchUp.Failed} the caller retries with back-off
   */
  default CompletionStage<CatchUp> catchUp(EffectRunner effects) {
    return CompletableFuture.completedStage(new CatchUp.Done());
  }

  /**
   * How often the watch was interrupted: what the backend did in between may never be told, such as
   * its restore from a backup. What must be given to one node alone is given out only after a
   * {@link #catchUp} that began after the last interruption. Grows; never blocks. Always 0 for
   * stores with direct reads.
   */
  default long interruptions() {
    return 0;
  }

  /** Receives changes of node resources. */
  interface Watcher extends ObjectWatcher<NodeResource> {}

  /** A running watch. */
  interface Watch extends AutoCloseable {
    /** Ends the watch; no call is made after it returned. */
    @Override
    void close();
  }
}
