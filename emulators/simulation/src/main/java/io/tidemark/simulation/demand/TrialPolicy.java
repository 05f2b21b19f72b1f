package io.tidemark.simulation.demand;

import io.tidemark.demand.DemandSettings;
import io.tidemark.demand.DemandWatermarks;
import io.tidemark.demand.GrowthKind;
import io.tidemark.demand.LeadTimes;
import java.time.Duration;

/** How many spare addresses nodes have. */
sealed interface TrialPolicy {
  /** The addresses with which an agent starts: the pre-allocate of its node's object. */
  int start();

  /** The max-above-watermark of every node. */
  int above();

  /** The watermarks of a node now. */
  DemandWatermarks watermarks(TrialNode node, LeadTimes leadTimes, long nowNanos);

  /** The same numbers for every node: pre-allocate, and max-above-watermark. */
  record Static(int start, int above) implements TrialPolicy {
    @Override
    public DemandWatermarks watermarks(TrialNode node, LeadTimes leadTimes, long nowNanos) {
      int most = start + above;
      return new DemandWatermarks(start, most, most, Duration.ZERO, DemandWatermarks.Basis.STATIC);
    }
  }

  /** As many as each node's pods, and those of its group, lead to expect, and so many above. */
  record Demand(DemandSettings settings, int above) implements TrialPolicy {
    @Override
    public int start() {
      return 8;
    }

    @Override
    public DemandWatermarks watermarks(TrialNode node, LeadTimes leadTimes, long nowNanos) {
      GrowthKind next = node.room() > 0 ? GrowthKind.ADDRESSES : GrowthKind.INTERFACE;
      DemandWatermarks marks =
          DemandWatermarks.of(
              node.demand().forecast(settings.quantile(), nowNanos),
              leadTimes.withReport(next),
              settings,
              start());
      return new DemandWatermarks(
          marks.low(),
          marks.target() + above,
          marks.high() + above,
          marks.leadTime(),
          marks.basis());
    }
  }
}
