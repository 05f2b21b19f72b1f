package io.tidemark.time;

/**
 * How often something failed, as a value.
 *
 * @param failures counted so far, 0 for none
 * @param pauseStartedNanos monotonic start of the last pause; meaningless while there is none
 */
public record BackoffState(int failures, long pauseStartedNanos) {
  /** Nothing failed yet. */
  public static final BackoffState NONE = new BackoffState(0, 0);

  /**
   * After one more failure, whose pause starts at {@code nowNanos}; {@link #failures} is then the
   * attempt to give to {@link BackoffPolicy#pause}.
   */
  public BackoffState failed(BackoffPolicy policy, long nowNanos) {
    boolean forgotten =
        failures > 0 && nowNanos - pauseStartedNanos > policy.resetAfter().toNanos();
    return new BackoffState(forgotten ? 1 : failures + 1, nowNanos);
  }

  /** After a success; unchanged when the policy does not forget by success. */
  public BackoffState succeeded(BackoffPolicy policy) {
    return policy.resetOnSuccess() ? NONE : this;
  }
}
