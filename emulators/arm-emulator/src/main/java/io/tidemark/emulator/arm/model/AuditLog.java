package io.tidemark.emulator.arm.model;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The latest requests and how many there were of each operation. Not thread-safe. */
public final class AuditLog {
  private static final int ENTRIES_MAX = 20_000;

  /**
   * One request.
   *
   * @param operation its name; empty for a path that is not served
   * @param code of the error; empty when there was none
   */
  public record Entry(
      Instant at, String principal, String operation, String path, int status, String code) {}

  private final Deque<Entry> entries = new ArrayDeque<>();
  private final Map<String, Integer> counts = new TreeMap<>();

  AuditLog() {}

  void add(Entry entry) {
    if (entries.size() == ENTRIES_MAX) {
      entries.removeFirst();
    }
    entries.addLast(entry);
    counts.merge(entry.operation(), 1, Integer::sum);
  }

  /** The latest requests, oldest first. */
  public List<Entry> entries() {
    return List.copyOf(entries);
  }

  /** How often this operation was asked for. */
  public int count(String operation) {
    return counts.getOrDefault(operation, 0);
  }

  /** All counts by operation. */
  public Map<String, Integer> counts() {
    return new TreeMap<>(counts);
  }
}
