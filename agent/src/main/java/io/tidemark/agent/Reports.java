package io.tidemark.agent;

import io.tidemark.agent.Allocation.Denied;
import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.AllocatorMetrics;
import io.tidemark.metrics.AllocatorMetrics.AddressCounts;
import java.util.function.Supplier;

/**
 * Reports to the metrics and the upstream how requests ended. Thread-safe; called outside every
 * lock.
 */
final class Reports {
  private final AllocatorMetrics metrics;
  private final Upstream upstream;

  Reports(AllocatorMetrics metrics, Upstream upstream) {
    this.metrics = metrics;
    this.upstream = upstream;
  }

  /** A pool is measured from now on. */
  void measured(Shard shard, Supplier<AddressCounts> counts) {
    metrics.pool(word(shard.family()), shard.pool().value(), counts);
  }

  /**
   * A request for an address ended.
   *
   * @return how, as it was given
   */
  Allocation ended(
      Allocation allocation, IpFamily family, PoolName pool, String owner, UpstreamSync sync) {
    if (allocation instanceof Allocation.Granted granted) {
      AllocationResult result = granted.result();
      metrics.allocated(word(family), result.pool().value(), result.reuseNanos());
      upstream.served(pool, family, owner);
      if (sync == UpstreamSync.NOW) {
        upstream.changed();
      }
    } else {
      boolean exhausted = isExhausted(((Denied) allocation).denial());
      metrics.denied(word(family), exhausted);
      if (exhausted) {
        upstream.lacking(pool, family, owner, sync);
      }
    }
    return allocation;
  }

  private static boolean isExhausted(Denial denial) {
    return denial instanceof Denial.Exhausted || denial instanceof Denial.PoolNotReady;
  }

  /** So many releases were accepted. */
  void released(IpFamily family, int count) {
    for (int i = 0; i < count; i++) {
      metrics.released(word(family));
    }
    if (count > 0) {
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
