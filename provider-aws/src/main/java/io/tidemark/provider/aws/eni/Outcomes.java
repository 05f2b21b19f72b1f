package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.Ec2Condition;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.PoolId;

/** How a failed request ends an attempt to add addresses. Pure. */
final class Outcomes {
  private Outcomes() {}

  static AllocationOutcome of(Failure failure, PoolId pool) {
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

  /** Whether the subnet, and not the interface or the instance, has no room. */
  static boolean isPool(Failure failure) {
    return failure.condition().equals(Ec2Condition.SUBNET_EXHAUSTED)
        || failure.condition().equals(Ec2Condition.PREFIX_EXHAUSTED);
  }
}
