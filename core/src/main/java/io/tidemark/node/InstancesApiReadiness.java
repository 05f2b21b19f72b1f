package io.tidemark.node;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Whether the cloud may be changed at all (node-manager 5.2, 13 D-9): closed by a failed full scan
 * or by the operator's own code, opened by a full scan that worked. A single node never changes it;
 * breakers per kind of request are in the cloud door. Thread-safe.
 */
final class InstancesApiReadiness {
  private final AtomicBoolean ready = new AtomicBoolean(true);
  private final Consumer<Boolean> changed;

  /** {@code changed} hears every change, on the thread that made it. */
  InstancesApiReadiness(Consumer<Boolean> changed) {
    this.changed = changed;
  }

  boolean isReady() {
    return ready.get();
  }

  void set(boolean now) {
    if (ready.getAndSet(now) != now) {
      changed.accept(now);
    }
  }
}
