package io.tidemark.manifests;

/** Refuses changes of values that an alias elsewhere refers to: they would change there, too. */
final class SharedValues {
  private final MarkedDocument document;

  SharedValues(MarkedDocument document) {
    this.document = document;
  }

  /** Refuses a value that is shared itself; parts of it may be. */
  void refuse(MarkedNode node, String path) throws EditRefused {
    if (document.shared().contains(node)) {
      throw refused(path);
    }
  }

  /** Refuses a value of which any part is shared. */
  void refuseParts(MarkedNode node, String path) throws EditRefused {
    if (!(node instanceof MarkedAlias) && document.sharesPartOf(node)) {
      throw refused(path);
    }
  }

  private static EditRefused refused(String path) {
    return new EditRefused(
        path,
        "holds an anchor that an alias elsewhere refers to",
        "Write the value out in both places, without anchor and alias.");
  }
}
