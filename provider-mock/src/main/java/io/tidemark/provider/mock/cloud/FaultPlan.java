package io.tidemark.provider.mock.cloud;

import java.time.Duration;

/**
 * Decides the fault of each request; called once per request. Must be thread-safe and must not
 * block.
 */
public interface FaultPlan {
  /** The fault of this request. */
  Fault faultOf(CloudCall call);

  /**
   * How far what this request reads lies behind, from zero to {@link CloudSettings#stalenessMax()}.
   */
  default Duration lagOf(CloudCall call) {
    return Duration.ZERO;
  }

  /** No faults. */
  static FaultPlan none() {
    return call -> Fault.none();
  }
}
