package io.tidemark.spi;

import io.tidemark.resilience.Failure;

/** Every expected ending of reading the cloud anew (node-manager 0 N14). */
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

  /** Nothing was learned. */
  record Failed(Failure failure) implements SyncOutcome {}
}
