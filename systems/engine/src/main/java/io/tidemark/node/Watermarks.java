package io.tidemark.node;

import io.tidemark.demand.DemandWatermarks;
import io.tidemark.resource.IpamSpec;
import java.util.OptionalInt;

/**
 * Effective pool targets of one node, defaults applied (node-manager 2.1). Every number counts
 * addresses, never blocks; negative ones pass through (N2); no ceiling is empty (N10). Pure.
 *
 * @param target spare addresses after a request; pre-allocate and max-above-watermark, or more
 * @param high spare addresses above which some are released, the same or more
 */
record Watermarks(
    int preAllocate,
    int minAllocate,
    OptionalInt ceiling,
    int maxAboveWatermark,
    long target,
    long high) {
  /** The value of a missing pre-allocate. */
  static final int DEFAULT_PRE_ALLOCATE = 8;

  /** Static watermarks. */
  Watermarks(int preAllocate, int minAllocate, OptionalInt ceiling, int maxAboveWatermark) {
    this(
        preAllocate,
        minAllocate,
        ceiling,
        maxAboveWatermark,
        (long) preAllocate + maxAboveWatermark,
        (long) preAllocate + maxAboveWatermark);
  }

  /**
   * Applies the defaults.
   *
   * @param instanceCeiling what the instance can hold; counts when max-allocate does not
   */
  static Watermarks of(IpamSpec spec, OptionalInt instanceCeiling) {
    return new Watermarks(
        spec.preAllocate() == 0 ? DEFAULT_PRE_ALLOCATE : spec.preAllocate(),
        spec.minAllocate(),
        spec.maxAllocate() > 0 ? OptionalInt.of(spec.maxAllocate()) : instanceCeiling,
        spec.maxAboveWatermark());
  }

  /**
   * With the spare addresses of {@code demand}, and as many addresses as the agent needs to start
   * (1.5).
   */
  Watermarks following(DemandWatermarks demand) {
    return new Watermarks(
        demand.low(),
        minAllocate > 0 ? minAllocate : preAllocate,
        ceiling,
        maxAboveWatermark,
        (long) demand.target() + maxAboveWatermark,
        (long) demand.high() + maxAboveWatermark);
  }

  /** Addresses missing (2.2); never negative. */
  int needed(int available, int used) {
    long needed = (long) preAllocate - ((long) available - used);
    if (minAllocate > 0) {
      needed = Math.max(needed, (long) minAllocate - available);
    }
    if (ceiling.isPresent() && available + needed > ceiling.getAsInt()) {
      needed = (long) ceiling.getAsInt() - available;
    }
    return saturated(needed);
  }

  /** Addresses missing if no ceiling held; never negative. */
  int neededUncapped(int available, int used) {
    return new Watermarks(preAllocate, minAllocate, OptionalInt.empty(), maxAboveWatermark)
        .needed(available, used);
  }

  /**
   * Addresses missing on a node that takes no new pods: for its agent to start (1.5), for the floor
   * and for pods that wait, and never more than {@link #needed}.
   */
  int neededWhenClosed(int available, int used, int pendingPods) {
    long start = (long) preAllocate - available;
    long floor = (long) minAllocate - available;
    long waiting = pendingPods - ((long) available - used);
    long least = Math.max(start, Math.max(floor, waiting));
    return Math.min(needed(available, used), saturated(least));
  }

  /** Of the addresses that the watermarks ask for, those that the ceiling forbids. */
  int heldBack(int available, int used) {
    return neededUncapped(available, used) - needed(available, used);
  }

  /** Surplus addresses (2.3); never negative. */
  int excess(int available, int used) {
    long floor = (long) minAllocate + maxAboveWatermark;
    if (used <= floor) {
      if (available <= floor) {
        return 0;
      }
      if (used + high - maxAboveWatermark <= floor) {
        return saturated(available - floor);
      }
    }
    return saturated((long) available - used - high);
  }

  /** Surplus beyond max(m + w, u + p + w), the dead band of D-12; never negative. */
  int excessWithHysteresis(int available, int used) {
    long keep = Math.max((long) minAllocate + maxAboveWatermark, used + high);
    return saturated(available - keep);
  }

  /**
   * The addresses that a pass requests (2.4): needed, the extra of each pass or what is then still
   * missing up to the target, and pods that wait beyond it.
   */
  int wanted(int available, int used, int needed, int pendingPods) {
    long surge = Math.max(0, (long) pendingPods - needed);
    long missing = target - ((long) available - used) - needed;
    long extra = Math.max(maxAboveWatermark, Math.min(target - preAllocate, missing));
    return saturated(needed + extra + surge);
  }

  /** Free addresses at which a node counts as supplied: no more than it can have; 1 or more. */
  int reserve() {
    return Math.max(1, Math.min(preAllocate, ceiling.orElse(preAllocate)));
  }

  /** The most addresses that may be added (NM-M1); empty for no limit. */
  OptionalInt room(int available) {
    return ceiling.isPresent()
        ? OptionalInt.of(Math.max(0, ceiling.getAsInt() - available))
        : OptionalInt.empty();
  }

  private static int saturated(long value) {
    return (int) Math.max(0, Math.min(Integer.MAX_VALUE, value));
  }
}
