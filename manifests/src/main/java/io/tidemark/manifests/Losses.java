package io.tidemark.manifests;

import io.tidemark.manifests.FileView.SeenObject;
import io.tidemark.manifests.MarkedNode.Child;
import io.tidemark.manifests.MarkedNode.Compound;
import io.tidemark.manifests.MarkedNode.Scalar;
import java.util.Map;
import java.util.Optional;

/**
 * What a file says less than before, in the way in which a file does whose writer is half-way
 * through. Pure.
 *
 * <p>An object that lost its status always counts. An object that may be cut off, because it is the
 * last one of its file and its end cannot be told, counts too when one of its tables was emptied,
 * or became shorter while the last entry of the object was lost.
 */
final class Losses {
  private Losses() {}

  /** What is missing, for people; empty when nothing is that should raise doubt. */
  static <T> Optional<String> between(ManifestKind<T> kind, FileView<T> known, FileView<T> next) {
    int last = known.objects().size() - 1;
    for (int i = 0; i <= last; i++) {
      SeenObject<T> before = known.objects().get(i);
      Optional<SeenObject<T>> now = next.object(before.name());
      if (now.isEmpty() && i == last && !next.hides()) {
        return Optional.of("node " + before.name());
      }
      if (now.isPresent() && !now.get().hash().equals(before.hash())) {
        boolean open = next.mayEndEarly(now.get());
        Optional<String> loss =
            tree(kind, before)
                .flatMap(
                    one ->
                        tree(kind, now.get())
                            .flatMap(two -> between(kind.tables(), one, two, open)));
        if (loss.isPresent()) {
          return loss.map(each -> each + " of node " + before.name());
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<String> between(
      Map<String, String> tables, Compound known, Compound next, boolean open) {
    if (size(known, "status") > 0 && size(next, "status") == 0) {
      return Optional.of("the status");
    }
    boolean less = false;
    for (Map.Entry<String, String> table : tables.entrySet()) {
      int before = size(known, table.getKey());
      int now = size(next, table.getKey());
      if (open && before > 0 && now == 0) {
        return Optional.of(table.getValue());
      }
      less |= now < before;
    }
    return open && less && !holdsEnd(next, known)
        ? Optional.of("the last entries")
        : Optional.empty();
  }

  private static <T> Optional<Compound> tree(ManifestKind<T> kind, SeenObject<T> object) {
    return object
        .parsed()
        .match(
            valid -> Optional.of((Compound) MarkedJson.parse(kind.print(valid))),
            invalid -> Optional.empty());
  }

  /** Number of values below {@code path}; entries whose value is empty count, too. */
  private static int size(Compound root, String path) {
    Optional<MarkedNode> at = Optional.of(root);
    for (String key : path.split("\\.", -1)) {
      at = at.flatMap(each -> each instanceof Compound map ? map.value(key) : Optional.empty());
    }
    return at.map(Losses::count).orElse(0);
  }

  private static int count(MarkedNode node) {
    int count = 0;
    if (node instanceof Compound compound) {
      for (Child child : compound.children()) {
        count += 1 + count(child.value());
      }
    }
    return count;
  }

  /** Whether the entry that {@code known} ends with is in {@code next}, wherever it stands. */
  private static boolean holdsEnd(MarkedNode next, MarkedNode known) {
    if (!(known instanceof Compound before) || before.isEmpty()) {
      return true;
    }
    if (!(next instanceof Compound now) || now.isMapping() != before.isMapping()) {
      return false;
    }
    Child last = before.last();
    if (before.isMapping()) {
      Optional<MarkedNode> inner = now.value(last.name());
      return inner.isPresent() && holdsEnd(inner.get(), last.value());
    }
    return !(last.value() instanceof Scalar item)
        || now.children().stream()
            .anyMatch(each -> each.value() instanceof Scalar one && one.text().equals(item.text()));
  }
}
