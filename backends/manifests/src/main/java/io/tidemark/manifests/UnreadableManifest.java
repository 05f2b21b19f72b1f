package io.tidemark.manifests;

import java.io.IOException;

/** A text that cannot be read as a whole; the message is the problem. */
final class UnreadableManifest extends IOException {
  private static final long serialVersionUID = 1L;

  private final int line;
  private final String remedy;

  /**
   * At a line of the text.
   *
   * @param line from 1; 0 when it is unknown
   */
  UnreadableManifest(int line, String problem, String remedy) {
    super(problem);
    this.line = line;
    this.remedy = remedy;
  }

  String problem() {
    return String.valueOf(getMessage());
  }

  String remedy() {
    return remedy;
  }

  /** The file, with the line where it is known. */
  String place(String where) {
    return line == 0 ? where : where + ":" + line;
  }
}
