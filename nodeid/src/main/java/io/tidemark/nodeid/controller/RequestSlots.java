package io.tidemark.nodeid.controller;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Bounds how many requests are in flight; those that wait begin in the order in which they came.
 * Thread-safe; the lock covers the queue only.
 */
final class RequestSlots {
  private final int max;
  private final Object lock = new Object();
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private final CompletableFuture<Void> idle = new CompletableFuture<>();
  private int inFlight;
  private boolean closed;

  RequestSlots(int max) {
    this.max = max;
  }

  /**
   * Calls {@code begin} when there is room; {@link #release} must follow. Never after the close.
   */
  void request(Runnable begin) {
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
  void release() {
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
  CompletionStage<Void> close() {
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
