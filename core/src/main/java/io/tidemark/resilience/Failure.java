package io.tidemark.resilience;

import io.tidemark.error.CloudError;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The failure of a request, as a value.
 *
 * @param kind decides the reaction
 * @param condition short camelCase metric label of a bounded set, such as {@code requestLimit}
 * @param detail detail for people; never a secret
 * @param retryAfter the pause that the cloud requested
 */
public record Failure(Kind kind, String condition, String detail, Optional<Duration> retryAfter) {
  /** Error taxonomy of node-manager 13 D-8; each kind has one reaction. */
  public enum Kind {
    /** The cloud throttled the request; nothing changed. Back off; try no other path instead. */
    THROTTLED(CloudError.CALL_THROTTLED),
    /** Nothing changed; the next attempt may succeed. */
    TRANSIENT(CloudError.CALL_FAILED),
    /** Nothing changed: no free address, prefix, interface or slot. Try elsewhere. */
    CAPACITY(CloudError.CAPACITY_EXHAUSTED),
    /** Nothing changed: the state of the cloud differs from the cache. Read back, then decide. */
    CONFLICT(CloudError.STATE_CONFLICT),
    /** The cloud confirmed that the object does not exist. */
    NOT_FOUND(CloudError.NOT_FOUND),
    /** The instance is stopped or stopping. */
    NOT_RUNNING(CloudError.INSTANCE_NOT_RUNNING),
    /** Settings or permissions must be changed. */
    CONFIGURATION(CloudError.CALL_REFUSED),
    /** Cancelled before anything was sent. */
    CANCELLED(CloudError.CALL_CANCELLED),
    /** The effect of the request is unknown. Read back before any further step. */
    LOST(CloudError.ANSWER_LOST);

    private final CloudError code;

    Kind(CloudError code) {
      this.code = code;
    }
  }

  /** Condition of a request that the breaker held back. */
  static final String CIRCUIT_OPEN = "circuitOpen";

  static final String DEADLINE_ON_WIRE = "deadlineOnWire";
  static final String DEADLINE_PASSED = "deadlinePassed";
  static final String NO_WORKER = "noWorker";
  static final String NO_TOKEN = "waitedForToken";

  public Failure {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(condition, "condition");
    Objects.requireNonNull(detail, "detail");
    Objects.requireNonNull(retryAfter, "retryAfter");
  }

  /** The published code of this kind of failure, with its remedy. */
  public CloudError code() {
    return kind.code;
  }

  /** Whether the circuit breaker held the request back because of earlier failures. */
  public boolean isOfBreaker() {
    return condition.equals(CIRCUIT_OPEN);
  }

  /** Whether the deadline ended the request before any result was known. */
  public boolean isOfDeadline() {
    return wasOnWireAtDeadline()
        || condition.equals(DEADLINE_PASSED)
        || condition.equals(NO_WORKER)
        || condition.equals(NO_TOKEN);
  }

  /** Whether the request was sent and its response was still missing at the deadline. */
  public boolean wasOnWireAtDeadline() {
    return condition.equals(DEADLINE_ON_WIRE);
  }

  /** One line for people: code, condition and detail. */
  public String toText() {
    return code().label() + " " + code() + " " + condition + ": " + detail;
  }

  /** A failure without a requested pause. */
  public static Failure of(Kind kind, String condition, String detail) {
    return new Failure(kind, condition, detail, Optional.empty());
  }
}
