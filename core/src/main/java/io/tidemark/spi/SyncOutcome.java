package io.tidemark.spi;

import io.tidemark.resilience.Failure;

/** Every expected result of reading the cloud again (node-manager 0 N14). */
public sealed interface SyncOutcome {
  /**
   * The cache holds what the cloud answered, except where an own newer write contradicts it.
   *
   * @param startedGeneration the provider's counter when the read began: own mutations up to it are
   *     covered by the answer, later ones are not
   */
  record Synced(long startedGeneration) implements SyncOutcome {}

  /** The cloud is certain that the instance does not exist. */
  record InstanceNotFound() implements SyncOutcome {}

  /**
   * Nothing was learned; the read is repeated after a pause that grows. With the condition {@link
   * #OPERATION_UNDER_WAY} the pause stays the shortest, and the node is shown as {@link
   * BlockedReason#READING_BACK} until a read has another result.
   */
  record Failed(Failure failure) implements SyncOutcome {
    /**
     * The cloud still carries out an operation on the instance: what it shows is not the result.
     */
    public static final String OPERATION_UNDER_WAY = "operationUnderWay";

    /** Whether the condition is {@link #OPERATION_UNDER_WAY}. */
    public boolean isUnderWay() {
      return failure.condition().equals(OPERATION_UNDER_WAY);
    }
  }
}
