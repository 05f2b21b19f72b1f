package io.tidemark.node;

import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.Optional;

/** Counts what passes did in the cloud (node-manager 7). */
final class PassMetrics {
  static final String ALLOCATE = "allocateIP";
  static final String CREATE_INTERFACE = "createInterfaceAndAllocateIP";
  static final String STATIC_ADDRESS = "allocateStaticIp";
  private static final String RELEASE = "releaseIP";
  private static final String RELEASE_PREFIXES = "releaseIPPrefixes";
  private static final String SUCCESS = "success";
  private static final String FAILED = "failed";

  private final Meters metrics;
  private final TimeSource time;

  PassMetrics(Meters metrics, TimeSource time) {
    this.metrics = metrics;
    this.time = time;
  }

  long now() {
    return time.nanos();
  }

  void allocated(String type, Optional<PoolId> pool, AllocationOutcome outcome, long start) {
    String subnet = pool.map(PoolId::text).orElse("");
    if (outcome instanceof AllocationOutcome.InstanceNotRunning) {
      return; // not a failed attempt (node-manager 3.10)
    }
    if (!(outcome instanceof AllocationOutcome.Allocated allocated)) {
      metrics.record(Metric.ALLOCATION_DURATION, since(start), type, status(type, outcome), subnet);
      return;
    }
    metrics.record(Metric.ALLOCATION_DURATION, since(start), type, SUCCESS, subnet);
    if (allocated.addresses() > 0) {
      metrics.gauge(Metric.IP_ALLOCATION_OPS, subnet).add(allocated.addresses());
    }
    if (allocated.created().isPresent()) {
      metrics.gauge(Metric.INTERFACE_CREATION_OPS, subnet).add(1);
    }
  }

  /** A new interface's failure carries the provider's condition, others are {@code failed}. */
  private static String status(String type, AllocationOutcome outcome) {
    if (!type.equals(CREATE_INTERFACE)) {
      return FAILED;
    }
    if (outcome instanceof AllocationOutcome.Refused refused) {
      return refused.failure().condition();
    }
    if (outcome instanceof AllocationOutcome.Unknown unknown) {
      return unknown.failure().condition();
    }
    return outcome instanceof AllocationOutcome.PoolExhausted ? "poolExhausted" : "limitReached";
  }

  void released(ReleaseAction action, ReleaseOutcome outcome, long start) {
    String type = action.blocks().isEmpty() ? RELEASE : RELEASE_PREFIXES;
    String subnet = action.pool().map(PoolId::text).orElse("");
    if (!(outcome instanceof ReleaseOutcome.Released released)) {
      metrics.record(Metric.RELEASE_DURATION, since(start), type, FAILED, subnet);
      return;
    }
    metrics.record(Metric.RELEASE_DURATION, since(start), type, SUCCESS, subnet);
    long count = released.addresses().size();
    for (var block : released.blocks()) {
      count += block.sizeSaturated();
    }
    metrics.gauge(Metric.IP_RELEASE_OPS, subnet).add(count);
  }

  private Duration since(long start) {
    return Duration.ofNanos(time.nanos() - start);
  }
}
