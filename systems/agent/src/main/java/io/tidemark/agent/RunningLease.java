package io.tidemark.agent;

import io.tidemark.time.Cancellable;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A lease and its timer. The timer is set and withdrawn outside every lock, so either may come
 * first. Thread-safe.
 */
final class RunningLease {
  private static final Cancellable ENDED = () -> false;

  private final Lease lease;
  private final AtomicReference<@Nullable Cancellable> timer = new AtomicReference<>();

  RunningLease(Lease lease) {
    this.lease = lease;
  }

  Lease lease() {
    return lease;
  }

  /** The lease's timer runs; it is withdrawn at once when the lease has ended before. */
  void timer(Cancellable started) {
    if (!timer.compareAndSet(null, started)) {
      started.cancel();
    }
  }

  void end() {
    Cancellable started = timer.getAndSet(ENDED);
    if (started != null) {
      started.cancel();
    }
  }
}
