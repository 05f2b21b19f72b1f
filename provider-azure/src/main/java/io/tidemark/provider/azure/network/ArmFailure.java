package io.tidemark.provider.azure.network;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A failed request to Resource Manager; {@code ArmErrorClassifier} classifies it. */
public final class ArmFailure extends Exception {
  private static final long serialVersionUID = 1L;

  /** How far the request got. */
  public enum Ending {
    /** Azure answered with an error. */
    REFUSED,
    /** Nothing was sent: no connection. */
    NOT_SENT,
    /** It may have arrived; there is no response that can be used. */
    ANSWER_LOST
  }

  private final Ending ending;
  private final int status;
  private final String code;
  private final transient Optional<Duration> retryAfter;
  private final boolean ofMachine;
  private final boolean alone;

  private ArmFailure(
      Ending ending,
      int status,
      String code,
      String message,
      Optional<Duration> retryAfter,
      boolean ofMachine,
      boolean alone,
      @Nullable Throwable cause) {
    super(message, cause);
    this.ending = ending;
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
    this.ofMachine = ofMachine;
    this.alone = alone;
  }

  /**
   * Azure answered with an error.
   *
   * @param code the innermost one; empty when the body has none
   * @param message never with a query or a token
   * @param ofMachine whether we asked one machine more often than its own bucket allows
   */
  static ArmFailure refused(
      int status, String code, String message, Optional<Duration> retryAfter, boolean ofMachine) {
    return new ArmFailure(
        Ending.REFUSED, status, code, message, retryAfter, ofMachine, false, null);
  }

  /** There is no response that can be used, for the reason of {@code ending}. */
  static ArmFailure unanswered(Ending ending, String message, @Nullable Throwable cause) {
    return new ArmFailure(ending, 0, "", message, Optional.empty(), false, false, cause);
  }

  /** The response is none of Azure's. */
  static ArmFailure unusable(String message) {
    return unanswered(Ending.ANSWER_LOST, message, null);
  }

  public Ending ending() {
    return ending;
  }

  /** The HTTP status; 0 without a response. */
  public int status() {
    return status;
  }

  /** The innermost error code; empty without one. */
  public String code() {
    return code;
  }

  /** Azure's message, or the error of the connection. */
  public String text() {
    String message = getMessage();
    return message == null ? "" : message;
  }

  /** The pause that Azure asked for. */
  public Optional<Duration> retryAfter() {
    return retryAfter;
  }

  /** Whether a 429 is not Resource Manager's but of the resource provider behind it. */
  boolean isOfProvider() {
    return status == 429 && Set.of("TooManyRequests", "OperationNotAllowed").contains(code);
  }

  /** The same of a machine that alone was refused. */
  ArmFailure alone() {
    return new ArmFailure(ending, status, code, text(), retryAfter, ofMachine, true, getCause());
  }

  /** Whether a 429 was given to this machine alone, which others may have asked often. */
  boolean isAlone() {
    return alone;
  }

  /** Whether a 429 is of the machine's own bucket, so that other machines are not concerned. */
  public boolean isOfMachine() {
    return ofMachine;
  }
}
