package io.tidemark.simulation.demand;

import io.tidemark.demand.DemandSettings;
import java.util.function.IntFunction;

/**
 * Mode {@code demand} and the best static numbers over the same pods.
 *
 * @param above max-above-watermark, the same on both sides
 * @param demand the figures of mode {@code demand}
 * @param equal the least static number with which no more pods wait, or the largest one
 * @param bearable the least one with which at most one pod in a thousand waits, or the largest
 */
public record DemandTrial(
    String workload, long seed, int above, TrialFigures demand, Static equal, Static bearable) {
  /** With so many spare addresses, every node of the bundled workloads is full. */
  private static final int STATIC_MAX = 128;

  private static final double BEARABLE_SHARE = 0.001;

  /** The figures of one static number. */
  public record Static(int preAllocate, TrialFigures figures) {}

  /** Simulates a day of a workload with mode {@code demand}, and searches the static numbers. */
  public static DemandTrial of(Workload workload, DemandSettings settings, int above, long seed) {
    PodTrace trace = TraceMaker.trace(workload, seed);
    TrialPolicy policy = new TrialPolicy.Demand(settings, above);
    TrialFigures demand = TrialRun.of(workload, trace, policy, seed);
    IntFunction<Static> runs =
        pre ->
            new Static(pre, TrialRun.of(workload, trace, new TrialPolicy.Static(pre, above), seed));
    return new DemandTrial(
        workload.name(),
        seed,
        above,
        demand,
        least(runs, demand.waitedShare()),
        least(runs, BEARABLE_SHARE));
  }

  /**
   * Halves what is left, as if more spare addresses never made more pods wait. Latencies are drawn
   * in the order of requests, so a number next to the result may do as well.
   */
  private static Static least(IntFunction<Static> runs, double waitedShare) {
    int tooFew = 0;
    Static best = runs.apply(STATIC_MAX);
    while (best.preAllocate() - tooFew > 1) {
      Static middle = runs.apply((tooFew + best.preAllocate()) / 2);
      if (middle.figures().waitedShare() <= waitedShare) {
        best = middle;
      } else {
        tooFew = middle.preAllocate();
      }
    }
    return best;
  }
}
