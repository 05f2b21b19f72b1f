package io.tidemark.provider.mock;

import io.tidemark.provider.kit.ReadMark;
import io.tidemark.provider.mock.cloud.NetworkInterface;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Deletes interfaces of ours that are attached to nothing: seen so twice, at least {@link #AGE}
 * apart, and not being created just now. The cloud refuses to delete what is attached, so a read
 * that lags does no harm. Thread-safe.
 */
final class InterfaceCollection {
  static final Duration AGE = Duration.ofMinutes(1);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final MockAccount account;
  private final Cancellation shutdown;
  private final Object lock = new Object();
  private Map<InterfaceId, Long> firstSeenNanos = Map.of();

  InterfaceCollection(MockAccount account, Cancellation shutdown) {
    this.account = account;
    this.shutdown = shutdown;
  }

  /** Looks at a whole listing; sends what is needed and does not wait for it. */
  void check(ReadMark mark, List<NetworkInterface> all) {
    Map<InterfaceId, Long> seen = new HashMap<>();
    for (NetworkInterface each : all) {
      boolean litter =
          each.attachment().isEmpty()
              && account.owner.own(each.tags())
              && !account.creations.isUnderWay(OwnerTags.token(each));
      if (litter) {
        InterfaceId id = new InterfaceId(each.id());
        long first = firstSeen(id, mark.nanos());
        seen.put(id, first);
        if (mark.nanos() - first >= AGE.toNanos()) {
          delete(each, id);
        }
      }
    }
    synchronized (lock) {
      firstSeenNanos = Map.copyOf(seen);
    }
  }

  private long firstSeen(InterfaceId id, long nowNanos) {
    synchronized (lock) {
      return firstSeenNanos.getOrDefault(id, nowNanos);
    }
  }

  private void delete(NetworkInterface litter, InterfaceId id) {
    CallContext context =
        CallContext.of(
            "",
            Priority.of(Priority.Rank.SWEEP),
            account.scheduler.time().nanos() + PATIENCE.toNanos(),
            shutdown);
    account
        .api
        .delete(id, context)
        .thenAccept(
            result ->
                result.match(
                    deleted -> {
                      account.pools.gave(new PoolId(litter.subnetId()), litter.addressesHeld());
                      return deleted;
                    },
                    failure -> id));
  }
}
