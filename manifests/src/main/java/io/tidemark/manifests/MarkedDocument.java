package io.tidemark.manifests;

import java.util.Set;

/**
 * One document of a file.
 *
 * @param shared values that aliases of the document refer to, by identity
 */
record MarkedDocument(MarkedNode root, Set<MarkedNode> shared) {
  /** Whether {@code node}, or a value inside it, is referred to by an alias. */
  boolean sharesPartOf(MarkedNode node) {
    if (shared.isEmpty()) {
      return false;
    }
    if (shared.contains(node)) {
      return true;
    }
    if (node instanceof MarkedMapping mapping) {
      return mapping.entries().stream().anyMatch(each -> sharesPartOf(each.value()));
    }
    return node instanceof MarkedSequence sequence
        && sequence.items().stream().anyMatch(this::sharesPartOf);
  }
}
