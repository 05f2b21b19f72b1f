package io.tidemark.manifests;

/** A text, or a part of one, that cannot be read. Never leaves the package. */
final class MalformedText extends Exception {
  private static final long serialVersionUID = 1L;

  private final int offset;
  private final String remedy;

  MalformedText(int offset, String problem, String remedy) {
    super(problem, null, false, false);
    this.offset = offset;
    this.remedy = remedy;
  }

  /** Where, in chars of the file's text. */
  int offset() {
    return offset;
  }

  String problem() {
    return String.valueOf(getMessage());
  }

  String remedy() {
    return remedy;
  }
}
