package io.tidemark.kubernetes.backend;

import io.tidemark.time.Effect;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;

/**
 * Requests to the API server at a bounded pace ({@code operator-k8s-client-qps} and {@code
 * -burst}): over any span at most {@code burst + span × rate} of them begin. The others wait in the
 * scheduler, in order, and begin in groups: one by one each would wake every thread on its way,
 * here and in the server, which costs more than the request. Thread-safe.
 */
final class PacedEffects implements EffectRunner {
  /** Requests that may wait: those of a very large cluster, all at once. */
  private static final int WAITING_MAX = 100_000;

  /** From one group to the next. */
  private static final Duration GROUPED = Duration.ofMillis(50);

  private final EffectRunner effects;
  private final TaskScheduler scheduler;
  private final long intervalNanos;
  private final long toleranceNanos;
  private final long groupNanos;
  private final Object lock = new Object();
  private long nextNanos;
  private int waiting;

  /**
   * Before {@code effects}.
   *
   * @param perSecond above 0
   * @param burst requests that need not wait after a quiet time, 1 or more
   */
  PacedEffects(EffectRunner effects, double perSecond, int burst, TaskScheduler scheduler) {
    this.effects = effects;
    this.scheduler = scheduler;
    this.intervalNanos = Math.max(1, (long) (Duration.ofSeconds(1).toNanos() / perSecond));
    this.toleranceNanos = intervalNanos * (burst - 1L);
    this.groupNanos = Math.max(1, Math.min(GROUPED.toNanos(), toleranceNanos));
    this.nextNanos = scheduler.time().nanos() - toleranceNanos;
  }

  @Override
  public <T> Effect<T> run(EffectSite site, Duration timeout, Callable<T> leaf) {
    long now = scheduler.time().nanos();
    long due;
    synchronized (lock) {
      if (waiting >= WAITING_MAX) {
        return WaitingEffect.refused(
            new RejectedExecutionException("no room for " + site.operation() + " in the line"));
      }
      if (nextNanos - (now - toleranceNanos) < 0) {
        nextNanos = now - toleranceNanos;
      }
      due = waiting > 0 || nextNanos - now > 0 ? groupEnd(nextNanos) : now;
      nextNanos += intervalNanos;
      if (due - now > 0) {
        waiting++;
      }
    }
    if (due - now <= 0) {
      return effects.run(site, timeout, leaf);
    }
    WaitingEffect<T> line = new WaitingEffect<>();
    scheduler.at(
        due,
        () -> {
          synchronized (lock) {
            waiting--;
          }
          line.begin(() -> effects.run(site, timeout, leaf));
        });
    return line;
  }

  private long groupEnd(long nanos) {
    return nanos + Math.floorMod(-nanos, groupNanos);
  }
}
