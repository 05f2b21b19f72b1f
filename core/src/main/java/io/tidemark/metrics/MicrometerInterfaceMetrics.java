package io.tidemark.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Metrics of network interfaces, under the names of docs/metrics.md. Thread-safe. */
final class MicrometerInterfaceMetrics implements InterfaceMetrics {
  private static final List<String> SOURCES = List.of("settings", "cloud", "table");

  private final Meters meters;

  MicrometerInterfaceMetrics(Meters meters) {
    this.meters = meters;
  }

  @Override
  public void fallback(String rung) {
    meters.count(Metric.ENI_FALLBACK, rung);
  }

  @Override
  public void inFlight(String subnetId, long addresses) {
    meters.gauge(Metric.ENI_IN_FLIGHT, subnetId).set(addresses);
  }

  @Override
  public void countAge(String subnetId, Duration age) {
    meters.gauge(Metric.ENI_COUNT_AGE, subnetId).set(age);
  }

  @Override
  public void quarantined(String subnetId, long addresses) {
    meters.gauge(Metric.ENI_QUARANTINED, subnetId).set(addresses);
  }

  @Override
  public void operation(String operation, OperationEnd end, Duration took) {
    meters.record(
        Metric.ENI_OPERATION_DURATION, took, operation, end.name().toLowerCase(Locale.ROOT));
  }

  @Override
  public void staleEtag() {
    meters.count(Metric.ENI_STALE_ETAG);
  }

  @Override
  public void remainingRequests(String bucket, long count) {
    meters.gauge(Metric.API_REMAINING, bucket).set(count);
  }

  @Override
  public void subnetGone(String subnetId) {
    meters.removeLabelled("subnet", subnetId);
  }

  @Override
  public void limitsSource(String type, String source) {
    for (String each : SOURCES) {
      meters.gauge(Metric.ENI_LIMITS, type, each).set(each.equals(source) ? 1 : 0);
    }
  }

  @Override
  public void collection(Collection state) {
    for (Collection each : Collection.values()) {
      meters
          .gauge(Metric.ENI_GC_STATE, each.name().toLowerCase(Locale.ROOT))
          .set(each == state ? 1 : 0);
    }
  }

  @Override
  public void leftOver(LeftOver what) {
    meters.count(
        switch (what) {
          case FOUND -> Metric.ENI_GC_CANDIDATES;
          case DELETED -> Metric.ENI_GC_DELETED;
          case FAILED -> Metric.ENI_GC_FAILED;
        });
  }
}
