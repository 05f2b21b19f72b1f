package io.tidemark.node;

import io.tidemark.demand.SubnetForecast;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import io.tidemark.resource.HandshakeState;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.PoolQuota;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Cluster sums kept by differences (node-manager 13 D-3): one node's change costs the same in any
 * cluster. Thread-safe.
 */
final class ClusterTotals {
  private final Meters metrics;
  private final Map<PoolId, SubnetForecast> forecasts = new ConcurrentHashMap<>();

  /** Oldest first, so that the oldest is known without a look at the others. */
  private final TreeSet<Since> deficits =
      new TreeSet<>(Comparator.comparingLong(Since::nanos).thenComparing(Since::node));

  private final EnumMap<HandshakeState, Long> handshakes = new EnumMap<>(HandshakeState.class);
  private final EnumMap<BlockedReason, Long> stuck = new EnumMap<>(BlockedReason.class);
  private ClusterStatistics sums = new ClusterStatistics(0, 0, 0, 0, 0, 0, 0, 0, 0);

  private record Since(long nanos, String node) {}

  ClusterTotals(Meters metrics) {
    this.metrics = metrics;
    for (HandshakeState each : HandshakeState.values()) {
      handshakes.put(each, 0L);
    }
    for (BlockedReason each : BlockedReason.values()) {
      stuck.put(each, 0L);
    }
  }

  /** The share of one node in the sums. Confined to the node's lane. */
  final class Share {
    private final String node;
    private boolean counted;
    private NodeStatus status = NodeStatus.UNKNOWN;
    private @Nullable Since deficit;

    Share(String node) {
      this.node = node;
    }

    /** The node counts from now on; returns false when it did before. */
    boolean join() {
      boolean joins = !counted;
      if (joins) {
        counted = true;
        add(status, 1, 1);
      }
      return joins;
    }

    void update(NodeStatus now, long nowNanos) {
      if (counted) {
        add(status, -1, 0);
        add(now, 1, 0);
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
        add(status, -1, -1);
        deficit(0, 0);
      }
    }

    private void deficit(int addresses, long nowNanos) {
      synchronized (ClusterTotals.this) {
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
  }

  /** Addresses of all nodes in each state of the handshake. */
  synchronized Map<HandshakeState, Long> handshakes() {
    return new EnumMap<>(handshakes);
  }

  /** Blocked nodes, by reason; every reason has an entry. */
  synchronized Map<BlockedReason, Long> stuck() {
    return new EnumMap<>(stuck);
  }

  private synchronized void add(NodeStatus status, int sign, int nodes) {
    status
        .handshakes()
        .forEach((state, count) -> handshakes.merge(state, (long) sign * count, Long::sum));
    status.reason().ifPresent(blocked -> stuck.merge(blocked.reason(), (long) sign, Long::sum));
    NodeStatistics node = status.statistics();
    // A node whose numbers are not known yet has no capacity to be at.
    boolean full = node.capacity() > 0 && node.atCapacity();
    sums =
        new ClusterStatistics(
            sums.used() + (long) sign * node.used(),
            sums.available() + (long) sign * (node.available() - node.used()),
            sums.needed() + (long) sign * node.needed(),
            sums.remainingInterfaces() + (long) sign * node.remainingInterfaces(),
            sums.interfaceCandidates() + (long) sign * node.interfacesWithRoom(),
            sums.emptyInterfaceSlots() + (long) sign * Math.max(0, node.emptySlots()),
            sums.nodes() + nodes,
            sums.inDeficit() + (node.needed() > 0 ? sign : 0),
            sums.atCapacity() + (full ? sign : 0));
  }

  synchronized ClusterStatistics snapshot() {
    return sums;
  }

  synchronized Duration oldestDeficit(long nowNanos) {
    return deficits.isEmpty()
        ? Duration.ZERO
        : Duration.ofNanos(Math.max(0, nowNanos - deficits.first().nanos()));
  }

  /** Publishes the sums as gauges (node-manager 5.5, 7). */
  void publish(long nowNanos, Duration cacheAge) {
    ClusterStatistics now = snapshot();
    metrics.gauge(Metric.IPS, "used").set(now.used());
    metrics.gauge(Metric.IPS, "available").set(now.available());
    metrics.gauge(Metric.IPS, "needed").set(now.needed());
    metrics.gauge(Metric.AVAILABLE_INTERFACES).set(now.remainingInterfaces());
    metrics.gauge(Metric.INTERFACE_CANDIDATES).set(now.interfaceCandidates());
    metrics.gauge(Metric.EMPTY_INTERFACE_SLOTS).set(now.emptyInterfaceSlots());
    metrics.gauge(Metric.NODES, "total").set(now.nodes());
    metrics.gauge(Metric.NODES, "in-deficit").set(now.inDeficit());
    metrics.gauge(Metric.NODES, "at-capacity").set(now.atCapacity());
    handshakes()
        .forEach(
            (state, count) -> metrics.gauge(Metric.RELEASE_HANDSHAKE, state.wire()).set(count));
    stuck()
        .forEach((reason, count) -> metrics.gauge(Metric.NODES_STUCK, reason.label()).set(count));
    metrics.gauge(Metric.OLDEST_DEFICIT).set(oldestDeficit(nowNanos));
    metrics.gauge(Metric.CACHE_AGE).set(cacheAge);
  }

  /** Gauges of pools that vanished are removed (D-16). */
  void publishPools(Map<PoolId, PoolQuota> quota, long nowNanos) {
    forecasts.forEach(
        (pool, forecast) -> {
          if (!quota.containsKey(pool)) {
            forecasts.remove(pool);
            metrics.removeLabelled("subnet_id", pool.text());
          }
        });
    quota.forEach(
        (pool, left) -> {
          forecasts
              .computeIfAbsent(pool, added -> new SubnetForecast())
              .sample(nowNanos, left.availableIps());
          metrics
              .gauge(Metric.AVAILABLE_IPS_PER_SUBNET, pool.text(), left.availabilityZone())
              .set(left.availableIps());
        });
  }

  Map<PoolId, Double> daysLeft() {
    Map<PoolId, Double> days = new HashMap<>();
    forecasts.forEach(
        (pool, forecast) -> forecast.daysLeft().ifPresent(left -> days.put(pool, left)));
    return days;
  }
}
