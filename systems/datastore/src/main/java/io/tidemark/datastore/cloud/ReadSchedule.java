package io.tidemark.datastore.cloud;

import io.tidemark.time.BackoffPolicy;
import io.tidemark.time.BackoffState;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** When the cloud is read. Mutable and not thread-safe; times are monotonic, in nanoseconds. */
final class ReadSchedule {
  /** As long after the last change, or the last read, the cloud is read again. */
  static final Duration EVERY = Duration.ofSeconds(60);

  /** A node that changes all the time is compared at least so often. */
  static final Duration EVERY_AT_LEAST = Duration.ofMinutes(5);

  private static final BackoffPolicy RETRY =
      new BackoffPolicy(
          Duration.ofSeconds(1), 2, Duration.ofMinutes(1), true, true, Duration.ofMinutes(10));

  private final RandomGenerator random;
  private BackoffState failures = BackoffState.NONE;
  private boolean underWay;
  private int done;
  private boolean wanted;
  private long asked;
  private long firstAnswered;
  private long lastAnswered;
  private long notBefore;
  private long wantedSince;

  ReadSchedule(RandomGenerator random) {
    this.random = random;
  }

  /** Only what a read says from now on tells how a request ended. */
  void want(long now) {
    wanted = true;
    wantedSince = now;
  }

  boolean isWanted() {
    return wanted;
  }

  /** Whether the cloud has answered a read. */
  boolean isDone() {
    return done > 0;
  }

  /** Whether a read that began late enough has shown whether the first one lagged behind. */
  boolean isConfirmed() {
    return done > 1;
  }

  boolean isUnderWay() {
    return underWay;
  }

  /**
   * Whether a read begins now. The first one is followed by another soon, since it may show what
   * the program before has given back.
   *
   * @param lastChange when the pool changed last
   * @param doubt whether something is missing that a second read decides about
   */
  boolean isDue(long now, long lastChange, boolean doubt) {
    if (underWay || (failures.failures() > 0 && now - notBefore < 0)) {
      return false;
    }
    long since = now - lastAnswered;
    return done == 0
        || wanted
        || (done == 1 && now - firstAnswered >= ReadLagHistory.LAG_MAX.toNanos())
        || (doubt && since >= ReadLagHistory.LAG_MAX.toNanos())
        || (since >= EVERY.toNanos() && now - lastChange >= EVERY.toNanos())
        || since >= EVERY_AT_LEAST.toNanos();
  }

  void began(long now) {
    underWay = true;
    asked = now;
  }

  void answered(long now) {
    underWay = false;
    lastAnswered = asked;
    if (done == 0) {
      done = 1;
      firstAnswered = now;
    } else if (asked - firstAnswered >= ReadLagHistory.LAG_MAX.toNanos()) {
      done = 2;
    }
    wanted = wanted && asked - wantedSince < 0;
    failures = BackoffState.NONE;
  }

  void failed(long now) {
    underWay = false;
    failures = failures.failed(RETRY, now);
    Duration pause = RETRY.pause(failures.failures(), random);
    notBefore = now + pause.toNanos();
  }
}
