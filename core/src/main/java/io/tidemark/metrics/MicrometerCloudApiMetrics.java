package io.tidemark.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;

/**
 * Metrics of the requests to one cloud in a Micrometer registry, under the names of
 * docs/metrics.md. Thread-safe.
 */
public final class MicrometerCloudApiMetrics implements CloudApiMetrics {
  private final Meters meters;

  /**
   * Metrics in {@code registry}.
   *
   * @param prefix names the cloud, its last underscore too, such as {@code cilium_operator_ec2_}
   */
  public MicrometerCloudApiMetrics(MeterRegistry registry, String prefix) {
    this.meters = new Meters(registry, prefix, prefix);
  }

  @Override
  public void attempt(String operation, String responseCode, Duration took) {
    meters.record(Metric.API_DURATION, took, operation, responseCode);
  }

  @Override
  public void rateLimited(String operation, Duration waited) {
    meters.record(Metric.API_RATE_LIMIT_DURATION, waited, operation);
  }

  @Override
  public void retried(String operation) {
    meters.count(Metric.API_RETRIES, operation);
  }

  @Override
  public void heldBack(String effect, boolean held) {
    meters.gauge(Metric.API_HELD_BACK, effect).set(held ? 1 : 0);
  }

  @Override
  public void rate(String operation, double callsPerSecond) {
    meters.gauge(Metric.API_RATE, operation).set(callsPerSecond);
  }

  @Override
  public InterfaceMetrics interfaces() {
    return new MicrometerInterfaceMetrics(meters);
  }
}
