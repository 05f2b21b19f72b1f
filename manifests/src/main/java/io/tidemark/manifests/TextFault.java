package io.tidemark.manifests;

/**
 * A text that cannot be read, or a change that cannot be made in it by changing its own characters
 * alone. Never leaves the package.
 */
final class TextFault extends Exception {
  private static final long serialVersionUID = 1L;

  private final int offset;
  private final String path;
  private final String remedy;

  private TextFault(int offset, String path, String problem, String remedy) {
    super(problem, null, false, false);
    this.offset = offset;
    this.path = path;
    this.remedy = remedy;
  }

  /** At {@code offset}, in chars of the file's text. */
  TextFault(int offset, String problem, String remedy) {
    this(offset, "", problem, remedy);
  }

  /** At {@code path} of the object that should be changed. */
  TextFault(String path, String problem, String remedy) {
    this(0, path, problem, remedy);
  }

  int offset() {
    return offset;
  }

  String path() {
    return path;
  }

  String problem() {
    return String.valueOf(getMessage());
  }

  String remedy() {
    return remedy;
  }
}
