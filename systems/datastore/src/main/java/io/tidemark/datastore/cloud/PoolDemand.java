package io.tidemark.datastore.cloud;

import io.tidemark.datastore.DatastoreStats;
import io.tidemark.datastore.plan.Pending;
import io.tidemark.datastore.plan.WarmTargets;
import io.tidemark.demand.DemandSettings;
import io.tidemark.demand.DemandWatermarks;
import io.tidemark.demand.GroupDemand;
import io.tidemark.demand.NodeDemand;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The demand of a card's pods since the start. The node is a group of its own. Not thread-safe. */
final class PoolDemand {
  /** Spare addresses until enough pods were seen, as far as the settings allow. */
  static final int UNTIL_SURE = 8;

  /** Addresses above the high watermark for so long are given back. */
  static final Duration RELEASE_DELAY = Duration.ofMinutes(3);

  /** Nothing is known of the first minutes of nodes. */
  private static final Duration AGE = Duration.ofDays(1);

  private final DemandSettings settings;
  private @Nullable NodeDemand learned;
  private long learnsFrom;
  private long fewSince;

  /** Watermarks and the warm targets that follow them now. */
  record Spare(DemandWatermarks watermarks, WarmTargets warm) {}

  PoolDemand(DemandSettings settings) {
    this.settings = settings;
  }

  /**
   * The spare addresses that the card should have now. A pod needs another address than one that
   * cools, so these count as used; those that cool since the start count as free, as in plans.
   *
   * @param configured has the minimum
   * @param waiting pods that found no address
   * @param leadTime of the next step
   */
  Spare observe(
      WarmTargets configured,
      DatastoreStats stats,
      Pending pending,
      int waiting,
      Duration leadTime,
      long now) {
    int used = stats.assigned() + stats.cooling() - pending.cooling() + waiting;
    NodeDemand node = learned;
    if (node == null) {
      node = new NodeDemand(new GroupDemand(now), used, AGE, now);
      learned = node;
      learnsFrom = now;
      fewSince = now;
    }
    node.observe(used, now);
    DemandWatermarks watermarks =
        DemandWatermarks.of(node.forecast(settings.quantile(), now), leadTime, settings, UNTIL_SURE)
            .keeping(Duration.ofNanos(now - learnsFrom), settings);
    long free = stats.usable() + pending.addresses() + pending.cooling();
    fewSince = free - waiting > watermarks.high() ? fewSince : now;
    boolean releases = now - fewSince >= RELEASE_DELAY.toNanos();
    return new Spare(watermarks, configured.following(watermarks, free, waiting, releases));
  }
}
