package io.tidemark.provider.kit.start;

import org.jspecify.annotations.Nullable;

/** The metadata service has no usable answer; the message has the remedy. */
public final class MetadataUnavailable extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean silent;

  private MetadataUnavailable(String message, boolean silent, @Nullable Throwable cause) {
    super(message, cause);
    this.silent = silent;
  }

  static MetadataUnavailable silent(String message, Throwable cause) {
    return new MetadataUnavailable(message, true, cause);
  }

  /** Something answered, but not what was asked for. */
  public static MetadataUnavailable unusable(String message) {
    return new MetadataUnavailable(message, false, null);
  }

  /** Whether nothing answered, as where there is no such service. */
  public boolean isSilent() {
    return silent;
  }
}
