package io.tidemark.simulation;

import io.tidemark.simulation.store.Sight;
import java.time.Duration;

/**
 * How a dead operator is replaced.
 *
 * @param pause time until the next operator begins
 * @param elected whether the next operator begins after an election, which is not simulated: it
 *     knows that no other operator writes
 * @param sight what the next operator sees of the store
 * @param late how long after the next one began a request arrives that was on the way when the
 *     first one died ({@link CrashPoint.Moment#LATE})
 */
public record Succession(Duration pause, boolean elected, Sight sight, Duration late) {
  /** A restart with a complete view. */
  public static final Succession RESTART =
      new Succession(Duration.ofSeconds(3), false, Sight.CLEAR, Duration.ZERO);

  /** Another operator takes over when the lease expires, with a complete view. */
  public static final Succession TAKE_OVER =
      new Succession(Duration.ofSeconds(16), true, Sight.CLEAR, Duration.ZERO);

  /** The same with another view of the store. */
  public Succession seeing(Sight other) {
    return new Succession(pause, elected, other, late);
  }

  /** The same with a request that arrives late. */
  public Succession with(Duration lateRequest) {
    return new Succession(pause, elected, sight, lateRequest);
  }
}
