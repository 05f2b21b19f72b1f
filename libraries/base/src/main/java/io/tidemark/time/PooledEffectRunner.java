package io.tidemark.time;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

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
    this.scheduler = scheduler;
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

  /** Accepts no more requests, cancels or interrupts all; does not wait. Idempotent. */
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

  /**
   * One request on a pool. Its lock guards who may be interrupted and is never held while the leaf
   * runs, so an interruption can only hit the thread while it runs this leaf.
   */
  private static final class PooledEffect<T> implements Effect<T>, Runnable {
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private final EffectSite site;
    private final Duration timeout;
    private final Callable<T> leaf;
    private final TaskScheduler scheduler;
    private @Nullable Thread thread;
    private boolean started;
    private boolean givenUp;

    PooledEffect(EffectSite site, Duration timeout, Callable<T> leaf, TaskScheduler scheduler) {
      this.site = site;
      this.timeout = timeout;
      this.leaf = leaf;
      this.scheduler = scheduler;
    }

    /** Runs the leaf on the calling thread of the pool. */
    @Override
    public void run() {
      if (!start()) {
        return;
      }
      Cancellable timer = scheduler.after(timeout, this::timeOut);
      Runnable end;
      try {
        T value = leaf.call();
        end = () -> answer.complete(value);
      } catch (NeverAnswers e) {
        end = () -> {};
        timer = () -> false;
      } catch (Throwable thrown) {
        end = () -> answer.completeExceptionally(thrown);
      }
      if (release()) {
        timer.cancel();
        end.run();
      }
    }

    private synchronized boolean start() {
      if (givenUp) {
        return false;
      }
      started = true;
      thread = Thread.currentThread();
      return true;
    }

    /**
     * From here on the thread is not interrupted on our behalf; a late interruption is swallowed.
     *
     * @return whether the leaf's result still counts; if not, the timeout or cancellation ends the
     *     stage
     */
    private synchronized boolean release() {
      thread = null;
      Thread.interrupted();
      return !givenUp;
    }

    private void timeOut() {
      stop();
      answer.completeExceptionally(
          new TimeoutException("no answer to " + site.operation() + " within " + timeout));
    }

    @Override
    public void interrupt() {
      stop();
      answer.completeExceptionally(
          new CancellationException(site.operation() + " was interrupted"));
    }

    private synchronized void stop() {
      givenUp = true;
      if (thread != null) {
        thread.interrupt();
      }
    }

    void refuse(Throwable why) {
      synchronized (this) {
        givenUp = true;
      }
      answer.completeExceptionally(why);
    }

    @Override
    public CompletionStage<T> stage() {
      return answer;
    }

    @Override
    public synchronized boolean started() {
      return started;
    }
  }
}
