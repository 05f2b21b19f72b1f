package io.tidemark.agent;

import io.micrometer.core.instrument.Timer;
import io.tidemark.agent.Allocation.Denied;
import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
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
 * Reports to the metrics and the upstream how requests ended; a scrape asks each pool for its
 * present numbers. Thread-safe; called outside every lock.
 */
final class Reports {
  private final Meters meters;
  private final Upstream upstream;
  private final Map<IpFamily, List<Supplier<AddressCounts>>> pools = new ConcurrentHashMap<>();

  /** Sums cost a request less than counters of the registry, which reads them. */
  private final Known<IpFamily, LongAdder> allocations = new Known<>(this::allocations);

  private final Known<IpFamily, LongAdder> releases =
      new Known<>(family -> events("release", family, new LongAdder()));
  private final Known<IpFamily, LongAdder> exhaustions =
      new Known<>(family -> attempts(family, "exhausted"));
  private final Known<IpFamily, LongAdder> errors =
      new Known<>(family -> attempts(family, "error"));

  /** Those of one pool alone, because a timer that all threads share slows them down. */
  private final Known<IpFamily, Known<PoolName, Timer>> reused = new Known<>(this::reused);

  /** Meters of one kind, each made when it is first used; finding it again makes no object. */
  private static final class Known<K, T> {
    private final Map<K, T> known = new ConcurrentHashMap<>();
    private final Function<K, T> first;

    private Known(Function<K, T> first) {
      this.first = first;
    }

    private T of(K key) {
      T found = known.get(key);
      return found != null ? found : known.computeIfAbsent(key, first);
    }
  }

  Reports(Meters meters, Upstream upstream) {
    this.meters = meters;
    this.upstream = upstream;
  }

  private LongAdder allocations(IpFamily family) {
    return events("allocate", family, attempts(family, "success"));
  }

  private LongAdder events(String action, IpFamily family, LongAdder sum) {
    meters.functionCounter(Metric.AGENT_EVENTS, sum::sum, action, word(family));
    return sum;
  }

  private LongAdder attempts(IpFamily family, String outcome) {
    LongAdder sum = new LongAdder();
    meters.gauge(Metric.AGENT_ATTEMPTS, sum::sum, word(family), outcome);
    return sum;
  }

  private Known<PoolName, Timer> reused(IpFamily family) {
    return new Known<>(
        pool -> meters.histogram(Metric.AGENT_REUSE_DISTANCE, pool.value(), word(family)));
  }

  /** A pool is measured from now on; its numbers are asked for from any thread. */
  void pool(IpFamily family, PoolName pool, Supplier<AddressCounts> counts) {
    pools.computeIfAbsent(family, this::familyGauges).add(counts);
    meters.gauge(Metric.AGENT_COOLING, () -> counts.get().cooling(), pool.value(), word(family));
    meters.gauge(Metric.AGENT_EXCLUDED, () -> counts.get().excluded(), pool.value(), word(family));
  }

  private List<Supplier<AddressCounts>> familyGauges(IpFamily family) {
    List<Supplier<AddressCounts>> all = new CopyOnWriteArrayList<>();
    String name = word(family);
    meters.gauge(Metric.AGENT_CAPACITY, () -> sum(all, AddressCounts::capacity), name);
    meters.gauge(Metric.AGENT_AVAILABLE, () -> sum(all, AddressCounts::available), name);
    meters.gauge(Metric.AGENT_USED, () -> sum(all, AddressCounts::used), name);
    return all;
  }

  private static long sum(
      List<Supplier<AddressCounts>> pools, ToIntFunction<AddressCounts> number) {
    return pools.stream().mapToLong(each -> number.applyAsInt(each.get())).sum();
  }

  /** A request for an address ended; how, as it was given. */
  Allocation ended(
      Allocation allocation, IpFamily family, PoolName pool, String owner, UpstreamSync sync) {
    if (allocation instanceof Allocation.Granted granted) {
      allocations.of(family).increment();
      long reuseNanos = granted.result().reuseNanos();
      if (reuseNanos >= 0) {
        reused.of(family).of(granted.result().pool()).record(reuseNanos, TimeUnit.NANOSECONDS);
      }
      upstream.served(pool, family, owner);
      if (sync == UpstreamSync.NOW) {
        upstream.changed();
      }
    } else if (((Denied) allocation).denial().lack().isPresent()) {
      exhaustions.of(family).increment();
      upstream.lacking(pool, family, owner, sync);
    } else {
      errors.of(family).increment();
    }
    return allocation;
  }

  /** Addresses were released, or releases of some that were not allocated were accepted. */
  void released(IpFamily family, int count) {
    if (count > 0) {
      releases.of(family).add(count);
      upstream.changed();
    }
  }

  void restoreFinished(IpFamily family) {
    upstream.restoreFinished(family);
  }

  /** The family as metrics and the reference's interface write it. */
  private static String word(IpFamily family) {
    return family == IpFamily.IPV4 ? "ipv4" : "ipv6";
  }
}
