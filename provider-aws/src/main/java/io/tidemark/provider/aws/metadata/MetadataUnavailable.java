package io.tidemark.provider.aws.metadata;

/** The metadata service did not tell; the message says what a person can do about it. */
public final class MetadataUnavailable extends Exception {
  private static final long serialVersionUID = 1L;

  MetadataUnavailable(String message) {
    super(message);
  }

  MetadataUnavailable(String message, Throwable cause) {
    super(message, cause);
  }
}
