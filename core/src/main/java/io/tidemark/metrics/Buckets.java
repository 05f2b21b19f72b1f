package io.tidemark.metrics;

import java.time.Duration;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Upper bounds of the histograms in seconds (node-manager 7). The reference's first bound of the
 * operations is 0, by accident; nothing falls under it, and Micrometer refuses it.
 */
final class Buckets {
  private static final double[] TRIGGER_MILLIS = {5, 25, 50, 100, 200, 400, 600, 800};
  private static final double[] TRIGGER_SECONDS = {
    1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60
  };
  private static final double[] API_SECONDS = {
    0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10
  };

  private static final double[] REUSE_SECONDS = {
    10, 30, 60, 120, 130, 180, 300, 1_800, 3_600, 21_600, 86_400
  };

  private Buckets() {}

  static Duration[] of(Metric.Shape shape) {
    return DoubleStream.of(seconds(shape))
        .mapToObj(each -> Duration.ofMillis(Math.round(each * 1000)))
        .toArray(Duration[]::new);
  }

  /** Those of what is counted, not timed. */
  static double[] ofCounts(Metric.Shape shape) {
    return shape == Metric.Shape.TRIES_HISTOGRAM
        ? IntStream.rangeClosed(0, 4).mapToDouble(power -> Math.pow(5, power)).toArray()
        : IntStream.rangeClosed(0, 8).mapToDouble(power -> 1 << power).toArray();
  }

  private static double[] seconds(Metric.Shape shape) {
    return switch (shape) {
      case HISTOGRAM ->
          DoubleStream.concat(
                  DoubleStream.of(0.25, 0.5), IntStream.rangeClosed(1, 60).asDoubleStream())
              .toArray();
      case TRIGGER_HISTOGRAM ->
          DoubleStream.concat(
                  DoubleStream.of(TRIGGER_MILLIS).map(millis -> millis / 1000),
                  DoubleStream.of(TRIGGER_SECONDS))
              .toArray();
      case API_HISTOGRAM -> API_SECONDS.clone();
      case REUSE_HISTOGRAM -> REUSE_SECONDS.clone();
      case GAUGE, COUNTER, SUM, SIZE_HISTOGRAM, TRIES_HISTOGRAM -> new double[0];
    };
  }
}
