package io.tidemark.simulation.demand;

import io.tidemark.demand.DemandSettings;

/**
 * Mode {@code demand} and the best static numbers over the same pods.
 *
 * @param demand the figures of mode {@code demand}
 * @param equal the least static number with which no more pods wait, or the largest one
 * @param bearable the least one with which at most one pod in a thousand waits, or the largest
 */
public record DemandTrial(
    String workload, long seed, TrialFigures demand, Static equal, Static bearable) {
  /** With so many spare addresses, every node of the bundled workloads is full. */
  private static final int STATIC_MAX = 128;

  private static final double BEARABLE_SHARE = 0.001;

  /** The figures of one static number. */
  public record Static(int preAllocate, TrialFigures figures) {}

  /** Simulates a day of a workload with mode {@code demand}, and searches the static numbers. */
  public static DemandTrial of(Workload workload, DemandSettings settings, long seed) {
    PodTrace trace = TraceMaker.trace(workload, seed);
    TrialFigures demand = TrialRun.of(workload, trace, new TrialPolicy.Demand(settings), seed);
    return new DemandTrial(
        workload.name(),
        seed,
        demand,
        least(workload, trace, seed, demand.waitedShare()),
        least(workload, trace, seed, BEARABLE_SHARE));
  }

  /**
   * Halves what is left, as if more spare addresses never made more pods wait. Latencies are drawn
   * in the order of requests, so a number next to the result may do as well.
   */
  private static Static least(Workload workload, PodTrace trace, long seed, double waitedShare) {
    int above = 0;
    Static best = run(workload, trace, STATIC_MAX, seed);
    while (best.preAllocate() - above > 1) {
      Static middle = run(workload, trace, (above + best.preAllocate()) / 2, seed);
      if (middle.figures().waitedShare() <= waitedShare) {
        best = middle;
      } else {
        above = middle.preAllocate();
      }
    }
    return best;
  }

  private static Static run(Workload workload, PodTrace trace, int preAllocate, long seed) {
    TrialPolicy policy = new TrialPolicy.Static(preAllocate);
    return new Static(preAllocate, TrialRun.of(workload, trace, policy, seed));
  }
}
