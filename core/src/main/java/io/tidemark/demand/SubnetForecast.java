package io.tidemark.demand;

import java.time.Duration;
import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * How long the free addresses of one subnet last at the rate of the last week, by the rule of the
 * alert TidemarkSubnetExhaustedSoon: the low of a day, which a burst does not touch, divided by the
 * rate of the week, which a daily or weekly curve hardly moves. Half of that rate must show on each
 * of the last two days, so that a step is no rate. Keeps one count per hour, of a week at most.
 * Thread-safe.
 */
public final class SubnetForecast {
  private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();
  private static final int DAY = 24;
  private static final int WEEK = 7 * DAY;
  private static final int LEAST = 4 * DAY;
  private static final double LOW = 0.1;

  /** A rate that takes longer is noise. */
  private static final double DAYS_MAX = 90;

  private final int[] counts = new int[WEEK];
  private int taken;
  private long nextNanos;

  /**
   * Takes the first count of an hour; hours that were missed have the count before them.
   *
   * @param nowNanos by a clock that never goes back
   * @param free addresses, 0 or more
   */
  public synchronized void sample(long nowNanos, int free) {
    if (taken == 0) {
      nextNanos = nowNanos;
    }
    for (; nextNanos - nowNanos <= 0; nextNanos += HOUR_NANOS) {
      boolean missed = taken > 0 && nowNanos - nextNanos >= HOUR_NANOS;
      counts[taken % WEEK] = missed ? ago(0) : free;
      taken++;
    }
  }

  /** Empty before four days are known, and when the subnet does not become empty within 90 days. */
  public synchronized OptionalDouble daysLeft() {
    if (taken < LEAST) {
      return OptionalDouble.empty();
    }
    double perDay = lossPerDay();
    double days = lowOfDay() / perDay;
    int lost = Math.min(ago(DAY) - ago(0), ago(2 * DAY) - ago(DAY)); // on both days at least
    return perDay > 0 && perDay < 2.0 * lost && days > 0 && days <= DAYS_MAX
        ? OptionalDouble.of(days)
        : OptionalDouble.empty();
  }

  private int ago(int hours) {
    return counts[(taken - 1 - hours) % WEEK];
  }

  /** By least squares. */
  private double lossPerDay() {
    int hours = Math.min(taken, WEEK);
    double sum = 0;
    for (int i = 0; i < hours; i++) {
      sum += (i - (hours - 1) / 2.0) * ago(i);
    }
    return DAY * 12 * sum / ((double) hours * (hours - 1) * (hours + 1));
  }

  private double lowOfDay() {
    int[] day = new int[DAY];
    Arrays.setAll(day, this::ago);
    Arrays.sort(day);
    double rank = LOW * (DAY - 1);
    int below = (int) rank;
    return day[below] + (rank - below) * (day[below + 1] - day[below]);
  }
}
