package io.tidemark.provider.mock.cloud;

/** The cloud answered with an error; nothing changed. */
public final class CloudException extends Exception {
  private static final long serialVersionUID = 1L;

  private final CloudErrorCode code;

  /** An error answer with the cloud's text. */
  CloudException(CloudErrorCode code, String text) {
    super(text);
    this.code = code;
  }

  static void throwIf(boolean wrong, CloudErrorCode code, String text) throws CloudException {
    if (wrong) {
      throw new CloudException(code, text);
    }
  }

  /** The error code. */
  public CloudErrorCode code() {
    return code;
  }
}
