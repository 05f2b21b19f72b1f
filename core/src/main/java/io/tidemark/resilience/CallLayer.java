package io.tidemark.resilience;

import java.util.function.Consumer;

/** One concern on the way of a request to the wire. Thread-safe. */
interface CallLayer {
  /**
   * Sends a request on its way; never throws.
   *
   * @param end hears exactly once how it ended, possibly before this returns
   */
  <T> InFlight start(Request<T> request, Consumer<Ended<T>> end);
}
