package io.tidemark.time;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One request on a pool. Its lock guards who may be interrupted and is never held while the leaf
 * runs, so an interruption can only hit the thread while it runs this leaf.
 */
final class PooledEffect<T> implements Effect<T>, Runnable {
  private final CompletableFuture<T> answer = new CompletableFuture<>();
  private final EffectSite site;
  private final Duration timeout;
  private final Callable<T> leaf;
  private final TaskScheduler scheduler;
  private @Nullable Thread thread;
  private boolean started;
  private boolean givenUp;

  PooledEffect(EffectSite site, Duration timeout, Callable<T> leaf, TaskScheduler scheduler) {
    this.site = Objects.requireNonNull(site, "site");
    this.timeout = Objects.requireNonNull(timeout, "timeout");
    this.leaf = Objects.requireNonNull(leaf, "leaf");
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
    answer.completeExceptionally(new CancellationException(site.operation() + " was interrupted"));
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
