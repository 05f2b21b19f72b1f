package io.tidemark.manifests;

import io.tidemark.manifests.FileView.SeenObject;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * What a file says less than before, in the way in which a file does whose writer is half-way
 * through. Pure.
 *
 * <p>An object that lost its status always counts. An object that may be cut off, because it is the
 * last one of its file and its end cannot be told, counts too when it lost all of its used
 * addresses, its interfaces or its pool, or some of them together with the last entry that it had.
 */
final class Losses {
  private Losses() {}

  /** What is missing, for people; empty when nothing is that should raise doubt. */
  static Optional<String> between(FileView known, FileView next) {
    int last = known.objects().size() - 1;
    for (int i = 0; i <= last; i++) {
      SeenObject before = known.objects().get(i);
      Optional<SeenObject> now = next.object(before.name());
      if (now.isEmpty() && i == last && !next.hides()) {
        return Optional.of("node " + before.name());
      }
      Optional<String> loss = now.flatMap(each -> between(before, each, next.mayEndEarly(each)));
      if (loss.isPresent()) {
        return loss.map(each -> each + " of node " + before.name());
      }
    }
    return Optional.empty();
  }

  private static Optional<String> between(SeenObject known, SeenObject next, boolean open) {
    if (known.hash().equals(next.hash())) {
      return Optional.empty();
    }
    return known
        .resource()
        .flatMap(before -> next.resource().flatMap(now -> between(before, now, open)));
  }

  private static Optional<String> between(NodeResource known, NodeResource next, boolean open) {
    if (hasStatus(known) && !hasStatus(next)) {
      return Optional.of("the status");
    }
    if (!open) {
      return Optional.empty();
    }
    if (!known.used().isEmpty() && next.used().isEmpty()) {
      return Optional.of("all used addresses");
    }
    if (known.eniStatus().isPresent() && next.eniStatus().isEmpty()) {
      return Optional.of("all interfaces");
    }
    if (!known.pool().isEmpty() && next.pool().isEmpty()) {
      return Optional.of("the pool");
    }
    return saysLess(known, next) && !holds(tree(next), lastPath(known))
        ? Optional.of("the last entries")
        : Optional.empty();
  }

  private static boolean hasStatus(NodeResource node) {
    return !node.used().isEmpty()
        || node.eniStatus().isPresent()
        || !node.releaseIps().isEmpty()
        || node.assignedStaticIp().isPresent();
  }

  private static boolean saysLess(NodeResource known, NodeResource next) {
    return next.used().size() < known.used().size()
        || next.pool().size() < known.pool().size()
        || interfaceEntries(next) < interfaceEntries(known);
  }

  private static int interfaceEntries(NodeResource node) {
    int entries = 0;
    for (EniStatus.Eni eni : interfaces(node)) {
      entries += 1 + eni.addresses().size() + eni.prefixes().size();
    }
    return entries;
  }

  private static Collection<EniStatus.Eni> interfaces(NodeResource node) {
    return node.eniStatus()
        .<Collection<EniStatus.Eni>>map(each -> each.enis().values())
        .orElse(List.of());
  }

  private static MarkedNode tree(NodeResource node) {
    return MarkedJson.parse(NodeResourceJson.print(node));
  }

  /** Names from the root to the entry that is written last; the last one may be an item's text. */
  private static List<String> lastPath(NodeResource node) {
    List<String> path = new ArrayList<>();
    MarkedNode at = tree(node);
    while (at instanceof MarkedMapping mapping && !mapping.isEmpty()) {
      List<MarkedEntry> entries = List.copyOf(mapping.entries());
      MarkedEntry last = entries.get(entries.size() - 1);
      path.add(last.name());
      at = last.value();
    }
    if (at instanceof MarkedSequence list
        && !list.isEmpty()
        && list.items().get(list.items().size() - 1) instanceof MarkedScalar last) {
      path.add(last.text());
    }
    return path;
  }

  private static boolean holds(MarkedNode tree, List<String> path) {
    MarkedNode at = tree;
    for (String name : path) {
      if (at instanceof MarkedSequence list) {
        return list.items().stream()
            .anyMatch(each -> each instanceof MarkedScalar item && item.text().equals(name));
      }
      Optional<MarkedNode> inner =
          at instanceof MarkedMapping mapping ? mapping.value(name) : Optional.empty();
      if (inner.isEmpty()) {
        return false;
      }
      at = inner.get();
    }
    return true;
  }
}
