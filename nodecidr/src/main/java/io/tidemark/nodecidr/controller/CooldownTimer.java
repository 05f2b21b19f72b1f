package io.tidemark.nodecidr.controller;

import io.tidemark.time.Cancellable;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads each node that has been absent for the cooldown, when that is over. Thread-safe; the lock
 * is never held across a call of foreign code.
 */
final class CooldownTimer {
  private final ControllerState state;
  private final Object lock = new Object();
  private @Nullable Cancellable timer;
  private long dueNanos;

  CooldownTimer(ControllerState state) {
    this.state = state;
  }

  /** A cooldown has begun or ended: the timer is for the first of them. */
  void arm() {
    OptionalLong due = state.ledger().nextDueNanos();
    synchronized (lock) {
      if (due.isEmpty() || (timer != null && dueNanos - due.getAsLong() <= 0)) {
        return;
      }
      if (timer != null) {
        timer.cancel();
      }
      dueNanos = due.getAsLong();
      timer = state.parts().scheduler().at(dueNanos, this::cooled);
    }
  }

  private void cooled() {
    synchronized (lock) {
      timer = null;
    }
    if (state.isActive()) {
      state
          .ledger()
          .due(state.parts().now())
          .forEach(
              owner -> state.post(owner.name(), work -> new AbsenceCheck(owner, state).begin()));
      arm();
    }
  }
}
