package io.tidemark.provider.aws.eni;

import io.tidemark.ip.AddressSet;
import io.tidemark.metrics.Meters;
import io.tidemark.provider.aws.ec2.Ec2Accounts;
import io.tidemark.provider.kit.Batcher;
import io.tidemark.provider.kit.InterfaceAllocation;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Capability;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeAliasRanges;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.time.TaskScheduler;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** One account and region: the cache, the reads that fill it, and the nodes that use it. */
public final class EniAllocation extends InterfaceAllocation {
  private static final String INSTANCE_TYPES = "aws-instance-types";
  private static final Set<Capability> CAPABILITIES =
      Collections.unmodifiableSet(EnumSet.allOf(Capability.class));

  private final EniAccount account;
  private final EniNodes nodes;
  private final NetworkRead networks;
  private final SelectedInstances selected;
  private final EniReads reader;
  private final EniGarbageCollector collector;
  private final EniRelease release;
  private final EniGroups groups;
  private final EniAliasRanges aliases;

  /**
   * A provider that makes no request yet. VPC and subnets can belong to another account, whose
   * requests have their own buckets and breakers.
   *
   * @param ec2 called only inside requests, after start-up discovery
   * @param networkCalls of that account
   * @param instanceCalls of the account that owns the instances
   * @param cluster in the owner's tags, known after start-up discovery; empty when the cluster has
   *     no name, then nothing is collected
   * @param whereabouts of the instances
   * @param closing what {@link #close} ends too
   */
  public EniAllocation(
      Supplier<Ec2Accounts> ec2,
      CloudCalls networkCalls,
      CloudCalls instanceCalls,
      EniSettings settings,
      Supplier<String> cluster,
      Limits limits,
      TaskScheduler scheduler,
      Meters metrics,
      Whereabouts whereabouts,
      Runnable closing) {
    this(
        new EniAccount(
            new Ec2Calls(ec2, networkCalls, instanceCalls),
            settings,
            new OwnerTags(cluster, settings.scope().clusterId()),
            limits,
            scheduler,
            metrics,
            whereabouts,
            new Cancellation()),
        closing);
  }

  private EniAllocation(EniAccount account, Runnable closing) {
    super(account.state, account.ec2.calls(), Batcher.Options.usual(), closing);
    this.account = account;
    this.nodes = new EniNodes(account);
    this.networks = new NetworkRead(account, nodes);
    this.selected = new SelectedInstances(account, nodes);
    this.collector = new EniGarbageCollector(account);
    this.release = new EniRelease(account, nodes, collector);
    this.groups = new EniGroups(account, nodes);
    this.aliases = new EniAliasRanges(account, nodes, this::instanceSync);
    this.reader = new EniReads(account, nodes, this::upkeep, networks, selected);
  }

  /** The same, which reports problems of the whole operator. */
  public EniAllocation reportingTo(OperatorNotices notices) {
    account.reportTo(notices);
    return this;
  }

  /** The work that a read of an instance may give reason for. */
  private void upkeep(InstanceId id) {
    nodes.repairMarks(id);
    release.check(id);
    groups.check(id);
    aliases.check(id);
  }

  @Override
  public Set<Capability> capabilities() {
    return CAPABILITIES;
  }

  @Override
  public NodeOperations createNode(NodeSettings settings, NodeResource resource) {
    InstanceId id = instance(settings, resource);
    EniNode node = new EniNode(account, () -> nodes.repairMarks(id), settings, id);
    nodes.byInstance.put(id, node);
    if (account.inventory.contains(id)) {
      nodes.told(id, true);
    }
    node.updatedNode(resource);
    return node;
  }

  @Override
  public Map<String, String> notes() {
    return Map.of(INSTANCE_TYPES, account.limits.learned());
  }

  @Override
  public void inherit(Map<String, String> notes) {
    account.limits.inherit(notes.getOrDefault(INSTANCE_TYPES, ""));
  }

  @Override
  protected EniReads reads() {
    return reader;
  }

  @Override
  protected CompletionStage<SyncOutcome> readAll(CallContext context) {
    return new AwsFullSync(account, nodes, networks, reader, collector, selected, context).run();
  }

  @Override
  public Optional<NodeAliasRanges> aliasRanges() {
    return Optional.of(aliases);
  }

  @Override
  public Map<String, AddressSet> describedInterfaces(NodeResource resource) {
    return resource.eniStatus().map(EniStatus::addressesByInterface).orElse(Map.of());
  }

  @Override
  public void deleteInstance(InstanceId id) {
    nodes.byInstance.remove(id);
    account.named.forget(id);
    account.lostCreations.remove(id);
    account.learned.forget(id);
    account.idle.forget(id);
    reader.forget(id);
    release.forget(id);
    groups.forget(id);
    aliases.forget(id);
    account.outside.remove(id);
    super.deleteInstance(id);
  }
}
