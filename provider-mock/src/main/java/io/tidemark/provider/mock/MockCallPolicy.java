package io.tidemark.provider.mock;

import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallLimits;
import io.tidemark.resilience.CallPolicy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The provider's facts about this cloud for {@code CloudCalls}: pacing and meaning of errors. */
final class MockCallPolicy {
  private static final Duration ATTEMPT_TIMEOUT = Duration.ofSeconds(10);
  private static final int ATTEMPTS = 3;

  /** Faster than any caller: a cloud without buckets is not paced. */
  private static final double UNLIMITED_PER_SECOND = 1e6;

  private static final int UNLIMITED_BURST = 1_000_000;

  private MockCallPolicy() {}

  /** The documented buckets times {@code bucketScale}; 0 for a cloud without limits. */
  static CallPolicy of(double bucketScale) {
    Map<CallKind, CallLimits> limits = new HashMap<>();
    for (CloudOperation operation : CloudOperation.values()) {
      limits.put(
          operation.kind(),
          bucketScale == 0
              ? new CallLimits(UNLIMITED_PER_SECOND, UNLIMITED_BURST, ATTEMPT_TIMEOUT, ATTEMPTS)
              : new CallLimits(
                  operation.refillPerSecond() * bucketScale,
                  (int) Math.max(1, operation.bucketSize() * bucketScale),
                  ATTEMPT_TIMEOUT,
                  ATTEMPTS));
    }
    return new CallPolicy("mock", limits, new MockFailureClassifier());
  }
}
