package io.tidemark.provider.azure.network;

import io.tidemark.resilience.Failure;
import java.time.Duration;
import java.util.Optional;

/**
 * The state of an operation (Track asynchronous Azure operations).
 *
 * @param failure why it ended without success; empty for every other state
 * @param retryAfter the pause that Azure asked for
 */
public record OperationStatus(
    State state, Optional<Failure> failure, Optional<Duration> retryAfter) {
  /**
   * By the provisioning state of the resource, where no more is told.
   *
   * @param code of what made the operation fail; empty when it is not known
   */
  static OperationStatus ofResource(
      ResourceId resource, String state, String code, Optional<Duration> retryAfter) {
    State end = state.equals("failed") ? State.FAILED : State.SUCCEEDED;
    return new OperationStatus(
        end,
        ArmErrorClassifier.ended(end, resource, code, "the provisioning state is failed"),
        retryAfter);
  }

  /** Where it stands. */
  public enum State {
    RUNNING,
    SUCCEEDED,
    FAILED,
    CANCELED
  }
}
