package io.tidemark.time;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A scheduler for tests with real threads: thread-safe, and its time passes by hand alone. */
public final class HandScheduler implements TaskScheduler, TimeSource {
  private final List<Timer> timers = new ArrayList<>();
  private long nanos;
  private int made;

  private record Timer(int number, long due, Runnable task) {}

  @Override
  public synchronized Cancellable at(long dueNanos, Runnable task) {
    Timer timer = new Timer(made++, dueNanos, task);
    timers.add(timer);
    return () -> remove(timer);
  }

  @Override
  public TimeSource time() {
    return this;
  }

  @Override
  public synchronized long nanos() {
    return nanos;
  }

  @Override
  public long epochMillis() {
    return nanos() / 1_000_000;
  }

  synchronized int pending() {
    return timers.size();
  }

  /** Lets time pass and runs what became due, in order, on the caller's thread without a lock. */
  public void advance(Duration by) {
    List<Timer> due;
    synchronized (this) {
      nanos += by.toNanos();
      due =
          timers.stream()
              .filter(timer -> timer.due() <= nanos)
              .sorted(Comparator.comparingLong(Timer::due).thenComparingInt(Timer::number))
              .toList();
      timers.removeAll(due);
    }
    due.forEach(timer -> timer.task().run());
  }

  private synchronized boolean remove(Timer timer) {
    return timers.remove(timer);
  }
}
