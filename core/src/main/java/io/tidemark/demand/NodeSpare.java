package io.tidemark.demand;

import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The spare addresses of one node by its demand, which is learned from the first observation on.
 * Confined to the thread that decides about the node.
 */
public final class NodeSpare {
  private final LearnedDemand cluster;
  private final DemandSettings settings;
  private final TimeSource time;
  private final String group;
  private long createdMillis;
  private @Nullable NodeDemand learned;

  /** Whether it had no pods before learning began. */
  private boolean isNew;

  private long learnsFromNanos;

  /**
   * Of a node that has not been observed yet.
   *
   * @param group name of the node's group
   * @param created when the node joined the cluster; empty if unknown, then it counts as old
   */
  public NodeSpare(
      LearnedDemand cluster,
      DemandSettings settings,
      TimeSource time,
      String group,
      Optional<Instant> created) {
    this.cluster = cluster;
    this.settings = settings;
    this.time = time;
    this.group = group;
    this.createdMillis = created.map(Instant::toEpochMilli).orElse(0L);
  }

  /** Before the first observation: the node is new, although its name is known. */
  public void replaced() {
    createdMillis = time.epochMillis();
  }

  /**
   * Takes in the pods of this moment. Those that lack an address when the node is first observed
   * have just arrived.
   *
   * @param reported addresses that pods have by the agent's last report
   * @param lacking by {@link UnreportedPods#lacking}
   * @param newest whether there is no later report; with an earlier one pods would arrive twice
   */
  public void observe(int reported, int lacking, boolean newest) {
    NodeDemand demand = learned;
    if (demand == null) {
      long ageMillis = Math.max(0, time.epochMillis() - createdMillis);
      long now = time.nanos();
      demand =
          new NodeDemand(cluster.group(group, now), reported, Duration.ofMillis(ageMillis), now);
      learned = demand;
      isNew = reported == 0 && ageMillis < GroupDemand.FIRST.toMillis();
      learnsFromNanos = now;
    }
    if (newest) {
      demand.observe(reported + lacking, time.nanos());
    }
  }

  /**
   * The watermarks of this moment; those of the static number before the first observation.
   *
   * @param next how the node's pool grows next
   * @param preAllocate the static number
   */
  public DemandWatermarks watermarks(GrowthKind next, int preAllocate) {
    NodeDemand demand = learned;
    long now = time.nanos();
    DemandWatermarks marks =
        DemandWatermarks.of(
            demand == null ? GrowthForecast.UNKNOWN : demand.forecast(settings.quantile(), now),
            cluster.leadTimes().withReport(next),
            settings,
            preAllocate);
    return isNew ? marks : marks.keeping(Duration.ofNanos(now - learnsFromNanos), settings);
  }
}
