package io.tidemark.resilience;

import java.time.Duration;

/**
 * The class in which a waiter stands at the moment: its rank, raised by one class for every {@link
 * #LIFT} it has waited.
 *
 * <p>Ageing ends at {@link #LIFTED}, beside the nodes below their watermark. It never leads into
 * {@link #PODS_WAITING}: else every fresh node that waits long enough would overtake the node whose
 * pods wait now.
 */
enum Urgency {
  PODS_WAITING(0),
  BELOW_WATERMARK(1),
  /** Has aged up to {@link #BELOW_WATERMARK}; the one that came first goes first. */
  LIFTED(2),
  REPAIR(3),
  VERIFY(4),
  RELEASE(5),
  SWEEP(6);

  /** Waiting this long counts as much as one class. */
  static final Duration LIFT = Duration.ofSeconds(30);

  private static final Urgency[] BY_LEVEL = values();

  private final int level;

  Urgency(int level) {
    this.level = level;
  }

  /** The class of {@code rank} after waiting {@code waitedNanos}. */
  static Urgency of(Priority.Rank rank, long waitedNanos) {
    Urgency start = start(rank);
    if (!start.ages()) {
      return start;
    }
    long lifts = Math.max(0, waitedNanos) / LIFT.toNanos();
    return BY_LEVEL[(int) Math.max(LIFTED.level, start.level - lifts)];
  }

  private static Urgency start(Priority.Rank rank) {
    return switch (rank) {
      case PODS_WAITING -> PODS_WAITING;
      case BELOW_WATERMARK -> BELOW_WATERMARK;
      case REPAIR -> REPAIR;
      case VERIFY -> VERIFY;
      case RELEASE -> RELEASE;
      case SWEEP -> SWEEP;
    };
  }

  /** Whether more waiting raises it. */
  boolean ages() {
    return level > LIFTED.level;
  }

  int bit() {
    return 1 << level;
  }

  /** The most urgent class of a set that is not empty. */
  static Urgency first(int bits) {
    return BY_LEVEL[Integer.numberOfTrailingZeros(bits)];
  }
}
