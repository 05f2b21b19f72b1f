package io.tidemark.demand;

import java.time.Duration;

/**
 * Spare addresses that a node should have, from its demand and the time that its next addresses
 * take. A node asks for addresses when fewer than {@code low} are free, for so many that {@code
 * target} are, and gives back what has been above {@code high} for long enough.
 *
 * @param low the growth within one lead time
 * @param target the growth within the next lead times, so that one request serves many pods
 * @param high the growth within half an hour: what is above would not be asked for again soon
 * @param leadTime from a pod's arrival until addresses that are asked for then can be used
 * @param basis what decided {@code low}
 */
public record DemandWatermarks(int low, int target, int high, Duration leadTime, Basis basis) {
  /** A request covers the growth of at least this time. */
  private static final Duration BATCH = Duration.ofSeconds(128);

  /** Addresses that would be asked for again within this time are kept. */
  private static final Duration KEEP = Duration.ofSeconds(2048);

  /** The reason of a node's spare addresses. */
  public enum Basis {
    /** The pods that arrived on the node and in its group. */
    GROWTH,
    /** The first minutes of other nodes of the group. */
    NEW_NODE,
    /** Nothing was seen yet, so the static number holds. */
    STATIC,
    /** The least that is configured. */
    SPARE_MIN,
    /** The most that is configured. */
    SPARE_MAX
  }

  /**
   * The watermarks of a node. Pure.
   *
   * @param leadTime of the step that its next growth needs, and of the agent's report
   * @param preAllocate the static number, while there is no forecast
   */
  public static DemandWatermarks of(
      GrowthForecast forecast, Duration leadTime, DemandSettings settings, int preAllocate) {
    if (!forecast.isKnown()) {
      return new DemandWatermarks(preAllocate, preAllocate, preAllocate, leadTime, Basis.STATIC);
    }
    double low = Math.max(forecast.within(leadTime), forecast.onNew());
    Duration next = longer(leadTime.multipliedBy(2), BATCH);
    double target = Math.max(low, forecast.within(next));
    double high = Math.max(target, forecast.within(longer(next, KEEP)));
    return new DemandWatermarks(
        settings.bounded(low),
        settings.bounded(target),
        settings.bounded(high),
        leadTime,
        basis(low, forecast, settings));
  }

  private static Basis basis(double low, GrowthForecast forecast, DemandSettings settings) {
    if (low > settings.spareMax()) {
      return Basis.SPARE_MAX;
    }
    if (low < settings.spareMin()) {
      return Basis.SPARE_MIN;
    }
    return low <= forecast.onNew() ? Basis.NEW_NODE : Basis.GROWTH;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? other : one;
  }
}
