package io.tidemark.simulation;

import io.tidemark.simulation.store.Sight;
import java.time.Duration;
import java.util.Objects;

/**
 * How an operator that died is followed.
 *
 * @param pause until the next one begins
 * @param sight what the next one sees of the store
 * @param late how long after the next one began a request arrives that was on the way when the
 *     first one died ({@link CrashPoint.Moment#LATE})
 */
public record Succession(Duration pause, Sight sight, Duration late) {
  /** A restart that sees all there is. */
  public static final Succession RESTART =
      new Succession(Duration.ofSeconds(3), Sight.CLEAR, Duration.ZERO);

  public Succession {
    Objects.requireNonNull(pause, "pause");
    Objects.requireNonNull(sight, "sight");
    Objects.requireNonNull(late, "late");
  }

  /** The same with another view of the store. */
  public Succession seeing(Sight other) {
    return new Succession(pause, other, late);
  }

  /** The same with a request that arrives late. */
  public Succession with(Duration lateRequest) {
    return new Succession(pause, sight, lateRequest);
  }
}
