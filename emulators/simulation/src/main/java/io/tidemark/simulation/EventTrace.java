package io.tidemark.simulation;

import io.tidemark.time.TimeSource;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The events of a run, one line each; costs nothing without a reader. */
final class EventTrace {
  private final TimeSource time;
  private final @Nullable Consumer<String> reader;

  /** {@code reader} receives each line; null for none. */
  EventTrace(TimeSource time, @Nullable Consumer<String> reader) {
    this.time = time;
    this.reader = reader;
  }

  boolean isOn() {
    return reader != null;
  }

  void note(Supplier<String> what) {
    if (reader != null) {
      reader.accept(String.format(Locale.ROOT, "%12.6f  %s", time.nanos() / 1e9, what.get()));
    }
  }
}
