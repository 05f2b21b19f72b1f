package io.tidemark.testing;

import java.time.Duration;

/**
 * When a test that runs in real time gives up: no machine that works, however busy, takes so long
 * for one step of a test.
 */
public final class Hang {
  /** {@link #LIMIT} in seconds, for {@code @Timeout} and for waits with a unit. */
  public static final long SECONDS = 120;

  /** How long a test waits for one event. */
  public static final Duration LIMIT = Duration.ofSeconds(SECONDS);

  private Hang() {}
}
