package io.tidemark.operator.wiring;

import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * Shows that timer and lanes still take turns: each beat goes through both. Thread-safe.
 *
 * <p>It stops by itself when the scheduler is closed.
 */
final class Heartbeat {
  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);

  private final TaskScheduler timer;
  private final Executor lanes;
  private volatile long lastNanos;

  private Heartbeat(TaskScheduler timer, Executor lanes) {
    this.timer = timer;
    this.lanes = lanes;
    this.lastNanos = timer.time().nanos();
  }

  /** Beats from now on. */
  static Heartbeat start(TaskScheduler timer, Executor lanes) {
    Heartbeat heartbeat = new Heartbeat(timer, lanes);
    heartbeat.send();
    return heartbeat;
  }

  /** Whether a beat arrived lately. */
  boolean isBeating() {
    return timer.time().nanos() - lastNanos <= LONGEST_PAUSE.toNanos();
  }

  private void send() {
    timer.after(INTERVAL, this::send);
    lanes.execute(() -> lastNanos = timer.time().nanos());
  }
}
