package io.tidemark.simulation.demand;

/**
 * The results of a policy, from the second hour on.
 *
 * @param pods that arrived
 * @param waited of them, those that found no address
 * @param idle mean number of addresses that no pod had
 * @param requests to the cloud
 * @param meanWaitSeconds of those that waited
 */
public record TrialFigures(
    long pods, long waited, double idle, long requests, double meanWaitSeconds) {
  /** The share of pods that waited. */
  public double waitedShare() {
    return (double) waited / Math.max(1, pods);
  }

  /** Requests for each pod that arrived. */
  public double requestsPerPod() {
    return (double) requests / Math.max(1, pods);
  }
}
