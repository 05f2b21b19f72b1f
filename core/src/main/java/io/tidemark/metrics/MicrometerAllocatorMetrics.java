package io.tidemark.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * The allocators' metrics in a Micrometer registry, under the names of docs/metrics.md.
 * Thread-safe; a scrape asks each pool for its present numbers.
 */
public final class MicrometerAllocatorMetrics implements AllocatorMetrics {
  /** The reference's prefix, so that dashboards keep working. */
  public static final String DEFAULT_PREFIX = "cilium_";

  private final Meters meters;
  private final Map<String, List<Supplier<AddressCounts>>> pools = new ConcurrentHashMap<>();

  /** Metrics in {@code registry} whose names begin with {@link #DEFAULT_PREFIX}. */
  public MicrometerAllocatorMetrics(MeterRegistry registry) {
    this.meters = new Meters(registry, DEFAULT_PREFIX);
  }

  @Override
  public void pool(String family, String pool, Supplier<AddressCounts> counts) {
    pools.computeIfAbsent(family, this::familyGauges).add(counts);
    meters.gauge(Metric.AGENT_COOLING, () -> counts.get().cooling(), pool, family);
    meters.gauge(Metric.AGENT_EXCLUDED, () -> counts.get().excluded(), pool, family);
  }

  @Override
  public void blocks(String family, String pool, Supplier<BlockCounts> counts) {
    meters.gauge(Metric.AGENT_PENDING, () -> counts.get().pending(), pool, family);
    meters.gauge(Metric.AGENT_QUARANTINED, () -> counts.get().quarantined(), pool, family);
    meters.gauge(
        Metric.AGENT_OFFERED_NOT_TAKEN_IPS, () -> counts.get().offeredNotTaken(), pool, family);
  }

  @Override
  public void offerRebuilt() {
    meters.count(Metric.AGENT_OFFER_REBUILT);
  }

  private List<Supplier<AddressCounts>> familyGauges(String family) {
    List<Supplier<AddressCounts>> all = new CopyOnWriteArrayList<>();
    meters.gauge(Metric.AGENT_CAPACITY, () -> sum(all, AddressCounts::capacity), family);
    meters.gauge(Metric.AGENT_AVAILABLE, () -> sum(all, AddressCounts::available), family);
    meters.gauge(Metric.AGENT_USED, () -> sum(all, AddressCounts::used), family);
    return all;
  }

  private static long sum(
      List<Supplier<AddressCounts>> pools, ToIntFunction<AddressCounts> number) {
    return pools.stream().mapToLong(each -> number.applyAsInt(each.get())).sum();
  }

  @Override
  public void allocated(String family) {
    meters.count(Metric.AGENT_EVENTS, "allocate", family);
  }

  @Override
  public void released(String family) {
    meters.count(Metric.AGENT_EVENTS, "release", family);
  }

  @Override
  public void attempted(String family, Outcome outcome) {
    meters.gauge(Metric.AGENT_ATTEMPTS, family, outcome.name().toLowerCase(Locale.ROOT)).add(1);
  }
}
