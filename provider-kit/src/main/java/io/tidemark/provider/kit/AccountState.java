package io.tidemark.provider.kit;

import io.tidemark.metrics.Meters;
import io.tidemark.provider.kit.pool.PoolLedger;
import io.tidemark.provider.kit.step.FailureRules;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.Priority;
import io.tidemark.time.TaskScheduler;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.time.Instant;

/**
 * The known state of one account, shared by all steps that change it. The record is immutable; its
 * parts are thread-safe.
 *
 * @param failures maps a failed request to an outcome
 * @param horizon how far a read can lag behind the state of this cloud
 * @param shutdown cancels background requests
 */
public record AccountState<I extends CachedInterface<I>, S>(
    InstanceInventory<I> inventory,
    PoolLedger<S> pools,
    Creations creations,
    FailureRules failures,
    Meters metrics,
    TaskScheduler scheduler,
    Duration horizon,
    Cancellation shutdown) {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** An account of which nothing is known yet, without cool-downs. */
  public static <I extends CachedInterface<I>, S> AccountState<I, S> unread(
      TaskScheduler scheduler,
      Meters metrics,
      Duration overlayExpiry,
      Duration horizon,
      FailureRules failures) {
    TimeSource time = scheduler.time();
    return new AccountState<I, S>(
        new InstanceInventory<>(time, overlayExpiry, horizon),
        new PoolLedger<>(time, metrics, Duration.ZERO),
        new Creations(time, Duration.ZERO),
        failures,
        metrics,
        scheduler,
        horizon,
        new Cancellation());
  }

  /** Monotonic time. */
  public long nanos() {
    return scheduler.time().nanos();
  }

  /** Wall-clock time, for what other programs read. */
  public Instant now() {
    return Instant.ofEpochMilli(scheduler.time().epochMillis());
  }

  /**
   * The context of a background request.
   *
   * @param node the node it serves; empty for the account
   */
  public CallContext inBackground(String node, Priority.Rank rank) {
    return CallContext.within(PATIENCE, scheduler.time(), node, rank, shutdown);
  }
}
