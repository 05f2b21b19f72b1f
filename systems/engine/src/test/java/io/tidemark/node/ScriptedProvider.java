package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Failure;
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
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The provider of the core's own tests (node-manager 10.1): one pool {@code global} of 2048
 * addresses, every instance known, whatever happens scripted by the test. Single-threaded.
 */
final class ScriptedProvider implements AllocationImplementation {
  static final PoolId GLOBAL = new PoolId("global");
  static final CallKind ALLOCATE = new CallKind("allocate", CallKind.Effect.ONCE);
  static final CallKind CREATE = new CallKind("create", CallKind.Effect.TOKENED);
  static final CallKind RELEASE = new CallKind("release", CallKind.Effect.REPEATABLE);

  private static final int POOL_SIZE = 2048;
  private static final Cidr POOL = Cidr.parse("10.16.0.0/21");

  final ImmediateCalls calls = new ImmediateCalls();
  Duration readHorizon = Duration.ZERO;
  final Set<Capability> capabilities = EnumSet.allOf(Capability.class);
  final Map<String, ScriptedNode> nodes = new TreeMap<>();
  final List<String> log = new ArrayList<>();
  final Deque<Supplier<CompletionStage<SyncOutcome>>> resyncs = new ArrayDeque<>();
  final Deque<Supplier<CompletionStage<SyncOutcome>>> instanceSyncs = new ArrayDeque<>();
  final Map<PoolId, PoolQuota> extraPools = new HashMap<>();
  private int next;
  private int taken;
  private long generation;

  /** The next value of the provider's counter: something of ours changed the cloud. */
  long mutated() {
    return ++generation;
  }

  long generation() {
    return generation;
  }

  AddressSet take(int count) {
    List<IpAddress> addresses = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      addresses.add(POOL.address(next++ % POOL_SIZE));
    }
    taken += count;
    return AddressSet.copyOf(addresses);
  }

  Cidr takeBlock() {
    next = (next + 15) / 16 * 16;
    Cidr block = Cidr.containing(POOL.address(next % POOL_SIZE), 28);
    next += 16;
    taken += 16;
    return block;
  }

  void giveBack(int count) {
    taken -= count;
  }

  int free() {
    return POOL_SIZE - taken;
  }

  /** The next read of an instance fails. */
  void failInstanceSync(Failure.Kind kind) {
    instanceSyncs.add(() -> failed(kind));
  }

  /** The next full scan fails. */
  void failResync(Failure.Kind kind) {
    resyncs.add(() -> failed(kind));
  }

  /** The same with its cause. */
  void failResync(Failure.Kind kind, String condition, String detail) {
    resyncs.add(
        () ->
            CompletableFuture.completedStage(
                new SyncOutcome.Failed(Failure.of(kind, condition, detail))));
  }

  /** The next read of an instance answers when {@code answer} is completed. */
  CompletableFuture<SyncOutcome> hangInstanceSync() {
    CompletableFuture<SyncOutcome> answer = new CompletableFuture<>();
    instanceSyncs.add(() -> answer);
    return answer;
  }

  private static CompletionStage<SyncOutcome> failed(Failure.Kind kind) {
    return CompletableFuture.completedStage(
        new SyncOutcome.Failed(Failure.of(kind, "scripted", "as the test wants it")));
  }

  /** How many log entries begin with {@code prefix}. */
  long count(String prefix) {
    return log.stream().filter(entry -> entry.startsWith(prefix)).count();
  }

  /** The node of that name; it must have been created. */
  ScriptedNode node(String name) {
    ScriptedNode node = nodes.get(name);
    if (node == null) {
      throw new AssertionError("no operations were created for " + name);
    }
    return node;
  }

  @Override
  public Set<Capability> capabilities() {
    return capabilities;
  }

  @Override
  public CloudCalls calls() {
    return calls;
  }

  @Override
  public Duration readHorizon() {
    return readHorizon;
  }

  @Override
  public Duration overlayExpiry() {
    return Duration.ZERO;
  }

  @Override
  public NodeOperations createNode(NodeSettings settings, NodeResource resource) {
    log.add("createNode " + settings.name() + " " + resource.instanceId().orElse(""));
    ScriptedNode known = nodes.get(settings.name());
    ScriptedNode node = known == null ? new ScriptedNode(this, settings.name()) : known;
    nodes.put(settings.name(), node);
    return node;
  }

  /** A node that exists in the cloud before its resource is seen. */
  ScriptedNode prepared(String name) {
    return nodes.computeIfAbsent(name, each -> new ScriptedNode(this, each));
  }

  @Override
  public Map<PoolId, PoolQuota> poolQuota() {
    Map<PoolId, PoolQuota> quota = new TreeMap<>(extraPools);
    quota.put(GLOBAL, new PoolQuota("", free(), 0));
    return quota;
  }

  @Override
  public CompletionStage<SyncOutcome> resync(CallContext context) {
    log.add("resync");
    return resyncs.isEmpty() ? synced() : resyncs.poll().get();
  }

  @Override
  public CompletionStage<SyncOutcome> instanceSync(InstanceId id, CallContext context) {
    log.add("instanceSync " + id);
    return instanceSyncs.isEmpty() ? synced() : instanceSyncs.poll().get();
  }

  private CompletionStage<SyncOutcome> synced() {
    return CompletableFuture.completedStage(new SyncOutcome.Synced(generation));
  }

  @Override
  public Map<String, AddressSet> describedInterfaces(NodeResource resource) {
    return resource.eniStatus().map(EniStatus::addressesByInterface).orElse(Map.of());
  }

  @Override
  public void deleteInstance(InstanceId id) {
    log.add("deleteInstance " + id);
  }

  @Override
  public void close() {
    log.add("close");
  }
}
