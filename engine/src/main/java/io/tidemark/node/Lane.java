package io.tidemark.node;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The serial queue of one node; see {@link Lanes}. Thread-safe. */
final class Lane implements Executor {
  /** Largest deficit first, then whoever waits longest. */
  static final Comparator<Lane> BY_URGENCY =
      Comparator.comparingInt((Lane lane) -> -lane.queuedDeficit)
          .thenComparingLong(lane -> lane.queuedSince);

  private final Lanes lanes;
  private @Nullable ArrayDeque<Runnable> turns;
  private boolean scheduled;
  private volatile int deficit;
  // Guarded by the lock of Lanes while the lane waits.
  private int queuedDeficit;
  private long queuedSince;

  Lane(Lanes lanes) {
    this.lanes = lanes;
  }

  /** Addresses missing; decides who goes first the next time this lane waits. */
  void deficit(int addresses) {
    deficit = addresses;
  }

  @Override
  public void execute(Runnable turn) {
    synchronized (this) {
      if (turns == null) {
        turns = new ArrayDeque<>(2);
      }
      turns.add(turn);
      if (scheduled) {
        return;
      }
      scheduled = true;
    }
    lanes.ready(this);
  }

  /** Whether no turn is queued or running. */
  synchronized boolean isIdle() {
    return !scheduled;
  }

  void waitsSince(long sequence) {
    queuedDeficit = deficit;
    queuedSince = sequence;
  }

  /** The next turn; null when there is none, and the lane then sleeps until the next execute. */
  synchronized @Nullable Runnable next() {
    Runnable next = turns == null ? null : turns.poll();
    if (next == null) {
      turns = null;
      scheduled = false;
    }
    return next;
  }
}
