package io.tidemark.manifests;

import java.util.List;

/**
 * Items in order.
 *
 * @param content behind anchor and tag: the bracket, or the first dash
 * @param flow whether it is written with brackets
 */
record MarkedSequence(int start, int content, int end, boolean flow, List<MarkedNode> items)
    implements MarkedNode {
  MarkedSequence {
    items = List.copyOf(items);
  }

  @Override
  public MarkedSequence resolved() {
    return this;
  }

  @Override
  public boolean isEmpty() {
    return items.isEmpty();
  }
}
