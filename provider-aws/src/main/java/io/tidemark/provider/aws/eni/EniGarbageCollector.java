package io.tidemark.provider.aws.eni;

import io.tidemark.metrics.Metric;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.kit.GarbageCollection;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.Tags;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * The requests to EC2 of the collection of orphaned interfaces (provider-aws 6, M9), and whether
 * anything is collected. EC2 refuses to delete what is attached. Thread-safe.
 */
final class EniGarbageCollector implements GarbageCollection.Cloud<AwsNetworkInterface> {
  private static final List<String> STATES = List.of("on", "off", "unnamed");

  /** The pause after the first failed delete is twice this. */
  private static final Duration PAUSE = Duration.ofMinutes(5);

  /** How descriptions begin where the settings say nothing else, and those of the reference. */
  private static final String DESCRIPTION = "Tidemark";

  private static final String REFERENCE_DESCRIPTION = "Cilium-CNI";

  private final EniAccount account;
  private final GarbageCollection<AwsEni, AwsNetworkInterface> collection;

  EniGarbageCollector(EniAccount account) {
    this.account = account;
    this.collection =
        new GarbageCollection<>(
            account.state,
            this,
            new GarbageCollection.Options(
                account.settings.collectionAge(),
                account.settings.horizon(),
                PAUSE,
                account.settings.scope().collectionsMax().orElse(Integer.MAX_VALUE)));
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
    String state = !wanted ? "off" : isUnnamed() ? "unnamed" : "on";
    for (String each : STATES) {
      account.metrics.gauge(Metric.ENI_GC_STATE, each).set(each.equals(state) ? 1 : 0);
    }
  }

  /** Tags of what may be collected, for a listing. */
  Map<String, String> filter() {
    Map<String, String> instead = account.settings.scope().collectionTags();
    return instead.isEmpty() ? account.owner.filter() : instead;
  }

  /** Checks a complete listing; starts the necessary requests and does not wait for them. */
  void check(List<AwsNetworkInterface> all) {
    if (isOn()) {
      collection.check(all, account.state.nanos());
    }
  }

  @Override
  public Optional<GarbageCollection.Orphan> orphan(AwsNetworkInterface listed) {
    boolean orphaned =
        listed.attachment().isEmpty()
            && (listed.status().isEmpty() || listed.status().equals("available"))
            && isOurs(listed.description(), listed.tags())
            && !account.creations.isCurrent(OwnerTags.token(listed));
    return orphaned
        ? Optional.of(
            new GarbageCollection.Orphan(
                listed.id(),
                listed.subnet(),
                listed.addressesHeld(),
                OwnerTags.createdAt(listed.tags())))
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
}
