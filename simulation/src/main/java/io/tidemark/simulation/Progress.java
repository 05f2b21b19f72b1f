package io.tidemark.simulation;

import java.time.Duration;

/** Receives the progress of a run; called from time to time on the run's thread. */
@FunctionalInterface
public interface Progress {
  /** Ignores everything. */
  Progress SILENT = (elapsed, planned, nodes, full) -> {};

  /**
   * The run goes on.
   *
   * @param elapsed virtual time so far
   * @param planned virtual time of the scenario, settling apart
   * @param nodes nodes that exist
   * @param full nodes that have reached their water mark
   */
  void at(Duration elapsed, Duration planned, int nodes, int full);
}
