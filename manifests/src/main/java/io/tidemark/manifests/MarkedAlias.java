package io.tidemark.manifests;

/** A reference to a value that stands elsewhere in the same document. */
record MarkedAlias(int start, int end, String anchor, MarkedNode target) implements MarkedNode {
  @Override
  public MarkedNode resolved() {
    return target.resolved();
  }

  @Override
  public boolean isEmpty() {
    return resolved().isEmpty();
  }
}
