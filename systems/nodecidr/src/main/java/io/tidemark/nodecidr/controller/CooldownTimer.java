package io.tidemark.nodecidr.controller;

import io.tidemark.nodecidr.ledger.CidrLedger;
import io.tidemark.time.Cancellable;
import io.tidemark.time.TaskScheduler;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Runs when the next cooldown is over. Thread-safe; the lock is never held across a call of foreign
 * code.
 */
final class CooldownTimer {
  private final CidrLedger ledger;
  private final TaskScheduler scheduler;
  private final Runnable cooled;
  private final Object lock = new Object();
  private @Nullable Cancellable timer;
  private long dueNanos;

  CooldownTimer(CidrLedger ledger, TaskScheduler scheduler, Runnable cooled) {
    this.ledger = ledger;
    this.scheduler = scheduler;
    this.cooled = cooled;
  }

  /** A cooldown has begun or ended: the timer is for the first of them. */
  void arm() {
    OptionalLong due = ledger.nextDueNanos();
    synchronized (lock) {
      if (due.isEmpty() || (timer != null && dueNanos - due.getAsLong() <= 0)) {
        return;
      }
      if (timer != null) {
        timer.cancel();
      }
      dueNanos = due.getAsLong();
      timer = scheduler.at(dueNanos, this::due);
    }
  }

  private void due() {
    synchronized (lock) {
      timer = null;
    }
    cooled.run();
  }
}
