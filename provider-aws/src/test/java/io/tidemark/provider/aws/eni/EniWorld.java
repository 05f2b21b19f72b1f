package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.PendingPods;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.pace.Ec2FaultRule;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.TestMeters;
import io.tidemark.node.Explanation;
import io.tidemark.node.NodeManager;
import io.tidemark.node.NodeManagerPorts;
import io.tidemark.node.NodeReport;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.provider.aws.ec2.Ec2Accounts;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2CallLimits;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.aws.ec2.EmulatedDoors;
import io.tidemark.provider.aws.ec2.EmulatedEc2;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallLimits;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.CloudCallsConfig;
import io.tidemark.resilience.Priority;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.StoreResult;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.testing.EniSpecSample;
import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectModel;
import io.tidemark.time.EffectSite;
import io.tidemark.time.Lanes;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * The provider over the strict EC2 in virtual time, through the real SDK without a socket; alone,
 * or with the engine and an API server. One VPC 10.0.0.0/16, no request buckets.
 */
class EniWorld {
  static final Duration TRAVEL = Duration.ofMillis(20);
  static final Duration WHILE = Duration.ofSeconds(5);
  static final EffectFate ANSWERED = EffectFate.answered(TRAVEL, TRAVEL);
  static final Duration LAG_MAX = Duration.ofSeconds(20);
  static final String CLUSTER = "test";

  /** Eight addresses are kept free. */
  static final IpamSpec EIGHT = IpamSpec.of(8, 0, 0, 0);

  private static final long START = 1_767_225_600_000L;
  private static final Duration CALL_LIMIT = Duration.ofMinutes(1);

  private static final CallPolicy POLICY = Ec2CallLimits.of("111111111111", "us-east-1", 1);

  /** A provider's calls, and where it goes out. */
  private record Ways(CallPolicy policy, CloudCallsConfig pacing, Door door) {
    static final Ways USUAL =
        new Ways(
            POLICY,
            CloudCallsConfig.defaults()
                .withPacing(CloudCallsConfig.Pacing.NONE)
                .withWorkers(Integer.MAX_VALUE),
            Door.OPEN);
  }

  final VirtualTime time;
  final EniSettings settings;

  /** Edits what the provider sees of EC2. */
  final UnaryOperator<Ec2Api> edits;

  private final Door door;
  final EmulatedEc2 ec2;
  final TrueLimits limits;
  final EniAllocation provider;
  final InMemoryNodeResourceStore server = new InMemoryNodeResourceStore();
  final TestMeters metrics = new TestMeters();
  final TestMeters interfaceMetrics = new TestMeters();

  /** The cluster's name as it is known now. */
  volatile String cluster = CLUSTER;

  /** How often it was said that none of the named instances exists. */
  int elsewhere;

  private boolean located;

  /** Requests so far, by operation and in their order. */
  final List<String> requests = new ArrayList<>();

  private final Map<String, String> instances = new TreeMap<>();
  private Function<String, EffectFate> fates = operation -> ANSWERED;
  private Optional<NodeManager> manager = Optional.empty();

  /** The subnet of the nodes, once it was made. */
  String home = "";

  EniWorld() {
    this(Samples.SETTINGS);
  }

  EniWorld(EniSettings settings) {
    this(settings, api -> api);
  }

  EniWorld(EniSettings settings, UnaryOperator<Ec2Api> api) {
    this(Ways.USUAL, settings, api, new VirtualTime(START), Optional.empty());
  }

  private EniWorld(Ways ways) {
    this(ways, Samples.SETTINGS, api -> api, new VirtualTime(START), Optional.empty());
  }

  private EniWorld(
      Ways ways,
      EniSettings settings,
      UnaryOperator<Ec2Api> api,
      VirtualTime time,
      Optional<EmulatedEc2> there) {
    this.time = time;
    this.settings = settings;
    this.edits = api;
    door = ways.door();
    ec2 = there.orElseGet(() -> emulated(time));
    CloudCalls calls = door.before(calls(ways.pacing(), ways.policy()));
    Ec2Api seen = api.apply(ec2.api());
    Ec2Accounts accounts =
        settings.scope().crossAccount()
            ? Ec2Accounts.two(ec2.api(), seen, "222222222222")
            : Ec2Accounts.one(seen);
    limits = new TrueLimits(ec2.api(), door);
    provider =
        new EniAllocation(
            () -> accounts,
            calls,
            calls,
            settings,
            () -> cluster,
            limits,
            time,
            interfaceMetrics.meters,
            new Whereabouts() {
              @Override
              public String text() {
                return located ? "region us-east-1 of account 111111111111" : "region us-east-1";
              }

              @Override
              public CompletionStage<?> find() {
                located = true;
                return EniAccount.done(true);
              }

              @Override
              public void noneExists() {
                elsewhere++;
              }
            },
            () -> {});
  }

  final CloudCalls calls(CloudCallsConfig pacing, CallPolicy policy) {
    return EmulatedDoors.calls(pacing, time, this::fate, new Random(3), Meters.none(), policy);
  }

  /** Calls of a program of one instance. */
  final CloudCalls callsOfInstance() {
    return calls(Ways.USUAL.pacing(), Ec2CallLimits.ofInstance("111111111111", "us-east-1", 1));
  }

  /** A world where an attachment may take its time. */
  static EniWorld patient() {
    Map<CallKind, CallLimits> limits = new HashMap<>(POLICY.limits());
    limits.put(
        Ec2Operation.ATTACH_NETWORK_INTERFACE.kind(),
        new CallLimits(50, 50, Duration.ofHours(1), 1));
    CallPolicy policy = Copies.with(POLICY, "limits", limits);
    return new EniWorld(Copies.with(Ways.USUAL, "policy", policy));
  }

  /** A world of a request rate and of so many workers, whose requests travel so long in all. */
  static EniWorld paced(double perSecond, int burst, int workers, Duration travel) {
    CloudCallsConfig pacing =
        CloudCallsConfig.defaults().withWorkers(workers).withCeiling(perSecond, burst);
    EniWorld world = new EniWorld(Copies.with(Ways.USUAL, "pacing", pacing));
    Duration half = travel.dividedBy(2);
    world.fates = operation -> EffectFate.answered(half, half);
    return world;
  }

  /** The usual settings with something else of their scope. */
  static EniWorld in(String component, Object value) {
    EniSettings.Scope scope = Copies.with(EniSettings.Scope.USUAL, component, value);
    return new EniWorld(Copies.with(SettingsSample.USUAL, "scope", scope));
  }

  /** A world whose provider goes through a door. */
  static EniWorld asking(Door door) {
    return new EniWorld(Copies.with(Ways.USUAL, "door", door));
  }

  static EmulatedEc2 emulated(VirtualTime time) {
    Ec2ModelOptions options = Ec2ModelOptions.of(1, Ec2InstanceTypes.bundled());
    EmulatedEc2 ec2 =
        new EmulatedEc2(
            time, options.withDelay(DelayRange.upTo(LAG_MAX), Ec2ModelOptions.Delay.READ_LAG));
    ec2.emulator().readsBehind(Optional.of(Duration.ZERO));
    return ec2;
  }

  /** A provider that knows nothing, over the same EC2, and with the objects as they stand. */
  EniWorld restarted() {
    manager.ifPresent(NodeManager::close);
    provider.close();
    EniWorld again = new EniWorld(Ways.USUAL, settings, edits, time, Optional.of(ec2));
    again.home = home;
    again.instances.putAll(instances);
    instances.keySet().forEach(name -> server.find(name).ifPresent(again::create));
    return again;
  }

  /** The engine's explanation of a node. */
  Explanation explain(String name) {
    return await(manager.orElseThrow().explain(name)).orElseThrow();
  }

  private EffectFate fate(EffectSite site, Duration timeout) {
    requests.add(site.operation());
    door.asked("wire " + site.operation());
    return fates.apply(site.operation());
  }

  /** So the requests of one operation end from now on; all others are answered soon. */
  void fate(String operation, EffectFate fate) {
    fates = each -> each.equals(operation) ? fate : ANSWERED;
  }

  /** How requests end from now on, by operation. */
  void fates(Function<String, EffectFate> now) {
    fates = now;
  }

  /** The next request of an operation ends so; all others are answered soon. */
  void fateOnce(String operation, EffectFate fate) {
    AtomicInteger sent = new AtomicInteger();
    fates = each -> each.equals(operation) && sent.getAndIncrement() == 0 ? fate : ANSWERED;
  }

  /**
   * From now on the requests of an operation are lost, or the answers where it carries them out.
   */
  void lose(String operation, boolean carriedOut) {
    fate(operation, carriedOut ? EffectFate.answerLost(TRAVEL) : EffectFate.requestLost());
  }

  /** From now on requests of an operation take so long to EC2. */
  void delay(String operation, Duration travel) {
    fate(operation, EffectFate.answered(travel, TRAVEL));
  }

  /** From now on every request is answered soon. */
  void answer() {
    fates = operation -> ANSWERED;
  }

  /** A full read whose DescribeInstances of this number, from 1, is answered five seconds late. */
  CompletionStage<SyncOutcome> lateList(int number) {
    AtomicInteger lists = new AtomicInteger();
    fates =
        each -> {
          boolean late = each.equals("DescribeInstances") && lists.incrementAndGet() == number;
          return EffectFate.answered(TRAVEL, late ? WHILE : TRAVEL);
        };
    CompletionStage<SyncOutcome> read = provider.resync(context());
    run(Duration.ofSeconds(1));
    assertThat(read.toCompletableFuture().isDone()).isFalse();
    return read;
  }

  void faults(Ec2FaultRule... rules) {
    ec2.emulator().faults(List.of(rules));
  }

  /** From now on EC2 refuses an operation so. */
  void refuse(String operation, String code, int status) {
    faults(Ec2FaultRule.failing(operation, new Ec2Error(code, "refused", status)));
  }

  /** How many requests of an operation were sent. */
  long sent(String operation) {
    return requests.stream().filter(operation::equals).count();
  }

  // ---- the cloud

  /** The subnet of the nodes, 10.0.0.0/24. */
  final String home() {
    if (home.isEmpty()) {
      home = ec2.subnet("10.0.0.0/24");
    }
    return home;
  }

  /** Somebody else's interface is attached to the node's instance; answers the attachment. */
  String attachOfOthers(String node, int index, Map<String, String> tags) {
    return ec2.attach(ec2.parked(home(), "theirs", tags), instance(node), index);
  }

  /** An interface of this cluster that a creation left behind; answers its id. */
  String leftOver(Map<String, String> tags) {
    Map<String, String> all = new TreeMap<>(tags);
    all.putIfAbsent(OwnerTags.CLUSTER, CLUSTER);
    return ec2.parked(home(), "Tidemark (i-0)", all);
  }

  /** The tag of what was created so long from now. */
  Map<String, String> createdIn(Duration duration) {
    return Map.of(
        OwnerTags.CREATED_AT, Instant.ofEpochMilli(time.epochMillis()).plus(duration).toString());
  }

  /** A running instance of the node with one empty interface. */
  String launch(String node, String type, String subnet) {
    String id = ec2.launch(type, subnet, Map.of());
    instances.put(node, id);
    return id;
  }

  /** The same; its interface forgets idle TCP connections after so long. */
  String launchForgetting(String node, String type, String subnet, int tcpSeconds) {
    String id = ec2.launchForgetting(type, subnet, tcpSeconds);
    instances.put(node, id);
    return id;
  }

  String instance(String node) {
    String id = instances.get(node);
    if (id == null) {
      throw new AssertionError("no instance was launched for " + node);
    }
    return id;
  }

  List<AwsNetworkInterface> interfaces(String node) {
    return ec2.interfaces(instance(node));
  }

  /** Addresses beside the primary ones that EC2 holds for the node's instance. */
  int attached(String node) {
    return interfaces(node).stream()
        .mapToInt(each -> each.singles().size() + 16 * each.prefixes().size())
        .sum();
  }

  /** Somebody takes the tenth address of every /28, so that no block is free. */
  void fragment(String subnet, String block) {
    Cidr cidr = Cidr.parse(block);
    IntStream tenths = IntStream.range(0, (int) cidr.sizeSaturated() / 16).map(i -> 16 * i + 10);
    ec2.occupy(subnet, cidr, tenths, Integer.MAX_VALUE);
  }

  /** Somebody takes addresses, the highest first, until so many are free. */
  void leaveFree(String subnet, String block, int left) {
    Cidr cidr = Cidr.parse(block);
    int size = (int) cidr.sizeSaturated();
    IntStream down = IntStream.rangeClosed(2, size - 4).map(i -> size - i);
    ec2.occupy(subnet, cidr, down, ec2.freeAddresses(subnet) - left);
  }

  // ---- resources

  /** An m5.large in the home subnet. */
  EniSpecSample spec() {
    return spec("m5.large", home());
  }

  /** An agent's description of a node in the world's VPC and zone. */
  EniSpecSample spec(String type, String subnet) {
    return new EniSpecSample(
        Copies.with(
            EniSpec.EMPTY,
            Map.of(
                "instanceType", type,
                "firstInterfaceIndex", OptionalInt.of(0),
                "nodeSubnetId", subnet,
                "vpcId", ec2.vpc(),
                "availabilityZone", ec2.zone())));
  }

  NodeResource resource(String node, EniSpec eni, IpamSpec ipam) {
    return io.tidemark.testing.Samples.node(node)
        .instanceId(instance(node))
        .eniSpec(eni)
        .build()
        .withIpam(ipam);
  }

  /** The same of {@link #spec()}, with eight addresses kept free. */
  NodeResource resource(String node) {
    return resource(node, spec().build(), EIGHT);
  }

  /** A node of an instance that does not exist. */
  NodeResource absent(String node) {
    return io.tidemark.testing.Samples.node(node)
        .instanceId("i-0absent" + node)
        .eniSpec(spec().build())
        .build();
  }

  // ---- the provider alone

  /** Operations of an m5.large in the home subnet, launched now unless it was. */
  NodeOperations node(String name) {
    return node(name, spec().build(), false);
  }

  /** The same with another section. */
  NodeOperations node(String name, EniSpec eni, boolean prefixes) {
    launchMissing(name, eni);
    return node(name, eni, prefixes, false);
  }

  void launchMissing(String name, EniSpec eni) {
    if (!instances.containsKey(name)) {
      launch(name, eni.instanceType(), eni.nodeSubnetId());
    }
  }

  /** The node's plan, for so many addresses. */
  static AllocationAction asking(NodeOperations node, int addresses) {
    AllocationAction plan = node.prepareIpAllocation();
    return plan.with(plan.ipv4().wanting(addresses, OptionalInt.empty()), 0);
  }

  CompletionStage<AllocationOutcome> creating(NodeOperations node, int addresses) {
    return node.createInterface(asking(node, addresses), context());
  }

  AllocationOutcome create(NodeOperations node, int addresses) {
    return await(creating(node, addresses));
  }

  /** A new interface with so many addresses comes. */
  void grow(NodeOperations node, int addresses) {
    assertThat(create(node, addresses)).isInstanceOf(AllocationOutcome.Allocated.class);
  }

  AllocationOutcome allocate(NodeOperations node, int addresses) {
    return await(node.allocateIps(asking(node, addresses), context()));
  }

  /** Time passes; there is a full read each minute. */
  void pass(int minutes) {
    for (int minute = 0; minute < minutes; minute++) {
      run(Duration.ofMinutes(1));
      resync();
    }
  }

  /** Operations of a node whose instance was launched; everything has been read. */
  NodeOperations node(String name, EniSpec eni, boolean prefixes, boolean reference) {
    NodeOperations operations =
        provider.createNode(
            new NodeSettings(name, prefixes, true, reference),
            resource(name, eni, IpamSpec.of(8, 0, 0, 0)));
    resync();
    sync(name);
    return operations;
  }

  Object resync() {
    return await(provider.resync(context()));
  }

  Object sync(String node) {
    return await(provider.instanceSync(new InstanceId(instance(node)), context()));
  }

  CallContext context() {
    return context(CALL_LIMIT);
  }

  CallContext context(Duration limit) {
    return CallContext.of(
        "node1",
        Priority.of(Priority.Rank.BELOW_WATERMARK),
        time.nanos() + limit.toNanos(),
        new Cancellation());
  }

  /** Lets time pass until the stage ends. */
  <T> T await(CompletionStage<T> stage) {
    return await(stage, CALL_LIMIT.plusSeconds(1));
  }

  final <T> T await(CompletionStage<T> stage, Duration longest) {
    long limit = time.nanos() + longest.toNanos();
    while (!stage.toCompletableFuture().isDone() && time.nanos() < limit) {
      time.runUntil(time.nanos() + Duration.ofMillis(10).toNanos());
    }
    if (!stage.toCompletableFuture().isDone()) {
      throw new AssertionError("the stage did not end by its deadline");
    }
    return stage.toCompletableFuture().getNow(null);
  }

  static Inventory.Known known(NodeOperations operations) {
    if (operations.inventory() instanceof Inventory.Known known) {
      return known;
    }
    throw new AssertionError("the instance is not known: " + operations.inventory());
  }

  void run(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }

  // ---- with the engine

  /** The engine with one node, launched now unless it was, that has filled its pool. */
  NodeManager running(EngineConfig config, EniSpecSample spec, IpamSpec ipam) {
    EniSpec eni = spec.build();
    launchMissing("node1", eni);
    NodeManager started = start(config);
    create(resource("node1", eni, ipam));
    run(WHILE);
    return started;
  }

  NodeManager start(EngineConfig config) {
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

  /** Defaults of the engine, with blocks. */
  static EngineConfig delegating() {
    return EngineConfig.of(Map.of("enable-prefix-delegation", "true"));
  }

  void create(NodeResource resource) {
    if (!(server.create(resource) instanceof StoreResult.Stored)) {
      throw new AssertionError("refused: " + resource);
    }
  }

  NodeReport report(String name) {
    return manager.orElseThrow().report(name).orElseThrow();
  }

  /** "available/used". */
  String availableUsed(String name) {
    NodeReport report = report(name);
    return report.available() + "/" + report.used();
  }

  /** Pods hold the first {@code count} addresses of the pool; then time passes. */
  void use(String name, int count) {
    agentWrites(name, resource -> io.tidemark.testing.Samples.using(resource, count));
    run(WHILE);
  }

  /** The agent acknowledges every mark. */
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
    run(WHILE);
  }

  /** The agent drops what was released and is not in the pool any more. */
  void agentCleansUp(String name) {
    agentWrites(
        name,
        resource -> {
          Map<IpAddress, HandshakeState> states = new TreeMap<>(resource.releaseIps());
          AddressSet pool = resource.pool().addresses();
          states
              .entrySet()
              .removeIf(
                  each ->
                      each.getValue() == HandshakeState.RELEASED && !pool.contains(each.getKey()));
          return resource.withReleaseIps(states);
        });
    run(WHILE);
  }

  private void agentWrites(String name, UnaryOperator<NodeResource> change) {
    NodeResource now = server.find(name).orElseThrow();
    StoreResult result = server.client(time).updateStatus(now, change.apply(now));
    if (!(result instanceof StoreResult.Stored) && !(result instanceof StoreResult.Unchanged)) {
      throw new AssertionError("the agent's write ended " + result);
    }
  }
}
