package io.tidemark.node;

import io.tidemark.cluster.ObjectEvents;
import io.tidemark.cluster.PendingPods;
import io.tidemark.error.ErrorCode;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.metrics.TestMeters;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.node.exhaustion.ToldScheduler;
import io.tidemark.resource.AddressDemand;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.LastWriter;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.PodIpPool;
import io.tidemark.resource.StoreResult;
import io.tidemark.resource.UsedAddress;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.testing.Samples;
import io.tidemark.time.Effect;
import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectModel;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.Lanes;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A node manager over {@link ScriptedProvider}, an API server in memory and virtual time. What the
 * tests of the catalogue call "use n", "wait 0" and "agent acknowledges" are methods here. One
 * file, because it is one vocabulary: a method per phrase, over the same few fields.
 */
final class NodeWorld {
  /** An address that only another operator's pool holds. */
  static final AddressSet FOREIGN = AddressSet.of(IpAddress.parse("10.99.0.9"));

  final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  final InMemoryNodeResourceStore server = new InMemoryNodeResourceStore();
  final ScriptedProvider provider = new ScriptedProvider();
  final TestMeters metrics = new TestMeters();
  final Map<String, Integer> pendingPods = new HashMap<>();
  final Map<String, Set<String>> unaddressed = new HashMap<>();

  /** Pods that kubelets take, by node. */
  final Map<String, Integer> maxPods = new HashMap<>();

  /** Nodes that take no new pods. */
  final Set<String> closed = new HashSet<>();

  final List<String> requests = new ArrayList<>();

  /** The fate of requests to the API server. */
  EffectFate fate = EffectFate.answered(Duration.ZERO, Duration.ZERO);

  /** How far the manager's watch lies behind; of changes to come. */
  Duration watchLag = Duration.ZERO;

  /** Most requests to the API server that one node had under way at a time. */
  int mostWritesAtOnce;

  /** The messages to people, in order. */
  final List<String> told = new ArrayList<>();

  /** Told of nodes without addresses once it has a delay. */
  final ToldScheduler scheduler = new ToldScheduler();

  private final ObjectEvents events = new ToldEvents();
  private final Map<String, Integer> writesUnderWay = new HashMap<>();
  final NodeManager manager;
  private final NamingStore client;
  private InMemoryNodeResourceStore.Interference interference =
      InMemoryNodeResourceStore.Interference.NONE;

  private NodeWorld(EngineConfig config) {
    this(config, Optional.empty());
  }

  private NodeWorld(EngineConfig config, Optional<EffectModel> line) {
    this.client =
        new NamingStore(
            server.client(
                time,
                () -> watchLag.toNanos(),
                (operation, name) -> {
                  requests.add(operation + " " + name);
                  return interference.before(operation, name);
                }));
    scheduler.delay = Optional.empty();
    EffectRunner network = time.effects(line.orElse((site, timeout) -> fate));
    this.manager =
        new NodeManager(
            config,
            new NodeManagerPorts(
                provider,
                client,
                time,
                new Lanes(time, 1),
                counted(network),
                metrics.meters,
                new CountedPods(),
                node -> number(maxPods.get(node)),
                closed::contains,
                new Random(7),
                events,
                scheduler));
  }

  private final class CountedPods implements PendingPods {
    @Override
    public OptionalInt onNode(String node) {
      return number(pendingPods.get(node));
    }

    @Override
    public Set<String> unaddressed(String node) {
      return unaddressed.getOrDefault(node, Set.of());
    }
  }

  private static OptionalInt number(@Nullable Integer known) {
    return known == null ? OptionalInt.empty() : OptionalInt.of(known);
  }

  /** Writes down what a person is told. */
  private final class ToldEvents implements ObjectEvents {
    @Override
    public void report(String node, ErrorCode code, String detail) {
      told.add(node + " " + code.name());
    }

    @Override
    public void cleared(String node, ErrorCode code) {
      told.add(node + " " + code.name() + " cleared");
    }
  }

  private EffectRunner counted(EffectRunner network) {
    return new EffectRunner() {
      @Override
      public <T> Effect<T> run(EffectSite site, Duration timeout, Callable<T> leaf) {
        int now = writesUnderWay.merge(site.subject(), 1, Integer::sum);
        mostWritesAtOnce = Math.max(mostWritesAtOnce, now);
        Effect<T> effect = network.run(site, timeout, leaf);
        effect
            .stage()
            .whenComplete(
                (value, thrown) -> writesUnderWay.merge(site.subject(), -1, Integer::sum));
        return effect;
      }
    };
  }

  /** A manager that is started and watches, after its first scan. */
  static NodeWorld started(EngineConfig config) {
    return started(new NodeWorld(config));
  }

  private static NodeWorld started(NodeWorld world) {
    world.start();
    world.run(Duration.ofMillis(1));
    return world;
  }

  /** A started manager whose requests to the API server go over {@code line}. */
  static NodeWorld started(EngineConfig config, EffectModel line) {
    return started(new NodeWorld(config, Optional.of(line)));
  }

  /** A manager that is not started yet. */
  static NodeWorld idle(EngineConfig config) {
    return new NodeWorld(config);
  }

  /** A started manager and a full "node1": 8 addresses, none used, nothing left to do. */
  static NodeWorld filled() {
    return filled(EngineConfig.defaults());
  }

  static NodeWorld filled(EngineConfig config) {
    NodeWorld world = started(config);
    world.create("node1", 8, 0);
    world.run(Duration.ofSeconds(1));
    if (!world.availableUsed("node1").equals("8/0") || !world.report("node1").settled()) {
      throw new AssertionError("not full: " + world.report("node1"));
    }
    world.takeRequests();
    return world;
  }

  /** Starts scanning and watching. */
  void start() {
    manager.start();
    watch();
  }

  /** Starts watching. */
  void watch() {
    client.watch(manager.watcher());
  }

  /** Stands between the manager and the API server. */
  void interfere(InMemoryNodeResourceStore.Interference by) {
    interference = by;
  }

  /** The write of a multi-pool agent: its demand, and the CIDRs that it holds. */
  void agentHolds(String name, int pre, int min, int demand, String... held) {
    Optional<AddressDemand> demands =
        demand == 0 ? Optional.empty() : Optional.of(new AddressDemand(demand, 0));
    edit(
        name,
        resource ->
            resource.withIpam(new IpamSpec(pre, min, 0, 0, Map.of(), demands, cidrs(held))));
  }

  static Set<Cidr> cidrs(String... texts) {
    Set<Cidr> cidrs = new TreeSet<>();
    Arrays.stream(texts).map(Cidr::parse).forEach(cidrs::add);
    return cidrs;
  }

  /** Lets time pass. */
  void run(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }

  /** A node of the catalogue: name, p, m; nothing used. */
  void create(String name, int pre, int min) {
    create(Samples.node(name, pre, min, 0));
  }

  /** A node as given. */
  void create(NodeResource resource) {
    expectStored(server.create(resource));
  }

  /** The agent publishes that pods hold the first n addresses that are attached. */
  void use(String name, int count) {
    ScriptedNode node = provider.prepared(name);
    AddressSet attached = node.singles();
    for (Cidr block : node.blocks()) {
      attached = attached.plus(AddressSet.ofRange(block));
    }
    use(name, attached.first(Math.min(count, attached.size())), count);
  }

  private void use(String name, AddressSet addresses, int count) {
    Map<IpAddress, UsedAddress> used = new TreeMap<>();
    addresses.forEach(
        address -> used.put(address, new UsedAddress("pod-" + (used.size() + 1), "")));
    for (int i = used.size() + 1; i <= count; i++) {
      used.put(IpAddress.parse("1.1.1." + i), new UsedAddress("pod-" + i, ""));
    }
    agentWrites(name, resource -> resource.withUsed(used));
  }

  /** The agent publishes that pods hold exactly these addresses. */
  void use(String name, AddressSet addresses) {
    Map<IpAddress, UsedAddress> used = new TreeMap<>();
    addresses.forEach(address -> used.put(address, new UsedAddress("pod", "")));
    agentWrites(name, resource -> resource.withUsed(used));
  }

  /** The agent answers every mark with {@code answer}. */
  void agentAnswers(String name, HandshakeState answer) {
    agentAnswers(name, answer, Integer.MAX_VALUE);
  }

  static void dropFinished(NodeResource now, Map<IpAddress, HandshakeState> states) {
    states
        .entrySet()
        .removeIf(
            entry ->
                entry.getValue() == HandshakeState.RELEASED
                    && !now.pool().contains(entry.getKey()));
  }

  /** The agent answers the first {@code count} marks with {@code answer}. */
  void agentAnswers(String name, HandshakeState answer, int count) {
    agentMarks(
        name,
        (now, states) ->
            now.releaseIps().entrySet().stream()
                .filter(entry -> entry.getValue() == HandshakeState.MARKED_FOR_RELEASE)
                .limit(count)
                .forEach(entry -> states.put(entry.getKey(), answer)));
  }

  /** An agent's reaction to the object (node-manager 4.8). */
  void agentActs(String name) {
    agentWrites(name, resource -> resource.withReleaseIps(answered(resource)));
  }

  /** The handshake after a faithful agent has looked at it. */
  static Map<IpAddress, HandshakeState> answered(NodeResource now) {
    Map<IpAddress, HandshakeState> states = new TreeMap<>(now.releaseIps());
    if (!now.pool().isEmpty()) {
      dropFinished(now, states);
    }
    states.replaceAll(
        (address, state) ->
            state != HandshakeState.MARKED_FOR_RELEASE
                ? state
                : now.pool().contains(address) && !now.used().contains(address)
                    ? HandshakeState.READY_FOR_RELEASE
                    : HandshakeState.DO_NOT_RELEASE);
    return states;
  }

  /** The agent changes the entries of {@code release-ips}. */
  void agentMarks(String name, BiConsumer<NodeResource, Map<IpAddress, HandshakeState>> change) {
    agentWrites(
        name,
        now -> {
          Map<IpAddress, HandshakeState> states = new TreeMap<>(now.releaseIps());
          change.accept(now, states);
          return now.withReleaseIps(states);
        });
  }

  private void agentWrites(String name, UnaryOperator<NodeResource> change) {
    NodeResource now = resource(name);
    NodeResourceStore agent = server.client(time);
    expectStored(agent.updateStatus(now, change.apply(now)));
  }

  /** A person edits the spec. */
  void edit(String name, UnaryOperator<NodeResource> change) {
    NodeResource now = resource(name);
    expectStored(server.client(time).update(now, change.apply(now)));
  }

  /** Another operator writes a pool of its own. */
  void rivalWritesPool(String name) {
    edit(name, now -> now.withPool(PodIpPool.of(Map.of("eni-9", FOREIGN))));
  }

  /** The API server shows this of the last write. */
  void lastWrite(String name, LastWriter writer) {
    client.writers().put(name, writer);
  }

  private static void expectStored(StoreResult result) {
    if (!(result instanceof StoreResult.Stored) && !(result instanceof StoreResult.Unchanged)) {
      throw new AssertionError("the API server answered " + result);
    }
  }

  /** Requests of one node since the last call of this method. */
  List<String> takeRequests() {
    List<String> taken = List.copyOf(requests);
    requests.clear();
    return taken;
  }

  /** The object as it stands on the server. */
  NodeResource resource(String name) {
    return server.find(name).orElseThrow();
  }

  /** The report of a node that must exist. */
  NodeReport report(String name) {
    return manager.report(name).orElseThrow(() -> new AssertionError("no node " + name));
  }

  /** The explanation of a node that must exist, a millisecond later. */
  Explanation explain(String name) {
    var explained = manager.explain(name).toCompletableFuture();
    run(Duration.ofMillis(1));
    return explained.getNow(Optional.empty()).orElseThrow();
  }

  /** The next step of the node is somebody else's; the failure shows how it stands. */
  void assertSettled(String name) {
    if (!report(name).settled()) {
      throw new AssertionError("not settled: " + report(name));
    }
  }

  /** The next step of the node is the manager's; the failure shows how it stands. */
  void assertUnsettled(String name) {
    if (report(name).settled()) {
      throw new AssertionError("settled: " + report(name));
    }
  }

  /** The reason that keeps the node from going on. */
  Optional<BlockedReason> blockedReason(String name) {
    return report(name).blocked().map(Blocked::reason);
  }

  /** "a/u" of a node. */
  String availableUsed(String name) {
    NodeReport report = report(name);
    return report.available() + "/" + report.used();
  }
}
