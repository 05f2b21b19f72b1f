package io.tidemark.error;

/**
 * A coded failure that is not an expected ending. The message reads {@code TM-1001 NAME: detail.
 * Remedy}, with the remedy on its own line after a detail of several; the detail holds the
 * offending value and never a secret.
 */
public final class IpamException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient ErrorCode code;
  private final String detail;

  /** A failure without a cause. */
  public IpamException(ErrorCode code, String detail) {
    super(message(code, detail));
    this.code = code;
    this.detail = detail;
  }

  /** A failure because of {@code cause}. */
  public IpamException(ErrorCode code, String detail, Throwable cause) {
    super(message(code, detail), cause);
    this.code = code;
    this.detail = detail;
  }

  /** The code of this failure. */
  public ErrorCode code() {
    return code;
  }

  /** The offending value in its context, without code and remedy. */
  public String detail() {
    return detail;
  }

  private static String message(ErrorCode code, String detail) {
    String between = detail.contains("\n") ? "\n" : ". ";
    return code.label() + " " + code.name() + ": " + detail + between + code.remedy();
  }
}
