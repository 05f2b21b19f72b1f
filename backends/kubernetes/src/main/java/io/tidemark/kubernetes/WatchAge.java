package io.tidemark.kubernetes;

import java.time.Duration;

/**
 * How long ago a watch gave its last sign of life: an object, a word about the present version, or
 * its opening. Not thread-safe.
 */
final class WatchAge {
  /** So many looks after it was ended, an open watch is another one. */
  private static final int REOPENED_LOOKS = 3;

  private final WatchPace pace;
  private boolean everOpen;
  private boolean open;
  private boolean renewing;
  private boolean late;
  private long lastSign;
  private long renewedAt;
  private long closedSince;
  private long listedAt;

  enum Step {
    NOTHING,
    /** The watch is open and silent: it is opened again. */
    RENEW,
    /** Everything is to be listed again, and watched from there. */
    LIST,
    /** It is late from now on. */
    LATE,
    /** It is not late any more. */
    IN_TIME
  }

  /** Nothing was listed and no watch is open at {@code now}. */
  WatchAge(WatchPace pace, long now) {
    this.pace = pace;
    this.listedAt = now;
  }

  void heard(long now) {
    lastSign = now;
    renewing = false;
    everOpen = true;
  }

  /** Everything was listed, by a list that was complete. */
  void listed(long now) {
    listedAt = now;
  }

  /**
   * The action at {@code now}.
   *
   * @param isOpen whether the server has accepted the watch and it has not ended since
   */
  Step look(long now, boolean isOpen) {
    boolean opened =
        isOpen
            && (!open
                || (renewing && has(pace.look().multipliedBy(REOPENED_LOOKS), renewedAt, now)));
    if (opened) {
      heard(now);
    } else if (!isOpen && open) {
      closedSince = now;
      renewing = false;
    }
    open = isOpen;
    if (!everOpen) {
      return Step.NOTHING;
    }
    boolean isGone =
        !open && has(pace.closed(), closedSince, now) && has(pace.closed(), lastSign, now);
    boolean isLate = isGone || has(pace.deadline(), lastSign, now);
    if (isLate != late) {
      late = isLate;
      return isLate ? Step.LATE : Step.IN_TIME;
    }
    if (open && !renewing && has(pace.silence(), lastSign, now)) {
      renewing = true;
      renewedAt = now;
      return Step.RENEW;
    }
    if (open && has(pace.list(), listedAt, now)) {
      listedAt = now;
      return Step.LIST;
    }
    return Step.NOTHING;
  }

  private static boolean has(Duration time, long since, long now) {
    return now - since > time.toNanos();
  }

  boolean isLate() {
    return late;
  }

  /** Whether it was open once, so that it has an age. */
  boolean isKnown() {
    return everOpen;
  }

  Duration at(long now) {
    return Duration.ofNanos(now - lastSign);
  }
}
