package io.tidemark.emulator.ec2.model;

import io.tidemark.emulator.kit.time.Timeline;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a table by what their resources say: now, or at an instant that a reader may still
 * ask for. So it finds too much when reads lag and never too little. Not thread-safe.
 */
final class Index<T, R> {
  private final Function<T, List<String>> reader;
  private final Map<String, NavigableMap<Long, R>> rows = new HashMap<>();

  Index(Function<T, List<String>> reader) {
    this.reader = reader;
  }

  /** The rows under this value, by serial. */
  NavigableMap<Long, R> rows(String value) {
    return rows.getOrDefault(value, new TreeMap<>());
  }

  /** Whether the resource says this; rows stay while readers of the past may look for them. */
  boolean says(T resource, String value) {
    return reader.apply(resource).contains(value);
  }

  /** Files the row under what it says after a change. */
  void move(long serial, R row, Timeline<T> before, Timeline<T> after) {
    List<String> old = values(before);
    List<String> now = values(after);
    if (old.equals(now)) {
      return;
    }
    old.stream().filter(value -> !now.contains(value)).forEach(value -> remove(value, serial));
    now.stream()
        .filter(value -> !old.contains(value))
        .forEach(value -> rows.computeIfAbsent(value, v -> new TreeMap<>()).put(serial, row));
  }

  private void remove(String value, long serial) {
    @Nullable NavigableMap<Long, R> under = rows.get(value);
    if (under != null) {
      under.remove(serial);
      if (under.isEmpty()) {
        rows.remove(value);
      }
    }
  }

  private List<String> values(Timeline<T> timeline) {
    List<T> resources = timeline.values();
    return resources.size() == 1
        ? reader.apply(resources.get(0))
        : resources.stream().flatMap(one -> reader.apply(one).stream()).distinct().toList();
  }
}
