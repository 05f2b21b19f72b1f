package io.tidemark.provider.aws.metadata;

/** The metadata service is unavailable; the message has the remedy. */
public final class MetadataUnavailable extends Exception {
  private static final long serialVersionUID = 1L;

  MetadataUnavailable(String message) {
    super(message);
  }

  MetadataUnavailable(String message, Throwable cause) {
    super(message, cause);
  }
}
