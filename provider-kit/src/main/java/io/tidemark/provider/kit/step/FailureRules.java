package io.tidemark.provider.kit.step;

import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.PoolId;
import java.util.Set;

/**
 * How a failed request determines the outcome of an attempt to add addresses. Immutable and pure.
 *
 * @param poolConditions conditions which mean that the pool, and not the interface or the instance,
 *     has no room
 */
public record FailureRules(Set<String> poolConditions) {
  /** The outcome of an attempt whose last request failed. */
  public AllocationOutcome outcome(Failure failure, PoolId pool) {
    return switch (failure.kind()) {
      case LOST -> new AllocationOutcome.Unknown(failure);
      case NOT_RUNNING -> new AllocationOutcome.InstanceNotRunning();
      case CAPACITY ->
          isPool(failure)
              ? new AllocationOutcome.PoolExhausted(pool)
              : new AllocationOutcome.LimitReached(failure.condition());
      case THROTTLED, TRANSIENT, CONFLICT, NOT_FOUND, CONFIGURATION, CANCELLED ->
          new AllocationOutcome.Refused(failure);
    };
  }

  /** Whether the pool has no room, so that the next rung of the ladder can help. */
  public boolean isPool(Failure failure) {
    return poolConditions.contains(failure.condition());
  }
}
