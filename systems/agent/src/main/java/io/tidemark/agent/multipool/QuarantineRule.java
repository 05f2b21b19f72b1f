package io.tidemark.agent.multipool;

import java.time.Duration;

/**
 * When a block may be drawn from after it was taken up (A82).
 *
 * @param promptWithin a block that was never dropped and is listed this soon after it was first
 *     seen is drawn from at once: no release of it can have begun
 * @param pause how long any other is not drawn from after it was listed, longer than a release can
 *     take that began before
 */
public record QuarantineRule(Duration promptWithin, Duration pause) {
  /** Two seconds above the update rate, and {@code reclaim-quarantine}. */
  public static QuarantineRule of(Duration updateRate, Duration pause) {
    return new QuarantineRule(updateRate.plusSeconds(2), pause);
  }
}
