package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.kit.GarbageCollection;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Deletes interfaces that a program of this instance created and that are attached to nothing, such
 * as one whose creation was answered too late. EC2 is asked once an hour, and every few minutes
 * while something may have been left behind: at the start, and after a request without a clear
 * answer. Thread-safe.
 */
final class InstanceLeftovers implements GarbageCollection.Cloud<AwsNetworkInterface> {
  /** Between two listings without a reason for one. */
  static final Duration RARELY = Duration.ofHours(1);

  /** The pause after the first failed delete is twice this. */
  private static final Duration PAUSE = Duration.ofMinutes(5);

  private static final int DELETES_MAX = 5;

  private final EniAccount account;
  private final InstanceId instance;
  private final GarbageCollection<AwsEni, AwsNetworkInterface> collection;
  private final Object lock = new Object();
  private boolean suspected = true;
  private boolean listing;
  private boolean listed;
  private long suspectedNanos;
  private long listedNanos;

  InstanceLeftovers(EniAccount account, InstanceId instance) {
    this.account = account;
    this.instance = instance;
    this.suspectedNanos = account.state.nanos();
    this.collection =
        new GarbageCollection<>(
            account.state,
            this,
            new GarbageCollection.Options(
                account.settings.collectionAge(), account.settings.horizon(), PAUSE, DELETES_MAX));
  }

  /** A request has ended so that an interface may exist that is attached to nothing. */
  void suspect() {
    synchronized (lock) {
      suspected = true;
      suspectedNanos = account.state.nanos();
    }
  }

  /** Lists what is attached to nothing, if it is time, and has the old ones deleted. */
  void check() {
    long now = account.state.nanos();
    if (begins(now)) {
      account
          .ec2
          .available(
              Map.of(OwnerTags.AWS_NODE, instance.text()),
              account.state.inBackground("", Priority.Rank.SWEEP))
          .thenAccept(
              result -> {
                result.answer().ifPresent(found -> collection.check(found, now));
                ended(now, result);
              });
    }
  }

  private boolean begins(long now) {
    Duration often = account.settings.collectionInterval();
    synchronized (lock) {
      Duration pause = suspected ? often : RARELY;
      if (often.isZero() || listing || (listed && now - listedNanos < pause.toNanos())) {
        return false;
      }
      listing = true;
      listed = true;
      listedNanos = now;
      return true;
    }
  }

  /** The suspicion ends with a listing that shows nothing and cannot have been too early. */
  private void ended(long asked, CallResult<List<AwsNetworkInterface>> result) {
    boolean late = asked - suspectedNanos >= account.settings.collectionAge().toNanos();
    synchronized (lock) {
      listing = false;
      result
          .answer()
          .map(found -> found.stream().anyMatch(this::isOurs))
          .ifPresent(some -> suspected = some || (suspected && !late));
    }
  }

  private boolean isOurs(AwsNetworkInterface listed) {
    return listed.attachment().isEmpty()
        && (listed.status().isEmpty() || listed.status().equals("available"))
        && InstanceTags.created(listed, instance);
  }

  @Override
  public Optional<GarbageCollection.Orphan> orphan(AwsNetworkInterface listed) {
    return isOurs(listed) && !account.creations.isCurrent(OwnerTags.token(listed))
        ? Optional.of(
            new GarbageCollection.Orphan(
                listed.id(),
                listed.subnet(),
                listed.addressesHeld(),
                InstanceTags.createdAt(listed.tags())))
        : Optional.empty();
  }

  @Override
  public CompletionStage<CallResult<List<AwsNetworkInterface>>> confirm(
      AwsNetworkInterface listed, CallContext context) {
    return account.ec2.find(listed.id(), context);
  }

  @Override
  public CompletionStage<CallResult<InterfaceId>> delete(InterfaceId id, CallContext context) {
    return account.ec2.delete(id, context);
  }
}
