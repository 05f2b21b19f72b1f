package io.tidemark.kubernetes.backend;

import io.tidemark.time.Effect;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A request that waits for its turn, then the request itself. Thread-safe. */
final class WaitingEffect<T> implements Effect<T> {
  private final CompletableFuture<T> end = new CompletableFuture<>();
  private final Object lock = new Object();
  private @Nullable Effect<T> begun;
  private boolean givenUp;

  /** One that has ended so and never began. */
  static <T> WaitingEffect<T> refused(RuntimeException why) {
    WaitingEffect<T> refused = new WaitingEffect<>();
    refused.end.completeExceptionally(why);
    return refused;
  }

  /**
   * Starts it, unless it was given up; it ends exceptionally with what {@code start} throws. To be
   * called once.
   */
  void begin(Supplier<Effect<T>> start) {
    Effect<T> running;
    try {
      synchronized (lock) {
        if (givenUp) {
          return;
        }
        running = start.get();
        begun = running;
      }
    } catch (RuntimeException e) {
      end.completeExceptionally(e);
      return;
    }
    running
        .stage()
        .whenComplete(
            (answer, thrown) -> {
              if (thrown == null) {
                end.complete(answer);
              } else {
                end.completeExceptionally(thrown);
              }
            });
  }

  @Override
  public CompletionStage<T> stage() {
    return end;
  }

  @Override
  public void interrupt() {
    Effect<T> running;
    synchronized (lock) {
      givenUp = true;
      running = begun;
    }
    if (running != null) {
      running.interrupt();
    } else {
      end.completeExceptionally(new CancellationException("given up in the line"));
    }
  }

  @Override
  public boolean started() {
    synchronized (lock) {
      return begun != null && begun.started();
    }
  }
}
