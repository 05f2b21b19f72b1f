package io.tidemark.spi;

import io.tidemark.resilience.Failure;

/** Every expected result of reading the cloud again (node-manager 0 N14). */
public sealed interface SyncOutcome {
  /**
   * The cache has the state that the cloud returned, except where a newer own write contradicts it.
   *
   * @param startedGeneration the provider's counter when the read began: the response covers own
   *     mutations up to it, but not later ones
   */
  record Synced(long startedGeneration) implements SyncOutcome {}

  /** The cloud is certain that the instance does not exist. */
  record InstanceNotFound() implements SyncOutcome {}

  /**
   * The read failed; it is repeated after a growing pause. With the condition {@link
   * #OPERATION_UNDER_WAY} the pause stays the shortest, and the node is shown as {@link
   * BlockedReason#READING_BACK} until a read has another result.
   */
  record Failed(Failure failure) implements SyncOutcome {
    /** The cloud still executes an operation on the instance: its response is not final. */
    public static final String OPERATION_UNDER_WAY = "operationUnderWay";

    /** Whether the condition is {@link #OPERATION_UNDER_WAY}. */
    public boolean isUnderWay() {
      return failure.condition().equals(OPERATION_UNDER_WAY);
    }
  }
}
