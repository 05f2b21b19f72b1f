package io.tidemark.spi.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.PendingPods;
import io.tidemark.config.ConfigSource;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.TestMeters;
import io.tidemark.node.NodeManager;
import io.tidemark.node.NodeManagerPorts;
import io.tidemark.node.NodeReport;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.Priority;
import io.tidemark.resilience.StandardCloudCallsFactory;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.StoreResult;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.spi.ProviderContext;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.testing.Samples;
import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectModel;
import io.tidemark.time.EffectSite;
import io.tidemark.time.Lanes;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A provider over its cloud in virtual time, alone or with the engine and an API server; also for
 * tests of a provider's own. Used by one thread.
 */
public final class ContractWorld {
  static final Duration TRAVEL = Duration.ofMillis(50);
  private static final Duration CALL_LIMIT = Duration.ofMinutes(1);

  public final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  public final ContractCloud cloud;
  public final AllocationImplementation provider;
  public final InMemoryNodeResourceStore server = new InMemoryNodeResourceStore();
  public final TestMeters metrics = new TestMeters();
  final List<String> requests = new ArrayList<>();

  /** Requests that change something, in the order in which they were sent. */
  final List<String> changes = new ArrayList<>();

  private final Map<String, NodeResource> launched = new HashMap<>();
  private final Deque<EffectFate> nextChanges = new ArrayDeque<>();
  private Optional<NodeManager> manager = Optional.empty();

  /** A provider over a cloud that is made in this world's time. */
  public ContractWorld(Function<VirtualTime, ContractCloud> clouds) {
    this.cloud = clouds.apply(time);
    this.provider =
        cloud.provider(
            new ProviderContext(
                "contract",
                ConfigSource.of(Map.of()),
                time,
                new Random(3),
                StandardCloudCallsFactory.unlimited(time, time.effects(this::fate), new Random(3)),
                Meters.none(),
                OperatorNotices.NONE));
  }

  private EffectFate fate(EffectSite site, Duration timeout) {
    requests.add(site.operation());
    EffectFate usual = EffectFate.answered(TRAVEL, TRAVEL);
    if (!cloud.changingOperations().contains(site.operation())) {
      return usual;
    }
    changes.add(site.operation());
    return nextChanges.isEmpty() ? usual : nextChanges.poll();
  }

  /** The next request that changes something is done, and its answer never arrives. */
  void loseNextAnswer() {
    nextChanges.add(EffectFate.answerLost(TRAVEL));
  }

  /** The next request that changes something goes well; for losing a later one. */
  void answerNextChange() {
    nextChanges.add(EffectFate.answered(TRAVEL, TRAVEL));
  }

  /** The next request that changes something never arrives. */
  void loseNextRequest() {
    nextChanges.add(EffectFate.requestLost());
  }

  /** After {@code before} more changing requests that go well, one meets this fate. */
  void meets(int before, EffectFate fate) {
    for (int i = 0; i < before; i++) {
      answerNextChange();
    }
    nextChanges.add(fate);
  }

  /** The usual world: one subnet, and in it {@code node1} of this shape. */
  ContractWorld with(NodeShape shape) {
    cloud.subnet("subnet-a", Cidr.parse("10.0.0.0/20"));
    launch("node1", shape, "subnet-a");
    return this;
  }

  /** A running instance for the node of this name. */
  public void launch(String node, NodeShape shape, String subnetId) {
    launched.put(node, cloud.launch(node, shape, subnetId));
  }

  /** The instance of a node. */
  public InstanceId instance(String node) {
    return provider.instanceId(introduced(node)).orElseThrow();
  }

  private NodeResource introduced(String node) {
    return Objects.requireNonNull(launched.get(node), node);
  }

  private String id(String node) {
    return introduced(node).instanceId().orElseThrow();
  }

  /** The true interfaces of a node, as {@link ContractCloud#interfaces}. */
  public List<ContractCloud.TrueInterface> interfaces(String node) {
    return cloud.interfaces(id(node));
  }

  void stop(String node) {
    cloud.stop(id(node));
  }

  void restart(String node) {
    cloud.restart(id(node));
  }

  void terminate(String node) {
    cloud.terminate(id(node));
  }

  /** A change that is not lost to reads that lag, where only a read shows what it did. */
  <T> T confirmed(Duration lag, Supplier<CompletionStage<T>> change) {
    if (cloud.confirmsByReading()) {
      cloud.lag(Duration.ZERO);
    }
    T outcome = await(change.get());
    cloud.lag(lag);
    return outcome;
  }

  // ---- the provider alone

  /** Operations of a node; the account has been read. */
  NodeOperations node(String name, boolean prefixes) {
    return node(
        resource(name, IpamSpec.of(8, 0, 0, 0)), new NodeSettings(name, prefixes, true, false));
  }

  public NodeOperations node(NodeResource resource, NodeSettings settings) {
    NodeOperations operations = provider.createNode(settings, resource);
    await(provider.resync(context()));
    return operations;
  }

  /** The resource of a node that was launched. */
  public NodeResource resource(String name, IpamSpec ipam) {
    return introduced(name).withIpam(ipam);
  }

  public CallContext context() {
    return context(new Cancellation());
  }

  CallContext context(Cancellation cancellation) {
    return CallContext.of(
        "node1",
        Priority.of(Priority.Rank.BELOW_WATERMARK),
        time.nanos() + CALL_LIMIT.toNanos(),
        cancellation);
  }

  /** Lets time pass until the stage ends; fails when it misses the deadline. */
  public <T> T await(CompletionStage<T> stage) {
    long limit = time.nanos() + CALL_LIMIT.toNanos() + Duration.ofSeconds(1).toNanos();
    while (!stage.toCompletableFuture().isDone() && time.nanos() < limit) {
      time.runUntil(time.nanos() + Duration.ofMillis(10).toNanos());
    }
    if (!stage.toCompletableFuture().isDone()) {
      throw new AssertionError("the stage did not end by its deadline");
    }
    return stage.toCompletableFuture().getNow(null);
  }

  /** The request of a node that wants so many addresses. */
  static AllocationAction wanting(NodeOperations node, int addresses) {
    AllocationAction prepared = node.prepareIpAllocation();
    return prepared.with(prepared.ipv4().wanting(addresses, OptionalInt.empty()), 0);
  }

  AllocationOutcome allocate(NodeOperations node, int count) {
    return await(node.allocateIps(wanting(node, count), context()));
  }

  AllocationOutcome createInterface(NodeOperations node, int count) {
    return await(node.createInterface(wanting(node, count), context()));
  }

  /** Allocates, which must succeed. */
  void allocated(NodeOperations node, int count) {
    assertAllocated(allocate(node, count));
  }

  static void assertAllocated(AllocationOutcome outcome) {
    assertThat(outcome).isInstanceOf(AllocationOutcome.Allocated.class);
  }

  /** Reads the account, which must succeed. */
  void resynced() {
    assertThat(await(provider.resync(context()))).isInstanceOf(SyncOutcome.Synced.class);
  }

  /** Reads the instance of a node. */
  SyncOutcome readInstance(String node) {
    return await(provider.instanceSync(instance(node), context()));
  }

  /** All addresses of a node, those of blocks included. */
  static AddressSet addresses(NodeOperations node) {
    return AttachedInterface.addressesOf(known(node).interfaces());
  }

  /** The inventory, which must be known. */
  static Inventory.Known known(NodeOperations operations) {
    Inventory inventory = operations.inventory();
    if (inventory instanceof Inventory.Known known) {
      return known;
    }
    throw new AssertionError("the instance is not known: " + inventory);
  }

  /** Pod addresses that the cloud really holds for a node. */
  public int trulyAttached(String node) {
    return interfaces(node).stream()
        .mapToInt(each -> each.singles().size() + 16 * each.prefixes().size())
        .sum();
  }

  /** Addresses that all pools have left, as the provider counts. */
  public long free() {
    return provider.poolQuota().values().stream().mapToLong(each -> each.availableIps()).sum();
  }

  // ---- with the engine

  /** Starts an engine over the provider. */
  public NodeManager start(EngineConfig config) {
    NodeResourceStore client = server.client(time);
    NodeManager started =
        new NodeManager(
            config,
            new NodeManagerPorts(
                provider,
                client,
                time,
                new Lanes(time, 1),
                time.effects(EffectModel.reliable(Duration.ofMillis(2), Duration.ofMillis(2))),
                metrics.meters,
                PendingPods.UNKNOWN,
                new Random(5)));
    manager = Optional.of(started);
    started.start();
    client.watch(started.watcher());
    run(Duration.ofMillis(200));
    return started;
  }

  /** Time in which the nodes do what there is to do. */
  public void act() {
    run(Duration.ofSeconds(5).plus(cloud.changeTime().multipliedBy(2)));
  }

  public void run(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }

  /** Creates the object; the agent of the node writes nothing more by itself. */
  public void create(NodeResource resource) {
    if (!(server.create(resource) instanceof StoreResult.Stored)) {
      throw new AssertionError("refused: " + resource);
    }
  }

  public NodeReport report(String name) {
    return manager.orElseThrow().report(name).orElseThrow();
  }

  /** "available/used". */
  public String availableUsed(String name) {
    NodeReport report = report(name);
    return report.available() + "/" + report.used();
  }

  /** The agent publishes that pods hold the first {@code count} addresses of the pool, or more. */
  public void use(String name, int count) {
    agentWrites(name, resource -> Samples.using(resource, count));
  }

  /** The agent acknowledges every mark and drops what is finished. */
  void agentAnswers(String name) {
    agentWrites(
        name,
        resource -> {
          Map<IpAddress, HandshakeState> states = new TreeMap<>(resource.releaseIps());
          states.replaceAll(
              (address, state) ->
                  state == HandshakeState.MARKED_FOR_RELEASE
                      ? HandshakeState.READY_FOR_RELEASE
                      : state);
          return resource.withReleaseIps(states);
        });
  }

  void editIpam(String name, IpamSpec ipam) {
    NodeResource now = server.find(name).orElseThrow();
    server.client(time).update(now, now.withIpam(ipam));
  }

  private void agentWrites(String name, UnaryOperator<NodeResource> change) {
    NodeResource now = server.find(name).orElseThrow();
    NodeResource changed = change.apply(now);
    StoreResult result = server.client(time).updateStatus(now, changed);
    if (!(result instanceof StoreResult.Stored) && !(result instanceof StoreResult.Unchanged)) {
      throw new AssertionError("the agent's write ended " + result);
    }
  }
}
