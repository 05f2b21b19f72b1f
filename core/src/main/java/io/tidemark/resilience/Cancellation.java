package io.tidemark.resilience;

import io.tidemark.time.Cancellable;
import java.util.ArrayList;
import java.util.List;

/**
 * Cancels all work of one owner, permanently. Thread-safe.
 *
 * <p>Listeners run on the thread that cancels and must not block.
 */
public final class Cancellation {
  private final Object lock = new Object();
  private List<Runnable> listeners = List.of();
  private volatile boolean cancelled;

  /** Whether {@link #cancel} was called. */
  public boolean isCancelled() {
    return cancelled;
  }

  /** Cancels; the second and further calls do nothing. */
  public void cancel() {
    List<Runnable> toRun;
    synchronized (lock) {
      if (cancelled) {
        return;
      }
      cancelled = true;
      toRun = listeners;
      listeners = List.of();
    }
    toRun.forEach(Runnable::run);
  }

  /**
   * Runs {@code listener} on cancellation, or at once if it has happened already.
   *
   * @return withdraws the listener
   */
  public Cancellable onCancel(Runnable listener) {
    synchronized (lock) {
      if (!cancelled) {
        List<Runnable> more = new ArrayList<>(listeners);
        more.add(listener);
        listeners = more;
        return () -> remove(listener);
      }
    }
    listener.run();
    return () -> false;
  }

  private boolean remove(Runnable listener) {
    synchronized (lock) {
      List<Runnable> fewer = new ArrayList<>(listeners);
      boolean found = fewer.removeIf(each -> each == listener);
      listeners = fewer.isEmpty() ? List.of() : fewer;
      return found;
    }
  }
}
