package io.tidemark.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.distribution.HistogramSupport;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Meters in a registry of their own, and what a scrape of it shows now. Thread-safe. */
public final class TestMeters {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  /** Where to count. */
  public final Meters meters = new Meters(registry);

  /** Uses each metric of a prefix once. */
  public static void useAll(Meters meters, Metric.Prefix prefix) {
    Stream.of(Metric.values())
        .filter(each -> each.prefix() == prefix)
        .forEach(each -> use(meters, each));
  }

  /** Uses a metric once: a duration of a second, or one; each label is {@code a}. */
  static void use(Meters meters, Metric metric) {
    String[] labels = metric.labels().stream().map(each -> "a").toArray(String[]::new);
    switch (metric.shape()) {
      case GAUGE, SUM -> meters.gauge(metric, labels).add(1);
      case COUNTER -> meters.count(metric, labels);
      case SIZE_HISTOGRAM, TRIES_HISTOGRAM -> meters.record(metric, 1, labels);
      default -> meters.record(metric, Duration.ofSeconds(1), labels);
    }
  }

  /**
   * The series of a metric by the values of their labels, in the sequence of the table and with
   * spaces between them. Of a histogram the number of its records.
   */
  public Map<String, Double> all(Metric metric) {
    return all(metric, TestMeters::value);
  }

  /** The value of one series, of a histogram the number of its records; no number without it. */
  public double value(Metric metric, String... labels) {
    return all(metric).getOrDefault(String.join(" ", labels), Double.NaN);
  }

  /** The sum of the durations of one histogram. */
  public Duration time(Metric metric, String... labels) {
    return Duration.ofNanos((long) total(metric, labels));
  }

  /** The sum of the numbers of one histogram; no number without it. */
  public double total(Metric metric, String... labels) {
    return all(metric, each -> ((HistogramSupport) each).takeSnapshot().total())
        .getOrDefault(String.join(" ", labels), Double.NaN);
  }

  private Map<String, Double> all(Metric metric, ToDoubleFunction<Meter> number) {
    meters.refresh();
    Map<String, Double> all = new TreeMap<>();
    for (Meter each : registry.find(meters.name(metric)).meters()) {
      String labels =
          metric.labels().stream()
              .map(label -> Objects.requireNonNull(each.getId().getTag(label)))
              .reduce((first, next) -> first + " " + next)
              .orElse("");
      all.put(labels, number.applyAsDouble(each));
    }
    return all;
  }

  private static double value(Meter meter) {
    if (meter instanceof HistogramSupport histogram) {
      return histogram.takeSnapshot().count();
    }
    if (meter instanceof Counter counter) {
      return counter.count();
    }
    return meter instanceof FunctionCounter counter ? counter.count() : ((Gauge) meter).value();
  }
}
