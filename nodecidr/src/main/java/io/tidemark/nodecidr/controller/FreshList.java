package io.tidemark.nodecidr.controller;

import io.tidemark.nodecidr.controller.ControllerState.Phase;
import io.tidemark.resource.CatchUp;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether all nodes were listed since their watch was interrupted last. Before that no block is
 * given out: a server that was restored meanwhile can have nodes of which no watch tells.
 * Thread-safe; the lock is never held across a call.
 */
final class FreshList {
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final ControllerState state;
  private final Object lock = new Object();
  private long interruptions;
  private boolean listing;

  FreshList(ControllerState state) {
    this.state = state;
  }

  /** The nodes are known from a list that was asked for after so many interruptions. */
  void begin(long before) {
    synchronized (lock) {
      interruptions = before;
    }
  }

  /** Whether blocks may be given out. If not, the nodes are listed, and all of them step again. */
  boolean isThere() {
    long now = state.parts().store().interruptions();
    synchronized (lock) {
      if (now == interruptions || listing) {
        return !listing;
      }
      listing = true;
    }
    state.begun();
    list();
    return false;
  }

  private void list() {
    long before = state.parts().store().interruptions();
    Object unused =
        state
            .parts()
            .store()
            .catchUp(state.parts().effects())
            .thenAccept(end -> listed(end, before));
  }

  private void listed(CatchUp end, long before) {
    if (state.phase() == Phase.STOPPED) {
      state.ended();
    } else if (end instanceof CatchUp.Failed) {
      Object unused = state.parts().scheduler().after(RETRY, this::list);
    } else {
      look(before);
    }
  }

  /** Every node is looked at, so that the ledger has what the list shows. */
  private void look(long before) {
    Set<String> names = state.names();
    names.addAll(state.parts().store().names());
    AtomicInteger left = new AtomicInteger(names.size() + 1);
    Runnable looked =
        () -> {
          if (left.decrementAndGet() == 0) {
            goOn(before);
          }
        };
    names.forEach(
        name ->
            state.post(
                name,
                work -> {
                  try {
                    work.step();
                  } finally {
                    looked.run();
                  }
                }));
    looked.run();
  }

  private void goOn(long before) {
    synchronized (lock) {
      interruptions = before;
      listing = false;
    }
    state.ended();
    if (state.isActive()) {
      state.wake();
      state.resumeAll();
    }
  }
}
