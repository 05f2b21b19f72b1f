package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.EniAccount.done;

import io.tidemark.metrics.InterfaceMetrics.Collection;
import io.tidemark.metrics.InterfaceMetrics.LeftOver;
import io.tidemark.provider.aws.ec2.InterfaceQuery;
import io.tidemark.provider.aws.ec2.NetworkInterface;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Deletes interfaces of ours that are attached to nothing (provider-aws 6, M9): created, or first
 * seen, at least an interval ago, seen so at least a horizon apart, not being created just now, and
 * still so when looked at once more before the delete. EC2 refuses to delete what is attached.
 * Thread-safe.
 */
final class EniGarbageCollector {
  private static final Duration AGE_MIN = Duration.ofMinutes(5);
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int SKIPS_MAX = 6;

  /** How descriptions begin where the settings say nothing else, and those of the reference. */
  private static final String DESCRIPTION = "Tidemark";

  private static final String REFERENCE_DESCRIPTION = "Cilium-CNI";

  private final EniAccount account;
  private final Cancellation shutdown;
  private final Object lock = new Object();
  private Map<InterfaceId, Sighting> sightings = new HashMap<>();

  /**
   * What is remembered of an interface that is attached to nothing.
   *
   * @param failures deletes in vain; each doubles the time until the next
   */
  private record Sighting(long firstNanos, long notBeforeNanos, int failures) {}

  EniGarbageCollector(EniAccount account, Cancellation shutdown) {
    this.account = account;
    this.shutdown = shutdown;
  }

  /** Whether anything is collected: not without an interval, nor without a name of the cluster. */
  boolean isOn() {
    return !account.settings.collectionInterval().isZero() && !isUnnamed();
  }

  /** Whether nothing tells the cluster's own interfaces from others'. */
  private boolean isUnnamed() {
    return account.owner.cluster().isEmpty() && account.settings.scope().collectionTags().isEmpty();
  }

  /** Tells how it stands, before a listing is looked at. */
  void tell() {
    boolean wanted = !account.settings.collectionInterval().isZero();
    account.metrics.collection(
        !wanted ? Collection.OFF : isUnnamed() ? Collection.UNNAMED : Collection.ON);
  }

  /** Tags of what may be collected, for a listing. */
  Map<String, String> filter() {
    Map<String, String> instead = account.settings.scope().collectionTags();
    return instead.isEmpty() ? account.owner.filter() : instead;
  }

  /** Looks at a whole listing; sends what is needed and does not wait for it. */
  void check(List<NetworkInterface> all) {
    if (!isOn()) {
      return;
    }
    account.recentCreations.keep(age());
    long now = account.scheduler.time().nanos();
    Map<InterfaceId, Sighting> seen = new HashMap<>();
    List<NetworkInterface> due = new ArrayList<>();
    for (NetworkInterface each : all) {
      if (isLitter(each)) {
        Sighting sighting = sighting(each.id(), now);
        seen.put(each.id(), sighting);
        if (isOld(each, sighting, now) && now - sighting.notBeforeNanos() >= 0) {
          due.add(each);
        }
      }
    }
    synchronized (lock) {
      sightings = seen;
    }
    due.stream()
        .sorted(
            Comparator.comparing(EniGarbageCollector::createdAt)
                .thenComparing(NetworkInterface::id))
        .limit(account.settings.scope().collectionsMax().orElse(Integer.MAX_VALUE))
        .forEach(each -> confirm(each.id()));
  }

  /** Oldest first; those that do not tell are last. */
  private static Instant createdAt(NetworkInterface each) {
    return OwnerTags.createdAt(each.tags()).orElse(Instant.MAX);
  }

  private boolean isLitter(NetworkInterface each) {
    return each.attachment().isEmpty()
        && (each.status().isEmpty() || each.status().equals("available"))
        && isOurs(each.description(), each.tags())
        && !account.creations.isUnderWay(OwnerTags.token(each))
        && !account.recentCreations.isWithin(age(), OwnerTags.token(each));
  }

  /** Tags alone could be copied, so the description must be one of a creation, too. */
  boolean isOurs(String description, Map<String, String> tags) {
    Map<String, String> instead = account.settings.scope().collectionTags();
    boolean tagged =
        instead.isEmpty()
            ? account.owner.own(tags)
            : new Tags(tags).matches(instead) && account.owner.foreign(tags).isEmpty();
    return tagged
        && Stream.of(account.settings.description(), DESCRIPTION, REFERENCE_DESCRIPTION)
            .anyMatch(prefix -> description.startsWith(prefix + " ("));
  }

  private Duration age() {
    Duration interval = account.settings.collectionInterval();
    return interval.compareTo(AGE_MIN) > 0 ? interval : AGE_MIN;
  }

  private Sighting sighting(InterfaceId id, long now) {
    synchronized (lock) {
      @Nullable Sighting before = sightings.get(id);
      if (before != null) {
        return before;
      }
    }
    account.metrics.leftOver(LeftOver.FOUND);
    return new Sighting(now, now, 0);
  }

  /**
   * Two sightings a horizon apart always; beyond them the tag tells the age, or the time since the
   * first sighting: the clock that wrote the tag may be ahead of ours.
   */
  private boolean isOld(NetworkInterface each, Sighting sighting, long now) {
    long seenForNanos = now - sighting.firstNanos();
    if (seenForNanos < account.settings.horizon().toNanos()) {
      return false;
    }
    Optional<Instant> createdAt = OwnerTags.createdAt(each.tags());
    return seenForNanos >= age().toNanos()
        || createdAt.filter(at -> at.plus(age()).isBefore(account.now())).isPresent();
  }

  private void confirm(InterfaceId id) {
    CallContext context =
        CallContext.of(
            "",
            Priority.of(Priority.Rank.SWEEP),
            account.scheduler.time().nanos() + PATIENCE.toNanos(),
            shutdown);
    account
        .ec2
        .interfaces(new InterfaceQuery.One(id), context)
        .thenCompose(
            result ->
                result.match(
                    found ->
                        found.size() == 1 && isLitter(found.get(0))
                            ? delete(found.get(0), context)
                            : done(id),
                    failure -> done(id)));
  }

  private CompletionStage<InterfaceId> delete(NetworkInterface litter, CallContext context) {
    return account
        .ec2
        .delete(litter.id(), context)
        .thenApply(
            result ->
                result.match(
                    deleted -> {
                      account.metrics.leftOver(LeftOver.DELETED);
                      account.pools.gave(litter.subnet(), litter.addressesHeld());
                      return deleted;
                    },
                    failure -> {
                      account.metrics.leftOver(LeftOver.FAILED);
                      later(litter.id());
                      return litter.id();
                    }));
  }

  /** One that cannot be deleted must not keep the others waiting. */
  private void later(InterfaceId id) {
    long now = account.scheduler.time().nanos();
    synchronized (lock) {
      sightings.computeIfPresent(
          id,
          (same, old) -> {
            int failures = Math.min(SKIPS_MAX, old.failures() + 1);
            return new Sighting(old.firstNanos(), now + (AGE_MIN.toNanos() << failures), failures);
          });
    }
  }
}
