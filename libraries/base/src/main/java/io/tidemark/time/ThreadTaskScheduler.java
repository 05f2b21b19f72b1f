package io.tidemark.time;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The production scheduler: one thread and one heap for all that waits. Thread-safe.
 *
 * <p>Withdrawn tasks leave the heap at once, so ten thousand deadlines that were met cost nothing.
 * After {@link #close} nothing runs any more and new tasks are dropped.
 */
public final class ThreadTaskScheduler implements TaskScheduler, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ThreadTaskScheduler.class.getName());

  private final TimeSource time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final EntryHeap heap = new EntryHeap();
  private final Thread thread;
  private boolean closed;

  private ThreadTaskScheduler(String name, TimeSource time) {
    this.time = time;
    this.thread = NamedThreads.of(name).newThread(this::loop);
  }

  /** Starts the timer thread. */
  public static ThreadTaskScheduler start(String name, TimeSource time) {
    ThreadTaskScheduler scheduler = new ThreadTaskScheduler(name, time);
    scheduler.thread.start();
    return scheduler;
  }

  @Override
  public TimeSource time() {
    return time;
  }

  @Override
  public Cancellable at(long nanos, Runnable task) {
    Timer timer = new Timer(task);
    lock.lock();
    try {
      if (closed) {
        return () -> false;
      }
      boolean earliest = heap.size() == 0 || nanos - heap.firstDue() < 0;
      heap.add(nanos, timer);
      if (earliest) {
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
    return timer;
  }

  /** Tasks that neither ran nor were withdrawn. */
  public int pending() {
    lock.lock();
    try {
      return heap.size();
    } finally {
      lock.unlock();
    }
  }

  /** Drops what waits and ends the thread; a task that runs now is not interrupted. Idempotent. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      heap.removeIf(entry -> true);
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Blocks the caller until the thread has ended after {@link #close}; for the program's main
   * thread.
   *
   * @return false when {@code limit} passed before
   */
  public boolean awaitClosed(Duration limit) throws InterruptedException {
    TimeUnit.NANOSECONDS.timedJoin(thread, limit.toNanos());
    return !thread.isAlive();
  }

  private void loop() {
    for (Timer next = nextDue(); next != null; next = nextDue()) {
      try {
        next.task.run();
      } catch (Throwable thrown) {
        LOG.log(Level.ERROR, "A scheduled task failed", thrown);
      }
    }
  }

  private @Nullable Timer nextDue() {
    lock.lock();
    try {
      while (true) {
        try {
          return awaitDue();
        } catch (InterruptedException e) {
          LOG.log(Level.DEBUG, "The timer thread ignores interruption; close() ends it");
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Timer awaitDue() throws InterruptedException {
    while (!closed) {
      if (heap.isDue(time.nanos())) {
        return (Timer) heap.poll();
      }
      if (heap.size() == 0) {
        changed.await();
      } else {
        long left = changed.awaitNanos(heap.firstDue() - time.nanos());
        LOG.log(Level.TRACE, "Woken {0} ns early", left);
      }
    }
    return null;
  }

  private final class Timer extends EntryHeap.Entry implements Cancellable {
    private final Runnable task;

    Timer(Runnable task) {
      this.task = task;
    }

    @Override
    public boolean cancel() {
      lock.lock();
      try {
        if (!isQueued()) {
          return false;
        }
        heap.remove(this);
        return true;
      } finally {
        lock.unlock();
      }
    }
  }
}
