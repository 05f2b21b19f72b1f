package io.tidemark.resilience;

import java.util.function.Consumer;

/**
 * One concern on the way of a request to the wire. A layer owns its state and its metrics, and
 * knows the next layer alone. Thread-safe.
 */
interface CallLayer {
  /**
   * Sends a request on its way; never throws.
   *
   * @param end told exactly once how the request ended, possibly before this returns
   */
  <T> InFlight start(Request<T> request, Consumer<Ended<T>> end);

  /** A request that was started and can be stopped. */
  @FunctionalInterface
  interface InFlight {
    /** Has ended already. */
    InFlight OVER = cause -> {};

    /**
     * Ends the request now, wherever it is; does nothing after its end. The end is told before this
     * returns, or soon after by the thread that is just moving the request on.
     */
    void stop(StopCause cause);
  }

  /** Why a call is ended from outside. */
  enum StopCause {
    /** Its owner no longer wants it. */
    CANCELLED,
    /** Its deadline has come. */
    DEADLINE
  }

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

    /** Whether it failed in this way. */
    boolean failedAs(Failure.Kind kind) {
      return result.match(answer -> false, failure -> failure.kind() == kind);
    }
  }
}
