package io.tidemark.resilience;

/**
 * The lessons of throttles for an {@link AdaptiveBucket}, as a value. The cloud's bucket is empty
 * at every throttle, so what it let through between two of them is what it was refilled with.
 *
 * @param ever whether there was one
 * @param recent whether the last one is less than 30 s ago
 * @param lastNanos instant of the last one
 * @param cutNanos instant of the last one that cut the rate
 * @param probedNanos instant of the last success or throttle
 * @param idle whether calls were not held back for a while since {@code cutNanos}
 * @param successes since {@code cutNanos}
 * @param perSecond moving average of successes over the times between two cuts; not a number before
 *     it was measured
 */
record ThrottleHistory(
    boolean ever,
    boolean recent,
    long lastNanos,
    long cutNanos,
    long probedNanos,
    boolean idle,
    int successes,
    double perSecond) {
  static final ThrottleHistory NONE =
      new ThrottleHistory(false, false, 0, 0, 0, false, 0, Double.NaN);

  /** A call was let through. */
  ThrottleHistory success(long nanos) {
    return ever
        ? new ThrottleHistory(
            true, recent, lastNanos, cutNanos, nanos, idle, successes + 1, perSecond)
        : this;
  }

  /** A throttle that does not cut. */
  ThrottleHistory again(long nanos) {
    return new ThrottleHistory(true, true, nanos, cutNanos, nanos, idle, successes, perSecond);
  }

  /** A throttle that cuts. */
  ThrottleHistory cut(long nanos) {
    return new ThrottleHistory(true, true, nanos, nanos, nanos, false, 0, perSecond);
  }

  /** Calls are not held back: what is let through says less than what could be. */
  ThrottleHistory idled() {
    return idle
        ? this
        : new ThrottleHistory(
            ever, recent, lastNanos, cutNanos, probedNanos, true, successes, perSecond);
  }

  /** Takes the successes since the last cut into the average. */
  ThrottleHistory sampled(double seconds, double weight) {
    double sample = successes / seconds;
    double average = Double.isNaN(perSecond) ? sample : perSecond;
    double moved = average + weight * (sample - average);
    return new ThrottleHistory(
        ever, recent, lastNanos, cutNanos, probedNanos, idle, successes, moved);
  }

  /** No throttle for a while. */
  ThrottleHistory forgotten() {
    return new ThrottleHistory(
        ever, false, lastNanos, cutNanos, probedNanos, idle, successes, perSecond);
  }
}
