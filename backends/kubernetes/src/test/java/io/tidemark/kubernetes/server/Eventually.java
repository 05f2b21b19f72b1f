package io.tidemark.kubernetes.server;

import io.tidemark.testing.Hang;
import java.time.Duration;
import java.util.function.Supplier;

/** Waits, bounded, for what another process brings about. */
public final class Eventually {
  private static final Duration LOOK = Duration.ofMillis(20);

  private Eventually() {}

  /** Something that may ask over the network. */
  @FunctionalInterface
  public interface Condition {
    boolean holds() throws Exception;
  }

  /**
   * Blocks until {@code condition} holds. A look that fails is repeated.
   *
   * @throws AssertionError when it does not within two minutes; its cause is why the last look
   *     failed
   */
  public static void holds(String what, Condition condition) {
    holds(what, Hang.LIMIT, condition);
  }

  /** As {@link #holds(String, Condition)}, within {@code max}. */
  public static void holds(String what, Duration max, Condition condition) {
    holds(what, max, () -> LOOK, condition);
  }

  /**
   * As {@link #holds(String, Duration, Condition)}, for a look that costs: {@code pause} tells the
   * time until the next one.
   */
  public static void holds(
      String what, Duration max, Supplier<Duration> pause, Condition condition) {
    long end = System.nanoTime() + max.toNanos();
    while (true) {
      Exception failure = null;
      try {
        if (condition.holds()) {
          return;
        }
      } catch (Exception e) {
        failure = e;
      }
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("not within " + max + ": " + what, failure);
      }
      sleep(pause.get());
    }
  }

  private static void sleep(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
