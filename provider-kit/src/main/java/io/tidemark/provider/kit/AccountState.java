package io.tidemark.provider.kit;

import io.tidemark.metrics.InterfaceMetrics;
import io.tidemark.provider.kit.pool.PoolLedger;
import io.tidemark.provider.kit.step.FailureRules;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.Priority;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.time.Instant;

/**
 * What is known of one account, and what all steps that change it share. The record is immutable;
 * its parts are thread-safe.
 *
 * @param <I> the provider's own interface type
 * @param <S> what the provider knows of a pool beside the numbers
 * @param failures how a failed request ends an attempt
 * @param horizon how far a read of this cloud may lie behind
 * @param shutdown ends what is under way without a caller
 */
public record AccountState<I extends CachedInterface<I>, S>(
    InstanceInventory<I> inventory,
    PoolLedger<S> pools,
    Creations creations,
    FailureRules failures,
    InterfaceMetrics metrics,
    TaskScheduler scheduler,
    Duration horizon,
    Cancellation shutdown) {
  /** How long a request that nobody waits for may take. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** Monotonic time. */
  public long nanos() {
    return scheduler.time().nanos();
  }

  /** Wall-clock time, for what other programs read. */
  public Instant now() {
    return Instant.ofEpochMilli(scheduler.time().epochMillis());
  }

  /**
   * The context of a request that nobody waits for.
   *
   * @param node for whom it is made; empty when for the account
   */
  public CallContext inBackground(String node, Priority.Rank rank) {
    return CallContext.of(node, Priority.of(rank), nanos() + PATIENCE.toNanos(), shutdown);
  }
}
