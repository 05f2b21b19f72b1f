package io.tidemark.resilience;

import io.tidemark.metrics.Meters;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import io.tidemark.time.TimeSource;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * The parts that the calls of all accounts of a process share. Thread-safe.
 *
 * @param random draws pauses and request tokens; safe for use by several threads
 * @param arrivals numbers the calls in the order in which they were asked for
 */
record CallEnvironment(
    CloudCallsConfig config,
    TaskScheduler scheduler,
    EffectRunner runner,
    RandomGenerator random,
    Meters metrics,
    LearnedRates learned,
    Fence fence,
    AtomicLong arrivals) {
  private static final HexFormat HEX = HexFormat.of();

  TimeSource time() {
    return scheduler.time();
  }

  /** The place in time of a call that is asked for now. */
  CallContext.Arrival arrival() {
    return new CallContext.Arrival(time().nanos(), arrivals.getAndIncrement());
  }

  /** 32 hexadecimal digits. */
  String requestToken() {
    return HEX.toHexDigits(random.nextLong()) + HEX.toHexDigits(random.nextLong());
  }
}
