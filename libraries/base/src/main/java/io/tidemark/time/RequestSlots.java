package io.tidemark.time;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Bounds how many requests are in flight; those that wait begin in the order in which they came.
 * Thread-safe; the lock covers the queue only.
 */
public final class RequestSlots {
  private final int max;
  private final Object lock = new Object();
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private final CompletableFuture<Void> idle = new CompletableFuture<>();
  private int inFlight;
  private boolean closed;

  /** Room for {@code max} requests, 1 or more. */
  public RequestSlots(int max) {
    this.max = max;
  }

  /**
   * Calls {@code begin} when there is room, perhaps at once; {@link #release} must follow. Never
   * calls it after {@link #close}.
   *
   * @param begin must not block
   */
  public void request(Runnable begin) {
    synchronized (lock) {
      if (closed) {
        return;
      }
      if (inFlight >= max) {
        waiting.add(begin);
        return;
      }
      inFlight++;
    }
    begin.run();
  }

  /** A request that had room has ended. */
  public void release() {
    Runnable next;
    boolean last;
    synchronized (lock) {
      next = waiting.poll();
      inFlight -= next == null ? 1 : 0;
      last = closed && inFlight == 0;
    }
    if (next != null) {
      next.run();
    }
    if (last) {
      idle.complete(null);
    }
  }

  /** Begins no more requests; ends when those in flight have ended. */
  public CompletionStage<Void> close() {
    boolean last;
    synchronized (lock) {
      closed = true;
      waiting.clear();
      last = inFlight == 0;
    }
    if (last) {
      idle.complete(null);
    }
    return idle;
  }
}
