package io.tidemark.provider.mock.cloud;

import java.time.Duration;

/** Decides what goes wrong; asked once per request. Must be thread-safe and must not block. */
public interface FaultPlan {
  /** What goes wrong with this request. */
  Fault faultOf(CloudCall call);

  /**
   * How far what this request reads lies behind, from zero to {@link CloudSettings#stalenessMax()}.
   */
  default Duration lagOf(CloudCall call) {
    return Duration.ZERO;
  }

  /** Nothing goes wrong. */
  static FaultPlan none() {
    return call -> Fault.none();
  }
}
