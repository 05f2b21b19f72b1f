package io.tidemark.simulation;

import io.tidemark.time.TimeSource;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The events of a run, one line each; costs nothing without a reader. */
record EventTrace(TimeSource time, @Nullable Consumer<String> reader) {
  boolean isOn() {
    return reader != null;
  }

  void note(Supplier<String> what) {
    if (reader != null) {
      reader.accept(String.format(Locale.ROOT, "%12.6f  %s", time.nanos() / 1e9, what.get()));
    }
  }
}
