package io.tidemark.provider.kit;

import io.tidemark.metrics.Metric;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Deletes own detached interfaces that are old enough and were seen detached at least twice, some
 * time apart; reads each again before the delete. One that cannot be deleted does not delay the
 * others: the pause before its next delete doubles. Thread-safe.
 */
public final class GarbageCollection<I extends CachedInterface<I>, C> {
  private static final int DOUBLINGS_MAX = 6;

  private final AccountState<I, ?> account;
  private final Cloud<C> cloud;
  private final Options options;
  private final Object lock = new Object();
  private Map<InterfaceId, Sighting> sightings = new HashMap<>();

  /**
   * When an orphan is deleted.
   *
   * @param age since its creation by the cloud's date, or since it was first seen
   * @param sightingsApart minimum time between the first sighting and the delete
   * @param pause after a failed delete; doubles with each failure
   * @param deletesMax deletes per listing, oldest first
   */
  public record Options(Duration age, Duration sightingsApart, Duration pause, int deletesMax) {}

  /**
   * An own interface that is not attached.
   *
   * @param addresses that it holds, the primary one included
   * @param createdAt empty if the cloud does not report it
   */
  public record Orphan(InterfaceId id, PoolId pool, int addresses, Optional<Instant> createdAt) {}

  /** The provider's side. Called without a lock held. */
  public interface Cloud<C> {
    /** The orphan that a listed interface is; empty unless it is ours, unattached, not current. */
    Optional<Orphan> orphan(C listed);

    /** Reads it again; returns none if it does not exist. By default the listing is enough. */
    default CompletionStage<CallResult<List<C>>> confirm(C listed, CallContext context) {
      return CallResult.answered(List.of(listed));
    }

    /** Deletes it; refused by the cloud when it is attached. */
    CompletionStage<CallResult<InterfaceId>> delete(InterfaceId id, CallContext context);
  }

  /**
   * The memory of an orphan.
   *
   * @param failures failed deletes
   */
  private record Sighting(long firstNanos, long notBeforeNanos, int failures) {}

  private record Due<C>(C listed, Orphan orphan) {}

  /** Nothing was seen yet. */
  public GarbageCollection(AccountState<I, ?> account, Cloud<C> cloud, Options options) {
    this.account = account;
    this.cloud = cloud;
    this.options = options;
  }

  /**
   * Checks a complete listing; starts the necessary requests and does not wait for them.
   *
   * @param nowNanos the monotonic time of the listing
   */
  public void check(List<C> all, long nowNanos) {
    Map<InterfaceId, Sighting> seen = new HashMap<>();
    List<Due<C>> due = new ArrayList<>();
    for (C each : all) {
      Optional<Orphan> found = cloud.orphan(each);
      if (found.isPresent()) {
        Orphan orphan = found.get();
        Sighting sighting = sighting(orphan.id(), nowNanos);
        seen.put(orphan.id(), sighting);
        if (isOld(orphan, sighting, nowNanos) && nowNanos - sighting.notBeforeNanos() >= 0) {
          due.add(new Due<>(each, orphan));
        }
      }
    }
    synchronized (lock) {
      sightings = seen;
    }
    due.stream()
        .sorted(
            Comparator.comparing((Due<C> each) -> each.orphan().createdAt().orElse(Instant.MAX))
                .thenComparing(each -> each.orphan().id()))
        .limit(options.deletesMax())
        .forEach(each -> confirm(each.listed()));
  }

  private Sighting sighting(InterfaceId id, long nowNanos) {
    synchronized (lock) {
      @Nullable Sighting before = sightings.get(id);
      if (before != null) {
        return before;
      }
    }
    account.metrics().count(Metric.ENI_GC_CANDIDATES);
    return new Sighting(nowNanos, nowNanos, 0);
  }

  /** By a clock that may be ahead of ours, so the time since the first sighting counts too. */
  private boolean isOld(Orphan orphan, Sighting sighting, long nowNanos) {
    long seenForNanos = nowNanos - sighting.firstNanos();
    if (seenForNanos < options.sightingsApart().toNanos()) {
      return false;
    }
    return seenForNanos >= options.age().toNanos()
        || orphan
            .createdAt()
            .filter(at -> at.plus(options.age()).isBefore(account.now()))
            .isPresent();
  }

  private void confirm(C listed) {
    CallContext context = account.inBackground("", Priority.Rank.SWEEP);
    cloud
        .confirm(listed, context)
        .thenCompose(result -> result.match(found -> delete(found, context), failure -> ended()));
  }

  private CompletionStage<Void> delete(List<C> found, CallContext context) {
    Optional<Orphan> still = found.size() == 1 ? cloud.orphan(found.get(0)) : Optional.empty();
    return still.isEmpty() ? ended() : delete(still.get(), context);
  }

  private CompletionStage<Void> delete(Orphan orphan, CallContext context) {
    return cloud
        .delete(orphan.id(), context)
        .thenAccept(
            result -> {
              boolean deleted = result.match(id -> true, failure -> false);
              account.metrics().count(deleted ? Metric.ENI_GC_DELETED : Metric.ENI_GC_FAILED);
              if (deleted) {
                account.pools().gave(orphan.pool(), orphan.addresses());
              } else {
                later(orphan.id());
              }
            });
  }

  private void later(InterfaceId id) {
    long now = account.nanos();
    synchronized (lock) {
      sightings.computeIfPresent(
          id,
          (same, old) -> {
            int failures = Math.min(DOUBLINGS_MAX, old.failures() + 1);
            long pause = options.pause().toNanos() << failures;
            return new Sighting(old.firstNanos(), now + pause, failures);
          });
    }
  }

  private static CompletionStage<Void> ended() {
    return CompletableFuture.completedStage(null);
  }
}
