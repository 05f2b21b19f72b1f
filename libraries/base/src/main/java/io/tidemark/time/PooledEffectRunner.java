package io.tidemark.time;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs blocking requests on at most {@code parallelism} threads. Thread-safe.
 *
 * <p>Stages end on a pool thread or, by a timeout, on the scheduler's: a continuation hops to an
 * executor of its own before doing anything long. A leaf that ignores interruption keeps its
 * thread, but its stage ends in time.
 */
public final class PooledEffectRunner implements EffectRunner, AutoCloseable {
  private static final long IDLE_SECONDS = 30;

  private final TaskScheduler scheduler;
  private final ThreadPoolExecutor pool;

  /**
   * Threads are started when needed and end when idle.
   *
   * @param name of the threads
   * @param parallelism requests on the wire at a time, 1 or more
   * @param queueCapacity requests that may wait for a thread, 1 or more; a further one ends at once
   *     with a {@link RejectedExecutionException} and has not started
   * @param scheduler where timeouts are waited out
   */
  public PooledEffectRunner(
      String name, int parallelism, int queueCapacity, TaskScheduler scheduler) {
    this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
    this.pool =
        new ThreadPoolExecutor(
            parallelism,
            parallelism,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(queueCapacity),
            NamedThreads.of(name));
    pool.allowCoreThreadTimeOut(true);
  }

  @Override
  public <T> Effect<T> run(EffectSite site, Duration timeout, Callable<T> leaf) {
    PooledEffect<T> effect = new PooledEffect<>(site, timeout, leaf, scheduler);
    try {
      pool.execute(effect);
    } catch (RejectedExecutionException e) {
      effect.refuse(
          new RejectedExecutionException(
              "no room for " + site.operation() + ": " + pool.getQueue().size() + " wait"));
    }
    return effect;
  }

  /**
   * Accepts no more requests, cancels queued ones and interrupts those in flight; does not wait.
   * Idempotent.
   */
  @Override
  public void close() {
    for (Runnable waiting : pool.shutdownNow()) {
      ((PooledEffect<?>) waiting).interrupt();
    }
  }

  /**
   * Blocks the caller until all threads have ended after {@link #close}; for the program's main
   * thread.
   *
   * @return false when {@code limit} passed before
   */
  public boolean awaitClosed(Duration limit) throws InterruptedException {
    return pool.awaitTermination(limit.toNanos(), TimeUnit.NANOSECONDS);
  }
}
