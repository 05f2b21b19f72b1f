package io.tidemark.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
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
  private final TriggerMetrics sync;
  private final Map<String, List<Supplier<AddressCounts>>> pools = new ConcurrentHashMap<>();

  /** Sums cost a request less than counters of the registry, which reads them. */
  private final ByName<LongAdder> allocations = new ByName<>(this::allocations);

  private final ByName<LongAdder> releases = new ByName<>(this::releases);
  private final ByName<LongAdder> exhaustions =
      new ByName<>(family -> attempts(family, "exhausted"));
  private final ByName<LongAdder> errors = new ByName<>(family -> attempts(family, "error"));

  /** Those of one pool alone, because a timer that all threads share slows them down. */
  private final ByName<ByName<Timer>> reused = new ByName<>(this::reused);

  /** Meters of one kind, each made when it is first used; finding it again makes no object. */
  private static final class ByName<T> {
    private final Map<String, T> known = new ConcurrentHashMap<>();
    private final Function<String, T> first;

    private ByName(Function<String, T> first) {
      this.first = first;
    }

    private T of(String name) {
      T found = known.get(name);
      return found != null ? found : known.computeIfAbsent(name, first);
    }
  }

  /** Metrics in {@code registry} whose names begin with {@link #DEFAULT_PREFIX}. */
  public MicrometerAllocatorMetrics(MeterRegistry registry) {
    this.meters = new Meters(registry);
    this.sync = new MicrometerTriggerMetrics(meters.trigger(Metric.Prefix.AGENT, "ipam_sync"));
  }

  private LongAdder allocations(String family) {
    LongAdder sum = attempts(family, "success");
    meters.functionCounter(Metric.AGENT_EVENTS, sum::sum, "allocate", family);
    return sum;
  }

  private LongAdder releases(String family) {
    LongAdder sum = new LongAdder();
    meters.functionCounter(Metric.AGENT_EVENTS, sum::sum, "release", family);
    return sum;
  }

  private LongAdder attempts(String family, String outcome) {
    LongAdder sum = new LongAdder();
    meters.gauge(Metric.AGENT_ATTEMPTS, sum::sum, family, outcome);
    return sum;
  }

  private ByName<Timer> reused(String family) {
    return new ByName<>(pool -> meters.histogram(Metric.AGENT_REUSE_DISTANCE, pool, family));
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
  public void allocated(String family, String pool, long reuseNanos) {
    allocations.of(family).increment();
    if (reuseNanos >= 0) {
      reused.of(family).of(pool).record(reuseNanos, TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public void released(String family) {
    releases.of(family).increment();
  }

  @Override
  public TriggerMetrics sync() {
    return sync;
  }

  @Override
  public void denied(String family, boolean exhausted) {
    (exhausted ? exhaustions : errors).of(family).increment();
  }
}
