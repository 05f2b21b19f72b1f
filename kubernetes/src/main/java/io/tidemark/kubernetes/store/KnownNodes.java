package io.tidemark.kubernetes.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The newest known version of every object, whichever way it came: list, watch, answer of a read or
 * of a write. It never goes back, with one exception: when the server itself was set back (etcd
 * restored from a backup), what it says now counts. Thread-safe.
 */
final class KnownNodes {
  /** Deleted objects that are remembered, so that a late answer does not bring one back. */
  private static final int GONE_MAX = 1024;

  private final Object lock = new Object();
  private final Map<String, KnownNode> nodes = new HashMap<>();
  private final Set<String> gone = new LinkedHashSet<>();
  private String highest = "";

  /** Takes in a version and answers the newest one of that object. */
  KnownNode learn(KnownNode seen) {
    synchronized (lock) {
      KnownNode before = nodes.get(seen.name());
      if (before != null && Revisions.isOlder(seen.version(), before.version())) {
        return before;
      }
      return put(seen, before);
    }
  }

  /**
   * Takes in what a read answered that began when {@code before} was the newest version: if it is
   * older and nothing came meanwhile, the server was set back.
   */
  KnownNode learnFresh(KnownNode seen, Optional<KnownNode> before) {
    synchronized (lock) {
      KnownNode now = nodes.get(seen.name());
      boolean setBack =
          now != null
              && before.isPresent()
              && before.get().equals(now)
              && Revisions.isOlder(seen.version(), now.version());
      return setBack ? put(seen, now) : learn(seen);
    }
  }

  /** Takes in what the server holds, whatever was known: it was set back. */
  KnownNode replace(KnownNode seen) {
    synchronized (lock) {
      highest = "";
      return put(seen, nodes.get(seen.name()));
    }
  }

  private KnownNode put(KnownNode seen, @Nullable KnownNode before) {
    KnownNode kept = before == null ? seen : seen.after(before);
    nodes.put(kept.name(), kept);
    highest = Revisions.newer(highest, kept.version());
    gone.remove(kept.name());
    if (kept.gone()) {
      gone.add(kept.name());
      if (gone.size() > GONE_MAX) {
        String oldest = gone.iterator().next();
        gone.remove(oldest);
        nodes.remove(oldest);
      }
    }
    return kept;
  }

  Optional<KnownNode> find(String name) {
    synchronized (lock) {
      return Optional.ofNullable(nodes.get(name));
    }
  }

  /** Everything that is known now, by name; what is gone among it. */
  Map<String, KnownNode> all() {
    synchronized (lock) {
      return new HashMap<>(nodes);
    }
  }

  /** Names of all objects that are not gone. */
  List<String> names() {
    synchronized (lock) {
      List<String> names = new ArrayList<>(nodes.size());
      nodes.forEach(
          (name, node) -> {
            if (!node.gone()) {
              names.add(name);
            }
          });
      return names;
    }
  }

  /** Objects that cannot be read now. */
  List<KnownNode> refused() {
    synchronized (lock) {
      return nodes.values().stream().filter(node -> !node.problems().isEmpty()).toList();
    }
  }

  /** The newest version of all; empty text when there is none. */
  String highest() {
    synchronized (lock) {
      return highest;
    }
  }
}
