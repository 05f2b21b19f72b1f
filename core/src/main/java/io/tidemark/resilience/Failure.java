package io.tidemark.resilience;

import io.tidemark.error.CloudError;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Why a request did not do what it should, as a value.
 *
 * @param kind decides the reaction
 * @param condition short camelCase metric label of a bounded set, such as {@code requestLimit}
 * @param detail what a person needs to know; never a secret
 * @param retryAfter when the cloud said how long to wait
 */
public record Failure(Kind kind, String condition, String detail, Optional<Duration> retryAfter) {
  /** Error taxonomy of node-manager 13 D-8; each kind asks for one reaction. */
  public enum Kind {
    /**
     * The cloud asked us to slow down; nothing changed. Back off; never take another path for it.
     */
    THROTTLED,
    /** Nothing changed and the next attempt may work. */
    TRANSIENT,
    /** Nothing changed: no free address, prefix, interface or slot. Try elsewhere. */
    CAPACITY,
    /** Nothing changed: the cloud's state is not what we believed. Read back, then decide. */
    CONFLICT,
    /** The cloud is certain that the thing does not exist. */
    NOT_FOUND,
    /** The instance is stopped or stopping. */
    NOT_RUNNING,
    /** A person must change settings or permissions. */
    CONFIGURATION,
    /** We gave up before anything was sent. */
    CANCELLED,
    /** The request may or may not have had its effect. Read back before any further step. */
    LOST
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

  /** The published code of this kind of failure, with what a person can do about it. */
  public CloudError code() {
    return switch (kind) {
      case THROTTLED -> CloudError.CALL_THROTTLED;
      case TRANSIENT -> CloudError.CALL_FAILED;
      case CAPACITY -> CloudError.CAPACITY_EXHAUSTED;
      case CONFLICT -> CloudError.STATE_CONFLICT;
      case NOT_FOUND -> CloudError.NOT_FOUND;
      case NOT_RUNNING -> CloudError.INSTANCE_NOT_RUNNING;
      case CONFIGURATION -> CloudError.CALL_REFUSED;
      case CANCELLED -> CloudError.CALL_CANCELLED;
      case LOST -> CloudError.ANSWER_LOST;
    };
  }

  /** Whether our own breaker held the request back; what made it do so failed before. */
  public boolean isOfBreaker() {
    return condition.equals(CIRCUIT_OPEN);
  }

  /** Whether the deadline of the work ended the request before anything was known of it. */
  public boolean isOfDeadline() {
    return wasOnWireAtDeadline()
        || condition.equals(DEADLINE_PASSED)
        || condition.equals(NO_WORKER)
        || condition.equals(NO_TOKEN);
  }

  /** Whether the request was sent and its answer still waited for at the deadline of the work. */
  public boolean wasOnWireAtDeadline() {
    return condition.equals(DEADLINE_ON_WIRE);
  }

  /** One line for people: code, condition and detail. */
  public String toText() {
    return code().label() + " " + code() + " " + condition + ": " + detail;
  }

  /** A failure without a hint when to try again. */
  public static Failure of(Kind kind, String condition, String detail) {
    return new Failure(kind, condition, detail, Optional.empty());
  }
}
