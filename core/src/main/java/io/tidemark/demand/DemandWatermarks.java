package io.tidemark.demand;

import java.math.BigDecimal;
import java.time.Duration;

/**
 * Spare addresses that a node should have, from its demand and the time that its next addresses
 * take. A node asks for addresses when fewer than {@code low} are free, for so many that {@code
 * target} are, and gives back what has been above {@code high} for long enough.
 *
 * @param low the growth within one lead time
 * @param target the growth within two lead times, at least 128 seconds: one request for many pods
 * @param high the growth within 2,048 seconds: what is above would not be asked for again soon
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
    /** Too few pods were seen yet, so the static number holds at least. */
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
   * @param preAllocate the static number, the least until the forecast is sure
   */
  public static DemandWatermarks of(
      GrowthForecast forecast, Duration leadTime, DemandSettings settings, int preAllocate) {
    if (!forecast.isKnown()) {
      int kept = settings.bounded(preAllocate);
      return new DemandWatermarks(kept, kept, kept, leadTime, Basis.STATIC);
    }
    double grown = Math.max(forecast.within(leadTime), forecast.onNew());
    double low = forecast.isSure() ? grown : Math.max(grown, preAllocate);
    double next = Math.max(forecast.within(BATCH), forecast.within(leadTime.multipliedBy(2)));
    double target = Math.max(low, next);
    double high = Math.max(target, forecast.within(KEEP));
    return new DemandWatermarks(
        settings.bounded(low),
        settings.bounded(target),
        settings.bounded(high),
        leadTime,
        basis(low, grown, forecast, settings));
  }

  /**
   * The same of a node that was there before learning began: what its pods needed until then is not
   * known, so it keeps as much as the settings allow for 2,048 seconds.
   *
   * @param learned time since learning began
   */
  public DemandWatermarks keeping(Duration learned, DemandSettings settings) {
    return learned.compareTo(KEEP) < 0
        ? new DemandWatermarks(low, target, settings.spareMax(), leadTime, basis)
        : this;
  }

  /** Why a node keeps {@code low} spare addresses, in one sentence. */
  public String text(DemandSettings settings) {
    String share =
        BigDecimal.valueOf(settings.quantile())
            .movePointRight(2)
            .stripTrailingZeros()
            .toPlainString();
    String time = leadTime.toSeconds() + " s until more can be used";
    return switch (basis) {
      case GROWTH -> low + " cover " + share + " % of pods in the " + time;
      case NEW_NODE -> low + " cover the first minutes of " + share + " % of pods on new nodes";
      case STATIC -> low + " until enough pods show the demand of the node's group";
      case SPARE_MIN -> low + ", the least that demand-spare-min allows";
      case SPARE_MAX -> low + ", the most that demand-spare-max allows";
    };
  }

  private static Basis basis(
      double low, double grown, GrowthForecast forecast, DemandSettings settings) {
    if (low >= settings.spareMax()) {
      return Basis.SPARE_MAX;
    }
    if (low > grown) {
      return Basis.STATIC;
    }
    if (low < settings.spareMin()) {
      return Basis.SPARE_MIN;
    }
    return low <= forecast.onNew() ? Basis.NEW_NODE : Basis.GROWTH;
  }
}
