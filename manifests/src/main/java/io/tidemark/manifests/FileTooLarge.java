package io.tidemark.manifests;

import java.io.IOException;

/** A file that is larger than what is read. */
final class FileTooLarge extends IOException {
  private static final long serialVersionUID = 1L;

  FileTooLarge(int max) {
    super("the file is larger than " + (max >> 20) + " MiB");
  }
}
