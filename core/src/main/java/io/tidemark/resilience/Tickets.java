package io.tidemark.resilience;

import io.tidemark.time.TimeSource;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** Gives every call its place in time and its request token. Thread-safe. */
final class Tickets {
  private static final HexFormat HEX = HexFormat.of();

  private final TimeSource time;
  private final RandomGenerator random;
  private final AtomicLong arrivals = new AtomicLong();

  /**
   * @param random safe for use by several threads
   */
  Tickets(TimeSource time, RandomGenerator random) {
    this.time = time;
    this.random = random;
  }

  Arrival arrival() {
    return new Arrival(time.nanos(), arrivals.getAndIncrement());
  }

  /** 32 hexadecimal digits. */
  String requestToken() {
    return HEX.toHexDigits(random.nextLong()) + HEX.toHexDigits(random.nextLong());
  }
}
