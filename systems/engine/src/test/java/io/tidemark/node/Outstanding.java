package io.tidemark.node;

import io.tidemark.testing.Hang;
import io.tidemark.time.Effect;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;

/**
 * Counts what was handed to threads and has not ended, so that a test can wait for the end of all
 * of it. Thread-safe.
 */
final class Outstanding {
  private int count;

  /** The same threads; what they are given counts until it has run. */
  Executor counted(Executor threads) {
    return task -> {
      begins();
      try {
        threads.execute(
            () -> {
              try {
                task.run();
              } finally {
                ends();
              }
            });
      } catch (RuntimeException refused) {
        ends();
        throw refused;
      }
    };
  }

  /** The same requests; each counts until its stage and what follows on it have ended. */
  EffectRunner counted(EffectRunner runner) {
    return new EffectRunner() {
      @Override
      public <T> Effect<T> run(EffectSite site, Duration timeout, Callable<T> leaf) {
        begins();
        Effect<T> effect = runner.run(site, timeout, leaf);
        effect.stage().whenComplete((value, thrown) -> ends());
        return effect;
      }
    };
  }

  private synchronized void begins() {
    count++;
  }

  private synchronized void ends() {
    count--;
    if (count == 0) {
      notifyAll();
    }
  }

  /**
   * Blocks the caller until nothing is outstanding.
   *
   * @throws AssertionError when that does not happen within {@link Hang#LIMIT}
   */
  synchronized void awaitNone() throws InterruptedException {
    long end = System.nanoTime() + Hang.LIMIT.toNanos();
    while (count > 0) {
      long millis = (end - System.nanoTime()) / 1_000_000;
      if (millis <= 0) {
        throw new AssertionError(count + " tasks and requests have not ended");
      }
      wait(millis);
    }
  }
}
