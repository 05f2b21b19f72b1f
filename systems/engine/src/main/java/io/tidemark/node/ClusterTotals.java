package io.tidemark.node;

import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import io.tidemark.resource.HandshakeState;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.PoolQuota;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Cluster sums kept by differences (node-manager 13 D-3): one node's change costs the same in any
 * cluster. Thread-safe; a reading during changes is between before and after.
 */
final class ClusterTotals {
  private final Meters metrics;
  private final Map<PoolId, String> zoneByPool = new ConcurrentHashMap<>();

  /** Oldest first, so that the oldest is known without a look at the others. */
  private final ConcurrentSkipListSet<Since> deficits =
      new ConcurrentSkipListSet<>(
          Comparator.comparingLong(Since::nanos).thenComparing(Since::node));

  private final LongAdder used = new LongAdder();
  private final LongAdder free = new LongAdder();
  private final LongAdder needed = new LongAdder();
  private final LongAdder remaining = new LongAdder();
  private final LongAdder candidates = new LongAdder();
  private final LongAdder slots = new LongAdder();
  private final LongAdder nodes = new LongAdder();
  private final LongAdder inDeficit = new LongAdder();
  private final LongAdder atCapacity = new LongAdder();

  private final EnumMap<HandshakeState, LongAdder> handshakes = adders(HandshakeState.values());
  private final EnumMap<BlockedReason, LongAdder> stuck = adders(BlockedReason.values());

  ClusterTotals(Meters metrics) {
    this.metrics = metrics;
  }

  private static <K extends Enum<K>> EnumMap<K, LongAdder> adders(K[] keys) {
    EnumMap<K, LongAdder> adders = new EnumMap<>(keys[0].getDeclaringClass());
    for (K key : keys) {
      adders.put(key, new LongAdder());
    }
    return adders;
  }

  /** The share of one node in the sums. Confined to the node's lane. */
  final class Share {
    private final String node;
    private boolean counted;
    private NodeStatus status = NodeStatus.UNKNOWN;
    private @Nullable Since deficit;

    private Share(String node) {
      this.node = node;
    }

    /** The node counts from now on; returns false when it did before. */
    boolean join() {
      if (counted) {
        return false;
      }
      counted = true;
      nodes.increment();
      add(status, 1);
      return true;
    }

    void update(NodeStatus now, long nowNanos) {
      if (counted) {
        add(status, -1);
        add(now, 1);
      }
      status = now;
      deficit(now.statistics().needed(), nowNanos);
    }

    NodeStatistics statistics() {
      return status.statistics();
    }

    void leave() {
      if (counted) {
        counted = false;
        nodes.decrement();
        add(status, -1);
        deficit(0, 0);
      }
    }

    private void deficit(int addresses, long nowNanos) {
      Since since = deficit;
      if (addresses > 0 && since == null) {
        deficit = new Since(nowNanos, node);
        deficits.add(deficit);
      } else if (addresses == 0 && since != null) {
        deficits.remove(since);
        deficit = null;
      }
    }
  }

  Share share(String node) {
    return new Share(node);
  }

  /** Addresses of all nodes in each state of the handshake. */
  Map<HandshakeState, Long> handshakes() {
    return sums(handshakes);
  }

  /** Blocked nodes, by reason; every reason has an entry. */
  Map<BlockedReason, Long> stuck() {
    return sums(stuck);
  }

  private static <K extends Enum<K>> Map<K, Long> sums(EnumMap<K, LongAdder> adders) {
    Map<K, Long> sums = new EnumMap<>(adders.keySet().iterator().next().getDeclaringClass());
    adders.forEach((key, adder) -> sums.put(key, adder.sum()));
    return sums;
  }

  private void add(NodeStatus status, int sign) {
    status
        .handshakes()
        .forEach((state, count) -> adder(handshakes, state).add((long) sign * count));
    status.reason().ifPresent(blocked -> adder(stuck, blocked.reason()).add(sign));
    add(status.statistics(), sign);
  }

  private static <K> LongAdder adder(Map<K, LongAdder> adders, K key) {
    return Objects.requireNonNull(adders.get(key), "every key has an adder");
  }

  private void add(NodeStatistics node, int sign) {
    used.add((long) sign * node.used());
    free.add((long) sign * (node.available() - node.used()));
    needed.add((long) sign * node.needed());
    remaining.add((long) sign * node.remainingInterfaces());
    candidates.add((long) sign * node.interfacesWithRoom());
    slots.add((long) sign * Math.max(0, node.emptySlots()));
    inDeficit.add(node.needed() > 0 ? sign : 0);
    // A node whose numbers are not known yet has no capacity to be at.
    atCapacity.add(node.capacity() > 0 && node.atCapacity() ? sign : 0);
  }

  ClusterStatistics snapshot() {
    return new ClusterStatistics(
        used.sum(),
        free.sum(),
        needed.sum(),
        remaining.sum(),
        candidates.sum(),
        slots.sum(),
        nodes.intValue(),
        inDeficit.intValue(),
        atCapacity.intValue());
  }

  /** Since when one node misses addresses. */
  private record Since(long nanos, String node) {}

  /** Age of the oldest deficit; zero when there is none. */
  Duration oldestDeficit(long nowNanos) {
    // first() would throw on an empty set.
    for (Since first : deficits) {
      return Duration.ofNanos(Math.max(0, nowNanos - first.nanos()));
    }
    return Duration.ZERO;
  }

  /** Publishes the sums as gauges (node-manager 5.5, 7). */
  void publish(long nowNanos, Duration cacheAge) {
    ClusterStatistics sums = snapshot();
    metrics.gauge(Metric.IPS, "used").set(sums.used());
    metrics.gauge(Metric.IPS, "available").set(sums.available());
    metrics.gauge(Metric.IPS, "needed").set(sums.needed());
    metrics.gauge(Metric.AVAILABLE_INTERFACES).set(sums.remainingInterfaces());
    metrics.gauge(Metric.INTERFACE_CANDIDATES).set(sums.interfaceCandidates());
    metrics.gauge(Metric.EMPTY_INTERFACE_SLOTS).set(sums.emptyInterfaceSlots());
    metrics.gauge(Metric.NODES, "total").set(sums.nodes());
    metrics.gauge(Metric.NODES, "in-deficit").set(sums.inDeficit());
    metrics.gauge(Metric.NODES, "at-capacity").set(sums.atCapacity());
    handshakes()
        .forEach(
            (state, count) -> metrics.gauge(Metric.RELEASE_HANDSHAKE, state.wire()).set(count));
    stuck()
        .forEach((reason, count) -> metrics.gauge(Metric.NODES_STUCK, reason.label()).set(count));
    metrics.gauge(Metric.OLDEST_DEFICIT).set(oldestDeficit(nowNanos));
    metrics.gauge(Metric.CACHE_AGE).set(cacheAge);
  }

  /** Gauges of pools that vanished are removed (D-16). */
  void publishPools(Map<PoolId, PoolQuota> quota) {
    zoneByPool.forEach(
        (pool, zone) -> {
          if (!quota.containsKey(pool)) {
            zoneByPool.remove(pool);
            metrics.removeLabelled("subnet_id", pool.text());
          }
        });
    quota.forEach(
        (pool, left) -> {
          zoneByPool.put(pool, left.availabilityZone());
          metrics
              .gauge(Metric.AVAILABLE_IPS_PER_SUBNET, pool.text(), left.availabilityZone())
              .set(left.availableIps());
        });
  }
}
