package io.tidemark.cluster.lease;

import java.time.Duration;
import java.util.Optional;

/**
 * Who may hold the lease, decided over what was seen and when (reliability.md, two leaders). A
 * holder is given its whole lease from the moment at which its last renewal was seen here, by the
 * monotonic clock here; the clocks of other machines do not matter.
 */
final class LeaseRules {
  private LeaseRules() {}

  /** The next step for the lease that was read. */
  enum Step {
    /** There is none: make one. */
    CREATE,
    /** It is ours, given back, or was not renewed in time: write it. */
    TAKE,
    /** Another holds it. */
    WAIT
  }

  /** The last reading of the lease, and when it was new. */
  record Seen(LeaseRecord record, Moment since) {
    /** This, or the beginning of something new. */
    static Seen of(Optional<Seen> before, LeaseRecord now, Moment at) {
      return before.filter(seen -> seen.record.isAsOldAs(now)).isPresent()
          ? new Seen(now, before.get().since)
          : new Seen(now, at);
    }

    /** How long its holder still has. */
    Duration left(Moment now) {
      return record.lease().minus(since.monotonicUntil(now));
    }
  }

  static Step step(Optional<Seen> seen, String identity, Moment now) {
    if (seen.isEmpty()) {
      return Step.CREATE;
    }
    LeaseRecord record = seen.get().record();
    boolean free = record.holder().isEmpty() || record.holder().equals(identity);
    return free || isOver(seen.get().left(now)) ? Step.TAKE : Step.WAIT;
  }

  private static boolean isOver(Duration left) {
    return left.isNegative() || left.isZero();
  }

  /** When to look again at a lease that another holds: at its end at the latest. */
  static Duration nextLook(Seen seen, LeaseTiming timing, Moment now) {
    Duration left = seen.left(now);
    Duration look = timing.look();
    return !isOver(left) && left.compareTo(look) < 0 ? left : look;
  }

  /** Whether a holder that began its last successful renewal at {@code renewed} may still act. */
  static boolean mayAct(Moment renewed, LeaseTiming timing, Moment now) {
    Duration since = renewed.until(now);
    return !since.isNegative() && since.compareTo(timing.renewDeadline()) < 0;
  }
}
