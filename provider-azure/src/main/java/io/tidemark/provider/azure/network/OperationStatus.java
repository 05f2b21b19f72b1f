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
  /** Where it stands. */
  public enum State {
    RUNNING,
    SUCCEEDED,
    FAILED,
    CANCELED
  }
}
