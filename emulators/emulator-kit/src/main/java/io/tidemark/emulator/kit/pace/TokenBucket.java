package io.tidemark.emulator.kit.pace;

import java.time.Duration;
import java.time.Instant;

/**
 * One bucket: full at first, refilled evenly, never above its capacity. Counts in billionths of a
 * token. Not thread-safe.
 */
public final class TokenBucket {
  private static final long TOKEN = 1_000_000_000L;

  /** Longer quiet times than this change nothing: every bucket is full long before. */
  private static final long QUIET_MAX_NANOS = Duration.ofDays(1).toNanos();

  private final BucketSize size;
  private long level;
  private Instant at;

  public TokenBucket(BucketSize size, Instant now) {
    this.size = size;
    this.level = size.capacity() * TOKEN;
    this.at = now;
  }

  /** Takes {@code tokens}, all or none. */
  public boolean take(int tokens, Instant now) {
    refill(now);
    long wanted = tokens * TOKEN;
    if (level < wanted) {
      return false;
    }
    level -= wanted;
    return true;
  }

  /** Takes up to {@code tokens} for somebody who is never refused. */
  public void drain(double tokens, Instant now) {
    refill(now);
    level = Math.max(0, level - (long) (tokens * TOKEN));
  }

  /** Whole tokens that are left. */
  public int tokens(Instant now) {
    refill(now);
    return (int) (level / TOKEN);
  }

  /** How long until there is a token; zero when there is one. */
  public Duration untilToken(Instant now) {
    refill(now);
    long missing = Math.max(0, TOKEN - level);
    return Duration.ofNanos((long) Math.ceil(missing / size.refillPerSecond()));
  }

  private void refill(Instant now) {
    if (now.isAfter(at)) {
      Duration quiet = Duration.between(at, now);
      long nanos =
          quiet.compareTo(Duration.ofNanos(QUIET_MAX_NANOS)) > 0
              ? QUIET_MAX_NANOS
              : quiet.toNanos();
      long back = (long) (nanos * size.refillPerSecond());
      level = Math.min(size.capacity() * TOKEN, level + back);
      at = now;
    }
  }
}
