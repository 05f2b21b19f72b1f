package io.tidemark.metrics;

import java.time.Duration;

/** Measurements of the cloud door per kind of request. Thread-safe; never blocks. */
public interface CloudApiMetrics {
  /** One attempt ended; {@code responseCode} is {@code OK} or a failure condition. */
  void attempt(String operation, String responseCode, Duration took);

  /** A token was granted after {@code waited}, or waited for in vain for so long. */
  void rateLimited(String operation, Duration waited);

  /** A request was sent once more after a failure. */
  void retried(String operation);

  /**
   * Whether requests are held back because the cloud failed too often.
   *
   * @param effect {@code reads} or {@code changes}: which requests
   */
  void heldBack(String effect, boolean held);

  /** Current estimate of the cloud's refill. */
  void rate(String operation, double callsPerSecond);

  /** Metrics of what a provider does with interfaces, under the same prefix. */
  default InterfaceMetrics interfaces() {
    return NoMetrics.INTERFACES;
  }
}
