package io.tidemark.nodecidr;

import java.time.Duration;
import java.util.Objects;

/**
 * The pause before the next pass over one node in the modes that synchronize with a cloud: {@code
 * resync} after a success; after failures in a row {@code initialRetry}, then twice the pause
 * before each time, up to {@code maxBackoff}. The first of these pauses is not limited.
 *
 * <p>Mutable and not thread-safe: it has one owner.
 */
public final class ResyncTimeout {
  private final Duration resync;
  private final Duration maxBackoff;
  private final Duration initialRetry;
  private Duration current;
  private int failures;

  /** Before the first pass, as after a success. */
  public ResyncTimeout(Duration resync, Duration maxBackoff, Duration initialRetry) {
    this.resync = Objects.requireNonNull(resync, "resync");
    this.maxBackoff = Objects.requireNonNull(maxBackoff, "maxBackoff");
    this.initialRetry = Objects.requireNonNull(initialRetry, "initialRetry");
    this.current = resync;
  }

  /** A pass has ended well, or failed. */
  public void update(boolean ok) {
    if (ok) {
      failures = 0;
      current = resync;
      return;
    }
    failures = Math.min(failures + 1, 2);
    if (failures == 1) {
      current = initialRetry;
    } else {
      // Half of the limit or more cannot be doubled below it; so nothing overflows.
      boolean limited = current.compareTo(maxBackoff.minus(current)) >= 0;
      current = limited ? maxBackoff : current.multipliedBy(2);
    }
  }

  /** The pause from now on. */
  public Duration next() {
    return current;
  }
}
