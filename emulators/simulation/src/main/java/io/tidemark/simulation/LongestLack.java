package io.tidemark.simulation;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The longest time that a node lacked addresses which the cloud had: what an operator that died,
 * and its replacement, cost the cluster.
 */
final class LongestLack {
  private final Cluster cluster;
  private final RestCheck rest;
  private final Map<String, Long> sinceNanos = new HashMap<>();
  private long longestNanos;

  LongestLack(Cluster cluster) {
    this.cluster = cluster;
    this.rest = new RestCheck(cluster);
  }

  /** Looks at all nodes now; what lasts less than the pause between two looks may be missed. */
  void look() {
    long now = cluster.time().nanos();
    for (SimulatedNode node : cluster.fleet().nodes()) {
      if (rest.lack(node).isPresent()) {
        long since = sinceNanos.computeIfAbsent(node.name(), any -> now);
        longestNanos = Math.max(longestNanos, now - since);
      } else {
        sinceNanos.remove(node.name());
      }
    }
  }

  /** Until now. */
  Duration longest() {
    return Duration.ofNanos(longestNanos);
  }
}
