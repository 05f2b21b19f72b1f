package io.tidemark.time;

import java.time.Duration;

/** Intervals that grow with the logarithm of the cluster (node-manager 5.8). Pure. */
public final class ClusterSizeInterval {
  private ClusterSizeInterval() {}

  /** {@code base × ln(1 + nodes)}; {@code base} itself without nodes. */
  public static Duration scaled(Duration base, int nodes) {
    return nodes <= 0 ? base : Duration.ofNanos(Math.round(base.toNanos() * Math.log1p(nodes)));
  }
}
