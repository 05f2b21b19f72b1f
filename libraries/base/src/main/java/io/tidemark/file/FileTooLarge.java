package io.tidemark.file;

import java.io.IOException;

/** A file that exceeds the size limit. */
public final class FileTooLarge extends IOException {
  private static final long serialVersionUID = 1L;

  /** For a bound of {@code max} bytes. */
  public FileTooLarge(int max) {
    super("the file is larger than " + (max >> 20) + " MiB");
  }
}
