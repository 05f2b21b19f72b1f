package io.tidemark.agent;

import java.time.Duration;

/**
 * How long a released address is kept from other owners. A client that was connecting to the pod
 * that had the address goes on trying for 120 seconds, and must not reach a stranger.
 *
 * @param pause how long a released address is not handed out while another is free; zero for no
 *     pause
 * @param floor how long it is not handed out even when no other is free; not above the pause
 */
public record CoolingRule(Duration pause, Duration floor) {
  /** 130 seconds, and no floor: never fewer addresses than without a pause. */
  public static final CoolingRule DEFAULT = new CoolingRule(Duration.ofSeconds(130), Duration.ZERO);

  /** A released address is free at once. */
  public static final CoolingRule OFF = new CoolingRule(Duration.ZERO, Duration.ZERO);

  public CoolingRule {
    if (floor.isNegative()) {
      throw new IllegalArgumentException("ip-cooldown-floor is " + floor + "; expected 0 or more");
    }
    if (floor.compareTo(pause) > 0) {
      throw new IllegalArgumentException(
          "ip-cooldown-floor is " + floor + "; expected at most ip-cooldown, which is " + pause);
    }
  }
}
