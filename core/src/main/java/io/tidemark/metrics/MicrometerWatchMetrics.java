package io.tidemark.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/** The ages of watches in a Micrometer registry, as docs/metrics.md names them. Thread-safe. */
public final class MicrometerWatchMetrics {
  /** With what their names begin. */
  public static final String DEFAULT_PREFIX = "tidemark_watch_";

  private static final double MILLIS = 1000.0;

  private final Meters.Series ages;
  private volatile Supplier<Map<String, Duration>> source = Map::of;

  /** Metrics in {@code registry} whose names begin with {@link #DEFAULT_PREFIX}. */
  public MicrometerWatchMetrics(MeterRegistry registry) {
    this.ages = new Meters(registry).series(Metric.WATCH_AGE);
  }

  /**
   * There are watches from now on.
   *
   * @param now the time since each one's last sign of life by the kind of objects, which are few;
   *     from any thread at any time
   */
  public void watches(Supplier<Map<String, Duration>> now) {
    source = now;
  }

  /** The gauges show the ages of now. Before each scrape. */
  public void refresh() {
    Map<List<String>, Number> values = new HashMap<>();
    source
        .get()
        .forEach(
            (kind, age) ->
                values.put(List.of(kind.toLowerCase(Locale.ROOT)), age.toMillis() / MILLIS));
    ages.show(values);
  }
}
