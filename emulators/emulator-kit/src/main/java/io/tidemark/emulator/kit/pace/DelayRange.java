package io.tidemark.emulator.kit.pace;

import java.time.Duration;
import java.util.SplittableRandom;

/**
 * A duration drawn evenly between two bounds.
 *
 * @param least zero or more
 * @param most {@code least} or more
 */
public record DelayRange(Duration least, Duration most) {
  public static final DelayRange NONE = new DelayRange(Duration.ZERO, Duration.ZERO);

  public DelayRange {
    if (least.isNegative() || most.compareTo(least) < 0) {
      throw new IllegalArgumentException(
          "delay is " + least + " to " + most + "; expected 0 or more, the lower bound first");
    }
  }

  /** Always this long. */
  public static DelayRange fixed(Duration delay) {
    return new DelayRange(delay, delay);
  }

  /** Between nothing and this long. */
  public static DelayRange upTo(Duration most) {
    return new DelayRange(Duration.ZERO, most);
  }

  /** Draws one; draws no number when there is nothing to choose. */
  public Duration draw(SplittableRandom random) {
    long spread = most.toNanos() - least.toNanos();
    return spread == 0 ? least : least.plusNanos(random.nextLong(spread + 1));
  }
}
