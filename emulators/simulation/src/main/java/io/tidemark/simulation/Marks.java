package io.tidemark.simulation;

import io.tidemark.demand.DemandSettings;
import io.tidemark.resource.AddressDemand;
import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.NodeResource;
import java.util.Optional;

/**
 * The watermarks of one object and what they require (node-manager 2), computed a second time,
 * independently of the engine, to check it.
 *
 * @param used addresses in use, or what a multi-pool agent's demand amounts to
 * @param pre free addresses to keep
 * @param high free addresses that may be kept beside {@code above}
 * @param min floor
 * @param max ceiling, 0 for none
 * @param above extra addresses per pass
 */
record Marks(int used, int pre, int high, int min, int max, int above) {
  private static final int DEFAULT_PRE = 8;

  /**
   * The watermarks of an object.
   *
   * @param byDemand within the bounds of which spare addresses may follow demand
   */
  static Marks of(NodeResource object, Optional<DemandSettings> byDemand) {
    IpamSpec ipam = object.ipam();
    int pre = ipam.preAllocate() == 0 ? DEFAULT_PRE : ipam.preAllocate();
    Optional<AddressDemand> demand = ipam.requested();
    int used = object.used().size();
    if (demand.isPresent()) { // while agents of both kinds stand in the object, enough for either
      used = Math.max(used, demand.get().ipv4() - pre);
    }
    int min = ipam.minAllocate();
    int max = ipam.maxAllocate();
    int above = ipam.maxAboveWatermark();
    if (byDemand.isPresent() && demand.isEmpty()) {
      int least = byDemand.get().spareMin();
      int most = Math.max(pre, byDemand.get().spareMax());
      return new Marks(used, least, most, min > 0 ? min : pre, max, above);
    }
    return new Marks(used, pre, pre, min, max, above);
  }

  /** The target of one pass, waiting pods apart. */
  int target() {
    return Math.max(min, used + high) + above;
  }

  /** Missing addresses (2.2). */
  int needed(int available) {
    int needed = Math.max(pre - (available - used), min > 0 ? min - available : 0);
    if (max > 0 && available + needed > max) {
      needed = max - available;
    }
    return Math.max(needed, 0);
  }

  /** Surplus addresses (2.3). */
  int excess(int available) {
    int floor = min + above;
    if (used <= floor) {
      if (available <= floor) {
        return 0;
      }
      if (used + high <= floor) {
        return available - floor;
      }
    }
    return Math.max(available - used - high - above, 0);
  }
}
