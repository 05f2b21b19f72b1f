package io.tidemark.node;

import io.tidemark.metrics.IpamMetrics;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.PoolQuota;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Publishes the cluster's sums as gauges (node-manager 5.5, 7). Thread-safe. */
final class ClusterMetrics {
  private final IpamMetrics metrics;
  private final Map<PoolId, String> zoneByPool = new ConcurrentHashMap<>();

  ClusterMetrics(IpamMetrics metrics) {
    this.metrics = metrics;
  }

  void publish(ClusterTotals totals, Duration oldestDeficit, Duration cacheAge) {
    ClusterStatistics sums = totals.snapshot();
    metrics.allocatedIps("used", sums.used());
    metrics.allocatedIps("available", sums.available());
    metrics.allocatedIps("needed", sums.needed());
    metrics.availableInterfaces(sums.remainingInterfaces());
    metrics.interfaceCandidates(sums.interfaceCandidates());
    metrics.emptyInterfaceSlots(sums.emptyInterfaceSlots());
    metrics.nodes("total", sums.nodes());
    metrics.nodes("in-deficit", sums.inDeficit());
    metrics.nodes("at-capacity", sums.atCapacity());
    totals.handshakes().forEach((state, count) -> metrics.handshakes(state.wire(), count));
    totals.stuck().forEach((reason, count) -> metrics.nodesStuck(reason.label(), count));
    metrics.oldestDeficit(oldestDeficit);
    metrics.cacheAge(cacheAge);
  }

  /** Gauges of pools that vanished are removed (D-16). */
  void publishPools(Map<PoolId, PoolQuota> quota) {
    zoneByPool.forEach(
        (pool, zone) -> {
          if (!quota.containsKey(pool)) {
            zoneByPool.remove(pool);
            metrics.subnetGone(pool.text(), zone);
          }
        });
    quota.forEach(
        (pool, left) -> {
          zoneByPool.put(pool, left.availabilityZone());
          metrics.availableIpsPerSubnet(pool.text(), left.availabilityZone(), left.availableIps());
        });
  }
}
