package io.tidemark.provider.azure.network;

import java.time.Duration;
import java.util.Optional;

/**
 * The state of an operation (Track asynchronous Azure operations).
 *
 * @param error what went wrong: innermost code and message; empty without an error
 * @param retryAfter the pause that Azure asked for
 */
public record OperationStatus(State state, String error, Optional<Duration> retryAfter) {
  /** Where it stands. */
  public enum State {
    RUNNING,
    SUCCEEDED,
    FAILED,
    CANCELED
  }
}
