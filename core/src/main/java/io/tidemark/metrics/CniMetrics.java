package io.tidemark.metrics;

import java.time.Duration;

/** Measurements of answers to CNI plugins (allocators 22.8). Thread-safe; never blocks. */
public interface CniMetrics {
  /**
   * A request was answered.
   *
   * @param command that of the specification, such as {@code ADD}; {@code other} for any other text
   * @param code that of the failure; 0 for a result
   * @param took from the whole request to the answer, waiting for an address included
   */
  void answered(String command, int code, Duration took);

  /** So many ADDs wait for an address now. */
  void waiting(int pods);
}
