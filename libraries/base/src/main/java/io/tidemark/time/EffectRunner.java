package io.tidemark.time;

import java.time.Duration;
import java.util.concurrent.Callable;

/**
 * Where blocking requests run: in production a bounded pool of threads, in a simulation a virtual
 * instant. Thread-safe; never blocks the caller.
 *
 * <p>A leaf is exactly one blocking request: no wait, no retry, no second request and no lock of
 * ours inside. It honours interruption.
 */
public interface EffectRunner {
  /**
   * Hands over one request.
   *
   * @param site names the request for faults, crash points and metrics
   * @param timeout bound of the request itself; time in the queue does not count. A leaf that
   *     outlives it is interrupted and the stage ends with a timeout
   */
  <T> Effect<T> run(EffectSite site, Duration timeout, Callable<T> leaf);
}
