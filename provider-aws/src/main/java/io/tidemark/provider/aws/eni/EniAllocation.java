package io.tidemark.provider.aws.eni;

import io.tidemark.ip.AddressSet;
import io.tidemark.metrics.InterfaceMetrics;
import io.tidemark.metrics.NoMetrics;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.kit.Batcher;
import io.tidemark.provider.kit.step.InterfaceRepair;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.Capability;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.PoolQuota;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** One account and region: the cache, the reads that fill it, and the nodes that use it. */
public final class EniAllocation implements AllocationImplementation {
  private static final Set<Capability> CAPABILITIES =
      Collections.unmodifiableSet(EnumSet.allOf(Capability.class));

  private final EniAccount account;
  private final Cancellation shutdown = new Cancellation();
  private final Runnable closing;
  private final InterfaceRepair<Eni> repair;
  private final NetworkRead networks;
  private final SelectedInstances selected;
  private final EniReads reader;
  private final Batcher<InstanceId, SyncOutcome> syncs;
  private final EniGarbageCollector collector;
  private final EniRelease release;
  private final EniGroups groups;

  /**
   * A provider over one door to EC2; sends nothing yet.
   *
   * @param cluster in the owner's tags; empty when the cluster has no name, then nothing is
   *     collected
   */
  public EniAllocation(
      Ec2Api ec2,
      CloudCalls calls,
      EniSettings settings,
      String cluster,
      Limits limits,
      TaskScheduler scheduler) {
    this(ec2, calls, settings, () -> cluster, limits, scheduler, () -> {});
  }

  /**
   * The same where the cluster's name is known only when something was read from EC2.
   *
   * @param closing what {@link #close} ends too
   */
  public EniAllocation(
      Ec2Api ec2,
      CloudCalls calls,
      EniSettings settings,
      Supplier<String> cluster,
      Limits limits,
      TaskScheduler scheduler,
      Runnable closing) {
    this(
        () -> ec2,
        calls,
        calls,
        settings,
        cluster,
        limits,
        scheduler,
        NoMetrics.INTERFACES,
        Whereabouts.UNKNOWN,
        closing);
  }

  /**
   * The same with metrics, and with VPC and subnets that can belong to another account, whose
   * requests have their own buckets and breakers.
   *
   * @param ec2 called only inside requests, after start-up discovery
   * @param networkCalls of that account
   * @param instanceCalls of the account that owns the instances
   * @param whereabouts of the instances
   */
  public EniAllocation(
      Supplier<Ec2Api> ec2,
      CloudCalls networkCalls,
      CloudCalls instanceCalls,
      EniSettings settings,
      Supplier<String> cluster,
      Limits limits,
      TaskScheduler scheduler,
      InterfaceMetrics metrics,
      Whereabouts whereabouts,
      Runnable closing) {
    this.closing = closing;
    this.account =
        new EniAccount(
            new Ec2Calls(ec2, networkCalls, instanceCalls),
            settings,
            new OwnerTags(cluster, settings.scope().clusterId()),
            limits,
            scheduler,
            metrics,
            whereabouts,
            shutdown);
    this.repair = new InterfaceRepair<>(account.state);
    this.networks = new NetworkRead(account);
    this.selected = new SelectedInstances(account);
    this.collector = new EniGarbageCollector(account);
    this.release = new EniRelease(account, collector, shutdown);
    this.groups = new EniGroups(account, shutdown);
    this.reader = new EniReads(account, this::upkeep, networks, selected);
    this.syncs =
        new Batcher<>(
            scheduler,
            Batcher.Options.usual(),
            reader.batches(account.inventory::beginRead),
            shutdown);
  }

  /** What a read of an instance may give reason for. */
  private void upkeep(InstanceId id) {
    account.repairMarks(repair, id);
    release.check(id);
    groups.check(id);
  }

  @Override
  public Set<Capability> capabilities() {
    return CAPABILITIES;
  }

  @Override
  public Duration readHorizon() {
    return account.settings.horizon();
  }

  @Override
  public Duration overlayExpiry() {
    return account.inventory.overlayExpiry();
  }

  @Override
  public NodeOperations createNode(NodeSettings settings, NodeResource resource) {
    InstanceId id =
        instanceId(resource)
            .orElseThrow(
                () -> new IllegalArgumentException(settings.name() + " has no instance id"));
    EniNode node = new EniNode(account, repair, settings, id);
    account.nodes.put(id, node);
    if (account.inventory.contains(id)) {
      account.told(id, true);
    }
    node.updatedNode(resource);
    return node;
  }

  @Override
  public CloudCalls calls() {
    return account.ec2.calls();
  }

  @Override
  public Map<PoolId, PoolQuota> poolQuota() {
    return account.pools.quotas();
  }

  @Override
  public CompletionStage<SyncOutcome> resync(CallContext context) {
    return new FullSync(account, networks, reader, collector, selected, context).run();
  }

  @Override
  public CompletionStage<SyncOutcome> instanceSync(InstanceId id, CallContext context) {
    return syncs.submit(id, context);
  }

  @Override
  public Map<String, AddressSet> describedInterfaces(NodeResource resource) {
    return resource.eniStatus().map(EniStatus::addressesByInterface).orElse(Map.of());
  }

  @Override
  public void deleteInstance(InstanceId id) {
    account.nodes.remove(id);
    account.named.forget(id);
    account.creations.forget(id);
    account.lostCreations.remove(id);
    account.learned.forget(id);
    account.idle.forget(id);
    reader.forget(id);
    release.forget(id);
    groups.forget(id);
    account.outside.remove(id);
    account.inventory.forget(id);
  }

  @Override
  public void close() {
    shutdown.cancel();
    closing.run();
  }
}
