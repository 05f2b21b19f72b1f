package io.tidemark.simulation;

import java.time.Duration;

/** Receives the progress of a run; called from time to time on the run's thread. */
@FunctionalInterface
public interface Progress {
  /** Does nothing. */
  Progress SILENT = (elapsed, planned, nodes, full) -> {};

  /**
   * Reports progress.
   *
   * @param elapsed virtual time so far
   * @param planned virtual time of the scenario, without settling
   * @param nodes nodes that exist
   * @param full nodes that reached their watermark
   */
  void at(Duration elapsed, Duration planned, int nodes, int full);
}
