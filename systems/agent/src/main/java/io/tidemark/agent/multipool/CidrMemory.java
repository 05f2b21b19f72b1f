package io.tidemark.agent.multipool;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Where a process keeps what it knows of its blocks for the next one. Called one at a time; never
 * blocks.
 */
@FunctionalInterface
public interface CidrMemory {
  /** Nothing is kept: the next process takes no block for new. */
  CidrMemory NONE = all -> CompletableFuture.completedStage(Optional.empty());

  /**
   * Replaces what was kept before.
   *
   * @return ends, never exceptionally, with why that failed; empty when it is durable
   */
  CompletionStage<Optional<String>> store(List<RememberedCidr> all);
}
