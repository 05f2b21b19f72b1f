package io.tidemark.kubernetes;

import io.tidemark.time.Cancellable;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Work that is done again and again, one round at a time, until this is closed. Thread-safe. */
public final class Rounds implements AutoCloseable {
  private final TaskScheduler scheduler;
  private @Nullable Cancellable next;
  private boolean closed;

  public Rounds(TaskScheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** The next round begins after {@code pause}, unless this is closed. */
  public synchronized void after(Duration pause, Runnable round) {
    if (!closed) {
      next = scheduler.after(pause, round);
    }
  }

  public synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (next != null) {
      next.cancel();
    }
  }
}
