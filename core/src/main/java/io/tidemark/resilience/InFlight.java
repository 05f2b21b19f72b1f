package io.tidemark.resilience;

/** A request that was started and may be stopped. */
@FunctionalInterface
interface InFlight {
  /** Has ended already. */
  InFlight OVER = cause -> {};

  /**
   * Ends it now, wherever it is; does nothing when it has ended. Its end is told before this
   * returns, or soon after by the thread that is just moving it on.
   */
  void stop(StopCause cause);
}
