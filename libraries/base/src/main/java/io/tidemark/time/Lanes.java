package io.tidemark.time;

import java.lang.System.Logger.Level;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;

/**
 * Serial queues on a shared executor (node-manager 9.3 NM-L2): tasks of one lane run one after the
 * other in the order given, different lanes overlap, at most {@code parallelism} at once, and the
 * waiting lane with the largest urgency goes first. Thread-safe; the lock covers queue links only.
 */
public final class Lanes {
  /** Tasks of one lane that run before another lane gets the worker. */
  private static final int TASKS_PER_VISIT = 16;

  private static final System.Logger LOG = System.getLogger(Lanes.class.getName());

  private final Executor executor;
  private final int parallelism;
  private final Object lock = new Object();
  private final PriorityQueue<Lane> waiting = new PriorityQueue<>(Lane.BY_URGENCY);
  private int running;
  private long sequence;

  /** {@code parallelism} at least 1; {@code executor} needs as many threads to reach it. */
  public Lanes(Executor executor, int parallelism) {
    this.executor = executor;
    this.parallelism = parallelism;
  }

  /** A new lane, idle. */
  public Lane lane() {
    return new Lane(this);
  }

  /** Called when {@code lane} has tasks and is not running. */
  void ready(Lane lane) {
    synchronized (lock) {
      lane.waitsSince(sequence++);
      waiting.add(lane);
      if (running >= parallelism) {
        return;
      }
      running++;
    }
    executor.execute(this::visit);
  }

  private void visit() {
    Lane lane;
    synchronized (lock) {
      lane = waiting.poll();
      if (lane == null) {
        running--;
        return;
      }
    }
    for (int task = 0; task < TASKS_PER_VISIT; task++) {
      Runnable next = lane.next();
      if (next == null) {
        continueVisiting();
        return;
      }
      run(next);
    }
    synchronized (lock) {
      lane.waitsSince(sequence++);
      waiting.add(lane);
    }
    continueVisiting();
  }

  private void continueVisiting() {
    synchronized (lock) {
      if (waiting.isEmpty()) {
        running--;
        return;
      }
    }
    executor.execute(this::visit);
  }

  private static void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error broken) {
      LOG.log(Level.ERROR, "A task of a lane failed; the lane goes on with its next task.", broken);
      if (broken instanceof VirtualMachineError fatal) {
        throw fatal;
      }
    }
  }
}
