package io.tidemark.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The stores' metrics in a Micrometer registry, under the names of docs/metrics.md. Thread-safe; a
 * scrape asks each store for its present numbers.
 */
public final class MicrometerDatastoreMetrics implements DatastoreMetrics {
  /** The reference's prefix, so that dashboards keep working. */
  public static final String DEFAULT_PREFIX = "awscni_";

  private final Meters meters;
  private final Meters.Series perInterface;
  private final Meters.Series perCidr;
  private final Meters.Series corrections;
  private final Map<String, Supplier<PlaceCounts>> places = new ConcurrentHashMap<>();
  private final Map<String, Supplier<LoopCounts>> loops = new ConcurrentHashMap<>();

  /** Metrics in {@code registry} whose names begin with {@link #DEFAULT_PREFIX}. */
  public MicrometerDatastoreMetrics(MeterRegistry registry) {
    this.meters = new Meters(registry, DEFAULT_PREFIX);
    this.perInterface = meters.series(Metric.STORE_ASSIGNED_PER_ENI);
    this.perCidr = meters.series(Metric.STORE_ASSIGNED_PER_CIDR);
    this.corrections = meters.series(Metric.STORE_CORRECTIONS);
  }

  @Override
  public void card(int card, Supplier<StoreCounts> counts) {
    show(Metric.STORE_ENIS, card, counts, StoreCounts::interfaces);
    show(Metric.STORE_TOTAL, card, counts, StoreCounts::total);
    show(Metric.STORE_ASSIGNED, card, counts, StoreCounts::assigned);
    show(Metric.STORE_PREFIXES, card, counts, StoreCounts::ipv4Prefixes);
    show(Metric.STORE_COOLING, card, counts, StoreCounts::cooling);
    show(Metric.STORE_ORPHANS, card, counts, StoreCounts::orphans);
    show(Metric.STORE_LOST, card, counts, StoreCounts::lost);
    show(Metric.STORE_NO_ADDRESS, card, counts, StoreCounts::noAddress);
    show(Metric.STORE_FORCED_ENIS, card, counts, StoreCounts::forceRemovedEnis);
    show(Metric.STORE_FORCED_IPS, card, counts, StoreCounts::forceRemovedIps);
    meters.functionCounter(
        Metric.STORE_CUT_SHORT, () -> counts.get().cutShort(), Integer.toString(card));
  }

  private <T> void show(Metric metric, int card, Supplier<T> counts, Function<T, Number> number) {
    meters.gauge(metric, () -> number.apply(counts.get()), Integer.toString(card));
  }

  @Override
  public void places(int card, Supplier<PlaceCounts> counts) {
    places.put(Integer.toString(card), counts);
  }

  @Override
  public void plan(int card, Supplier<PlanCounts> plan) {
    show(Metric.STORE_PLAN_SHORT, card, plan, PlanCounts::shortBy);
    show(Metric.STORE_PLAN_OVER, card, plan, PlanCounts::overBy);
  }

  @Override
  public void loop(int card, Supplier<LoopCounts> counts) {
    show(Metric.STORE_ENI_MAX, card, counts, LoopCounts::interfacesMax);
    show(Metric.STORE_IP_MAX, card, counts, LoopCounts::ipsMax);
    loops.put(Integer.toString(card), counts);
  }

  @Override
  public void inProgress(String action, int change) {
    meters.gauge(Metric.STORE_IN_PROGRESS, action).add(change);
  }

  @Override
  public void failed(String what) {
    meters.gauge(Metric.STORE_ERRORS, what).add(1);
  }

  /** Interfaces and blocks come and go: their series are those of now. Before each scrape. */
  public void refresh() {
    Map<List<String>, Number> interfaces = new HashMap<>();
    Map<List<String>, Number> cidrs = new HashMap<>();
    places.forEach(
        (card, counts) -> {
          PlaceCounts now = counts.get();
          now.byInterface().forEach((name, count) -> interfaces.put(List.of(card, name), count));
          now.byCidr().forEach((cidr, count) -> cidrs.put(List.of(card, cidr), count));
        });
    Map<List<String>, Number> corrected = new HashMap<>();
    loops.forEach(
        (card, counts) ->
            counts
                .get()
                .corrections()
                .forEach((name, count) -> corrected.put(List.of(card, name), count)));
    corrections.show(corrected);
    perInterface.show(interfaces);
    perCidr.show(cidrs);
  }

  @Override
  public void checkpoint(int card, boolean written, Duration took) {
    meters.record(Metric.STORE_CHECKPOINT_DURATION, took, Integer.toString(card));
    if (!written) {
      meters.count(Metric.STORE_CHECKPOINT_FAILURES, Integer.toString(card));
    }
  }

  @Override
  public void batch(int card, int changes) {
    meters.sizes(Metric.STORE_BATCH_SIZE, Integer.toString(card)).record(changes);
  }

  @Override
  public void reused(int card, Duration distance) {
    meters.record(Metric.STORE_REUSE_DISTANCE, distance, Integer.toString(card));
  }
}
