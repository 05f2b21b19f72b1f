package io.tidemark.provider.aws.ec2;

import org.jspecify.annotations.Nullable;

/** A failed request; {@code Ec2ErrorClassifier} classifies it. */
public final class Ec2Failure extends Exception {
  private static final long serialVersionUID = 1L;

  private final Ending ending;
  private final String code;
  private final int httpStatus;
  private final String requestId;
  private final boolean prefixesAsked;

  /** How far the request got. */
  public enum Ending {
    /** EC2 answered with an error. */
    REFUSED,
    /** Nothing was sent: no connection. */
    NOT_SENT,
    /** Nothing was sent: no credentials. */
    NO_CREDENTIALS,
    /** It may have arrived; there is no response. */
    ANSWER_LOST
  }

  private Ec2Failure(
      Ending ending,
      String code,
      String message,
      int httpStatus,
      String requestId,
      boolean prefixesAsked,
      @Nullable Throwable cause) {
    super(message, cause);
    this.ending = ending;
    this.code = code;
    this.httpStatus = httpStatus;
    this.requestId = requestId;
    this.prefixesAsked = prefixesAsked;
  }

  /**
   * EC2 answered with an error.
   *
   * @param requestId empty if the response had none
   */
  public static Ec2Failure refused(String code, String message, int httpStatus, String requestId) {
    return new Ec2Failure(Ending.REFUSED, code, message, httpStatus, requestId, false, null);
  }

  /** There is no response, for the reason of {@code ending}. */
  public static Ec2Failure unanswered(Ending ending, String message, @Nullable Throwable cause) {
    return new Ec2Failure(ending, "", message, 0, "", false, cause);
  }

  /**
   * The response came from a proxy or load balancer, not from EC2, so the effect of the request is
   * unknown.
   *
   * @param httpStatus of that response
   */
  public static Ec2Failure answeredByOther(
      int httpStatus, String message, @Nullable Throwable cause) {
    return new Ec2Failure(Ending.ANSWER_LOST, "", message, httpStatus, "", false, cause);
  }

  /** The same failure of a request for prefixes: one of EC2's texts means two things. */
  public Ec2Failure ofPrefixes() {
    return new Ec2Failure(ending, code, text(), httpStatus, requestId, true, getCause());
  }

  public Ending ending() {
    return ending;
  }

  /** EC2's error code; empty without a response. */
  public String code() {
    return code;
  }

  /** EC2's message, or the error of the connection. */
  public String text() {
    String message = getMessage();
    return message == null ? "" : message;
  }

  /**
   * The HTTP status; 0 without a response. If something else responded in place of EC2, its status.
   */
  public int httpStatus() {
    return httpStatus;
  }

  /** The request ID, for AWS support; empty if unknown. */
  public String requestId() {
    return requestId;
  }

  /** Whether the request was for prefixes. */
  public boolean prefixesAsked() {
    return prefixesAsked;
  }
}
