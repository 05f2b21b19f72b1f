package io.tidemark.operator.page;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which nodes changed after which version: each name once, at its last change. It remembers a
 * bounded number of names, the last ones. Thread-safe.
 */
final class ChangeJournal {
  private final int most;
  private final Map<String, Long> versions = new HashMap<>();
  private final NavigableMap<Long, String> names = new TreeMap<>();
  private long version;
  private long forgotten;

  /**
   * Nothing has changed yet.
   *
   * @param most names that it remembers
   */
  ChangeJournal(int most) {
    this.most = most;
  }

  /** The version after the last change; 0 before the first one. */
  synchronized long version() {
    return version;
  }

  /** A node changed, or something else did. */
  synchronized void advance() {
    ++version;
  }

  /** This node changed. */
  synchronized void record(String name) {
    Long before = versions.put(name, ++version);
    if (before != null) {
      names.remove(before);
    }
    names.put(version, name);
    if (names.size() > most) {
      Map.Entry<Long, String> oldest = names.pollFirstEntry();
      forgotten = oldest.getKey();
      versions.remove(oldest.getValue());
    }
  }

  /** Nodes that changed after this version, oldest first; empty when it does not know all. */
  synchronized Optional<List<String>> since(long seen) {
    return seen < forgotten || seen > version
        ? Optional.empty()
        : Optional.of(List.copyOf(names.tailMap(seen, false).values()));
  }
}
