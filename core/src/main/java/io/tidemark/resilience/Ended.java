package io.tidemark.resilience;

/**
 * How a request ended on its way through the layers.
 *
 * @param byUs whether our own rules ended it, not the cloud's answer or silence: such an end is
 *     neither repeated nor counted against the cloud
 */
record Ended<T>(CallResult<T> result, boolean byUs) {
  /** The cloud answered, or did not answer in time. */
  static <T> Ended<T> byCloud(CallResult<T> result) {
    return new Ended<>(result, false);
  }

  /** We did not send it, or gave it up. */
  static <T> Ended<T> byUs(Failure failure) {
    return new Ended<>(new CallResult.Failed<>(failure), true);
  }
}
