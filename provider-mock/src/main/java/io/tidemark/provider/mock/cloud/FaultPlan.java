package io.tidemark.provider.mock.cloud;

import java.time.Duration;

/** Decides the fault of each request; called once per request. Thread-safe; must not block. */
public interface FaultPlan {
  /**
   * The fault of the next request.
   *
   * @param subject the instance concerned if known, else the interface or subnet; empty for
   *     listings
   */
  MockFault faultOf(CloudOperation operation, String subject);

  /** How far the next read lies behind, from zero to {@link CloudSettings#stalenessMax()}. */
  default Duration lag() {
    return Duration.ZERO;
  }

  /** No faults. */
  static FaultPlan none() {
    return (operation, subject) -> MockFault.NONE;
  }
}
