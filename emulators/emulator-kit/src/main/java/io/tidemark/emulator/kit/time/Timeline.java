package io.tidemark.emulator.kit.time;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The values that one resource had, as readers come to see them: value from instant t on. Holds
 * only what a reader may still ask for, which is one entry unless reads lag. Immutable.
 */
public final class Timeline<T> {
  /** A null value: gone from then on. */
  private record Entry<T>(Instant from, @Nullable T value) {}

  private final List<Entry<T>> entries;

  private Timeline(List<Entry<T>> entries) {
    this.entries = entries;
  }

  public static <T> Timeline<T> empty() {
    return new Timeline<>(List.of());
  }

  /** The value that mutations work on, whether or not readers see it yet. */
  public Optional<T> present() {
    return entries.isEmpty()
        ? Optional.empty()
        : Optional.ofNullable(entries.get(entries.size() - 1).value());
  }

  /** Every value that somebody may still ask for. */
  public List<T> values() {
    if (entries.size() == 1) {
      @Nullable T only = entries.get(0).value();
      return only == null ? List.of() : List.of(only);
    }
    return entries.stream().flatMap(entry -> Stream.ofNullable(entry.value())).toList();
  }

  /** The value that a reader of this instant sees. */
  public Optional<T> at(Instant instant) {
    for (int i = entries.size() - 1; i >= 0; i--) {
      if (!entries.get(i).from().isAfter(instant)) {
        return Optional.ofNullable(entries.get(i).value());
      }
    }
    return Optional.empty();
  }

  /**
   * This and one value more, which readers see from {@code from} on but never before the value it
   * follows; entries that nobody asks for after {@code oldestRead} are dropped.
   */
  public Timeline<T> plus(Instant from, @Nullable T value, Instant oldestRead) {
    int size = entries.size();
    Instant start =
        size > 0 && entries.get(size - 1).from().isAfter(from)
            ? entries.get(size - 1).from()
            : from;
    if (!start.isAfter(oldestRead)) {
      return new Timeline<>(List.of(new Entry<>(start, value)));
    }
    int first = 0;
    while (first + 1 < size && !entries.get(first + 1).from().isAfter(oldestRead)) {
      first++;
    }
    List<Entry<T>> kept = new ArrayList<>(entries.subList(first, size));
    kept.add(new Entry<>(start, value));
    return new Timeline<>(kept);
  }

  /** True when no reader at or after {@code oldestRead} sees anything. */
  public boolean isOver(Instant oldestRead) {
    return entries.isEmpty()
        || (present().isEmpty() && !entries.get(entries.size() - 1).from().isAfter(oldestRead));
  }
}
