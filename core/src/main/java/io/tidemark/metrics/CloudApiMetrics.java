package io.tidemark.metrics;

import java.time.Duration;

/** What the cloud door measures per kind of request. Thread-safe; never blocks. */
public interface CloudApiMetrics {
  /** One attempt ended; {@code responseCode} is {@code OK} or a failure condition. */
  void attempt(String operation, String responseCode, Duration took);

  /** A token was granted after {@code waited}. */
  void rateLimited(String operation, Duration waited);

  /** Current estimate of the cloud's refill. */
  void rate(String operation, double callsPerSecond);
}
