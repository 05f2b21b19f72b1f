package io.tidemark.node;

import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keyed queues on a shared executor (node-manager 9.3 NM-L2): turns of one lane run one after the
 * other in the order given, different lanes overlap, at most {@code parallelism} at once, and the
 * waiting lane with the largest deficit goes first. Thread-safe; the lock covers queue links only.
 */
final class Lanes {
  /** Turns of one lane that run before another lane gets the worker. */
  private static final int TURNS_PER_VISIT = 16;

  private static final Logger LOG = LoggerFactory.getLogger(Lanes.class);

  private final Executor executor;
  private final int parallelism;
  private final Object lock = new Object();
  private final PriorityQueue<Lane> waiting = new PriorityQueue<>(Lane.BY_URGENCY);
  private int running;
  private long sequence;

  Lanes(Executor executor, int parallelism) {
    this.executor = executor;
    this.parallelism = parallelism;
  }

  /** A new lane. */
  Lane lane() {
    return new Lane(this);
  }

  /** Called when {@code lane} has turns and nobody runs it. */
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
    for (int turn = 0; turn < TURNS_PER_VISIT; turn++) {
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

  private static void run(Runnable turn) {
    try {
      turn.run();
    } catch (RuntimeException | Error broken) {
      LOG.error("A turn of a node's lane failed; the node goes on with the next event.", broken);
      if (broken instanceof VirtualMachineError fatal) {
        throw fatal;
      }
    }
  }
}
