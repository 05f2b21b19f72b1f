package io.tidemark.provider.mock.cloud;

/** The cloud answered with an error; nothing changed. */
public final class CloudException extends Exception {
  private static final long serialVersionUID = 1L;

  private final CloudErrorCode code;

  /** An error answer with the cloud's text. */
  public CloudException(CloudErrorCode code, String text) {
    super(text);
    this.code = code;
  }

  /** The error code. */
  public CloudErrorCode code() {
    return code;
  }
}
