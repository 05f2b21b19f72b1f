package io.tidemark.resource;

import io.tidemark.time.Cancellable;
import io.tidemark.time.TaskScheduler;
import io.tidemark.time.TimeSource;
import java.util.Comparator;
import java.util.PriorityQueue;

/** A scheduler whose time passes when the test says so; tasks run on the test's thread. */
final class ManualScheduler implements TaskScheduler, TimeSource {
  private record Task(long nanos, long order, Runnable body) {}

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::nanos).thenComparingLong(Task::order));
  private long now;
  private long order;

  @Override
  public Cancellable at(long nanos, Runnable body) {
    Task task = new Task(Math.max(nanos, now), order++, body);
    tasks.add(task);
    return () -> tasks.remove(task);
  }

  @Override
  public TimeSource time() {
    return this;
  }

  @Override
  public long nanos() {
    return now;
  }

  @Override
  public long epochMillis() {
    return now / 1_000_000;
  }

  /** Runs everything that is due within {@code nanos} from now, in order. */
  void pass(long nanos) {
    long end = now + nanos;
    Task next = tasks.peek();
    while (next != null && next.nanos() <= end) {
      tasks.remove(next);
      now = next.nanos();
      next.body().run();
      next = tasks.peek();
    }
    now = end;
  }

  int pending() {
    return tasks.size();
  }
}
