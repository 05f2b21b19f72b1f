package io.tidemark.agent;

import io.tidemark.agent.Allocation.Denied;
import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.Meters;
import java.util.function.Supplier;

/**
 * Reports to the metrics and the upstream how requests ended. Thread-safe; called outside every
 * lock.
 */
final class Reports {
  private final AllocatorMeters meters;
  private final Upstream upstream;

  Reports(Meters meters, Upstream upstream) {
    this.meters = new AllocatorMeters(meters);
    this.upstream = upstream;
  }

  /** A pool is measured from now on. */
  void measured(Shard shard, Supplier<AddressCounts> counts) {
    meters.pool(shard.family(), shard.pool(), counts);
  }

  /**
   * A request for an address ended.
   *
   * @return how, as it was given
   */
  Allocation ended(
      Allocation allocation, IpFamily family, PoolName pool, String owner, UpstreamSync sync) {
    if (allocation instanceof Allocation.Granted granted) {
      meters.allocated(family, granted.result());
      upstream.served(pool, family, owner);
      if (sync == UpstreamSync.NOW) {
        upstream.changed();
      }
    } else {
      boolean exhausted = isExhausted(((Denied) allocation).denial());
      meters.denied(family, exhausted);
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
    if (count > 0) {
      meters.released(family, count);
      upstream.changed();
    }
  }

  void restoreFinished(IpFamily family) {
    upstream.restoreFinished(family);
  }
}
