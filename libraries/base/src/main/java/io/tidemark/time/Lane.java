package io.tidemark.time;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** One serial queue of {@link Lanes}: its tasks run one after the other. Thread-safe. */
public final class Lane implements Executor {
  /** Largest urgency first, then the longest wait. */
  static final Comparator<Lane> BY_URGENCY =
      Comparator.comparingInt((Lane lane) -> -lane.queuedUrgency)
          .thenComparingLong(lane -> lane.queuedSince);

  private final Lanes lanes;
  private @Nullable ArrayDeque<Runnable> tasks;
  private boolean scheduled;
  private volatile int urgency;
  // Guarded by the lock of Lanes while the lane waits.
  private int queuedUrgency;
  private long queuedSince;

  Lane(Lanes lanes) {
    this.lanes = lanes;
  }

  /** The lane with the larger number runs first the next time lanes wait; 0 at the beginning. */
  public void urgency(int number) {
    urgency = number;
  }

  /** Never blocks. An error that the task throws is logged, and the lane continues. */
  @Override
  public void execute(Runnable task) {
    synchronized (this) {
      if (tasks == null) {
        tasks = new ArrayDeque<>(2);
      }
      tasks.add(task);
      if (scheduled) {
        return;
      }
      scheduled = true;
    }
    lanes.ready(this);
  }

  /** Whether no task is queued or running. */
  public synchronized boolean isIdle() {
    return !scheduled;
  }

  void waitsSince(long sequence) {
    queuedUrgency = urgency;
    queuedSince = sequence;
  }

  /** The next task; null when there is none, and the lane is then idle until the next execute. */
  synchronized @Nullable Runnable next() {
    Runnable next = tasks == null ? null : tasks.poll();
    if (next == null) {
      tasks = null;
      scheduled = false;
    }
    return next;
  }
}
