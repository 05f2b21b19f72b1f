package io.tidemark.provider.aws.eni;

import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tokens of creations that ended a short while ago, whatever their ending: the next attempt of the
 * same situation comes back to the same interface, so it is nobody's litter yet. Thread-safe.
 */
final class RecentCreations {
  private final TimeSource time;
  private final ConcurrentHashMap<String, Long> endedNanos = new ConcurrentHashMap<>();

  RecentCreations(TimeSource time) {
    this.time = time;
  }

  /** A creation with this token ends now. */
  void ended(String token) {
    endedNanos.put(token, time.nanos());
  }

  boolean isWithin(Duration lately, String token) {
    Long ended = endedNanos.get(token);
    return ended != null && time.nanos() - ended < lately.toNanos();
  }

  /** Forgets what ended earlier. */
  void keep(Duration lately) {
    long now = time.nanos();
    endedNanos.values().removeIf(ended -> now - ended >= lately.toNanos());
  }
}
