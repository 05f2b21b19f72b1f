package io.tidemark.manifests;

/** A change that cannot be made by changing only its own characters. Never leaves the package. */
final class EditRefused extends Exception {
  private static final long serialVersionUID = 1L;

  private final String path;
  private final String remedy;

  EditRefused(String path, String problem, String remedy) {
    super(problem, null, false, false);
    this.path = path;
    this.remedy = remedy;
  }

  /** Where in the object. */
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
