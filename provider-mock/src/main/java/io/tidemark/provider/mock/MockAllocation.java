package io.tidemark.provider.mock;

import io.tidemark.ip.AddressSet;
import io.tidemark.provider.kit.AccountState;
import io.tidemark.provider.kit.GarbageCollection;
import io.tidemark.provider.kit.InTime;
import io.tidemark.provider.kit.ListingAllocation;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.provider.kit.step.FailureRules;
import io.tidemark.provider.mock.cloud.CloudException;
import io.tidemark.provider.mock.cloud.CloudException.Code;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.provider.mock.cloud.MockCloud;
import io.tidemark.provider.mock.cloud.MockInterface;
import io.tidemark.provider.mock.cloud.MockRequests;
import io.tidemark.provider.mock.cloud.MockSubnet;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallLimits;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Capability;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.NodeAliasRanges;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** One account of the mock cloud: its requests, its reads, and the collection of orphans. */
final class MockAllocation extends ListingAllocation<MockInterface, MockSubnet>
    implements GarbageCollection.Cloud<MockInterface> {
  /** The errors which say that the subnet, and not the interface or the instance, has no room. */
  static final FailureRules FAILURES =
      new FailureRules(
          Set.of(Code.INSUFFICIENT_FREE_ADDRESSES.wire(), Code.INSUFFICIENT_CIDR_BLOCKS.wire()));

  private static final String CLUSTER_TAG = "tidemark.io/cluster";
  private static final String TOKEN_TAG = "tidemark.io/token";
  private static final double UNLIMITED = 1e6;
  private static final Duration ORPHAN_AGE = Duration.ofMinutes(1);
  private static final GarbageCollection.Options ORPHANS =
      new GarbageCollection.Options(ORPHAN_AGE, ORPHAN_AGE, Duration.ZERO, Integer.MAX_VALUE);

  final MockCloud cloud;
  final AccountState<MockInterface, MockSubnet> state;
  final String cluster;
  final ManifestAdoption adoption;
  private final Duration latency;
  private final GarbageCollection<MockInterface, MockInterface> collection;
  private final MockAliasRanges aliases;

  /** An account; each answer is passed on after the latency. */
  MockAllocation(
      MockCloud cloud,
      CloudCalls calls,
      AccountState<MockInterface, MockSubnet> state,
      String cluster,
      ManifestAdoption adoption,
      Duration latency) {
    super(state, calls);
    this.cloud = cloud;
    this.state = state;
    this.cluster = cluster;
    this.adoption = adoption;
    this.latency = latency;
    this.aliases = new MockAliasRanges(this);
    this.collection = new GarbageCollection<>(state, this, ORPHANS);
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.complementOf(EnumSet.of(Capability.IPV6_PREFIX, Capability.STATIC_ADDRESS));
  }

  @Override
  public NodeOperations createNode(NodeSettings settings, NodeResource resource) {
    MockNode node = new MockNode(this, settings, instance(settings, resource));
    node.updatedNode(resource);
    return node;
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
    aliases.assignment.forget(id);
    super.deleteInstance(id);
    adoption.left(id);
  }

  // ---- requests

  /** Pacing by the cloud's buckets, and the meaning of its errors. */
  static CallPolicy policy(double bucketScale) {
    Map<CallKind, CallLimits> limits = new HashMap<>();
    for (CloudOperation each : CloudOperation.values()) {
      double rate = bucketScale == 0 ? UNLIMITED : each.refillPerSecond() * bucketScale;
      double burst = bucketScale == 0 ? UNLIMITED : Math.max(1, each.bucketSize() * bucketScale);
      limits.put(each.kind(), new CallLimits(rate, (int) burst, Duration.ofSeconds(10), 3));
    }
    return new CallPolicy("mock", limits, MockAllocation::classify);
  }

  /** Whatever is not an answer of the cloud is a lost answer. */
  static Failure classify(CallKind kind, Throwable thrown) {
    String how = kind + ": " + thrown.getClass().getSimpleName();
    return thrown instanceof CloudException answer
        ? answer.failure()
        : Failure.of(Failure.Kind.LOST, "answerLost", how);
  }

  /** Sends one request; its answer is passed on after the configured latency. */
  <T> CompletionStage<CallResult<T>> send(
      CloudOperation operation, String subject, CallContext context, MockCloud.Request<T> request) {
    CompletionStage<CallResult<T>> stage =
        calls()
            .call(operation.kind(), context, attempt -> cloud.request(operation, subject, request));
    return latency.isZero() ? stage : stage.thenCompose(result -> later(result, context));
  }

  private <T> CompletionStage<T> later(T result, CallContext context) {
    long now = state.nanos();
    long at = Math.min(now + latency.toNanos(), Math.max(now, context.deadlineNanos()));
    return InTime.or(new CompletableFuture<>(), at, state.scheduler(), () -> result);
  }

  // ---- reads

  @Override
  protected CompletionStage<CallResult<List<Pool<MockSubnet>>>> listPools(CallContext context) {
    adoption.adoptWaiting();
    return send(CloudOperation.DESCRIBE_SUBNETS, "", context, MockRequests::subnets);
  }

  @Override
  protected CompletionStage<CallResult<Map<InstanceId, List<MockInterface>>>> list(
      CallContext context) {
    long beganNanos = state.nanos();
    return interfaces(each -> true, context)
        .thenApply(
            result ->
                result.map(
                    all -> {
                      collection.check(all, beganNanos);
                      return attached(all);
                    }));
  }

  @Override
  public CompletionStage<CallResult<Map<InstanceId, List<MockInterface>>>> read(
      Set<InstanceId> ids, CallContext context) {
    adoption.adoptWaiting();
    List<String> texts = ids.stream().map(InstanceId::text).sorted().toList();
    String subject = texts.size() == 1 ? texts.get(0) : "";
    return send(
            CloudOperation.DESCRIBE_INTERFACES,
            subject,
            context,
            cloud -> cloud.interfacesOf(texts))
        .thenApply(result -> result.map(MockAllocation::attached));
  }

  /** Those of all instances, and those that are attached nowhere. */
  CompletionStage<CallResult<List<MockInterface>>> interfaces(
      Predicate<MockInterface> wanted, CallContext context) {
    return send(CloudOperation.DESCRIBE_INTERFACES, "", context, cloud -> cloud.interfaces(wanted));
  }

  private static Map<InstanceId, List<MockInterface>> attached(List<MockInterface> all) {
    return all.stream()
        .filter(MockInterface::isAttached)
        .sorted(Comparator.comparing(MockInterface::id))
        .collect(Collectors.groupingBy(each -> new InstanceId(each.instanceId())));
  }

  Optional<Pool<MockSubnet>> pool(MockInterface of) {
    return state.pools().find(of.pool());
  }

  // ---- the tags that every interface of ours carries from birth

  Map<String, String> tags(InstanceId instance, String token) {
    return Map.of(CLUSTER_TAG, cluster, "tidemark.io/instance", instance.text(), TOKEN_TAG, token);
  }

  static String token(MockInterface each) {
    return each.fixed().tags().getOrDefault(TOKEN_TAG, "");
  }

  // ---- orphans: the cloud refuses to delete what is attached, so a listing that lags does no harm

  /** Interfaces of others are never touched. */
  @Override
  public Optional<GarbageCollection.Orphan> orphan(MockInterface listed) {
    boolean orphaned =
        !listed.isAttached()
            && cluster.equals(listed.fixed().tags().get(CLUSTER_TAG))
            && listed.fixed().tags().containsKey(TOKEN_TAG)
            && !state.creations().isCurrent(token(listed));
    return orphaned
        ? Optional.of(
            new GarbageCollection.Orphan(
                listed.id(), listed.pool(), listed.taken().size(), Optional.empty()))
        : Optional.empty();
  }

  @Override
  public CompletionStage<CallResult<InterfaceId>> delete(InterfaceId id, CallContext context) {
    return send(
        CloudOperation.DELETE_INTERFACE, id.text(), context, requests -> requests.delete(id));
  }
}
