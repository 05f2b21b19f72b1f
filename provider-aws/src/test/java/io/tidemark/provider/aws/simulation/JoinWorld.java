package io.tidemark.provider.aws.simulation;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.metrics.Meters;
import io.tidemark.node.NodeManager;
import io.tidemark.node.NodeManagerPorts;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.provider.aws.ec2.Ec2Accounts;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2CallLimits;
import io.tidemark.provider.aws.ec2.EmulatedDoors;
import io.tidemark.provider.aws.eni.EniAllocation;
import io.tidemark.provider.aws.eni.OneAccount;
import io.tidemark.provider.aws.eni.SettingsSample;
import io.tidemark.provider.aws.limits.InstanceTypeLimits;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.CloudCallsConfig;
import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.resource.StoreResult;
import io.tidemark.resource.UsedAddress;
import io.tidemark.simulation.Waits;
import io.tidemark.simulation.scenario.CloudShape;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.Scenario.InstanceShape;
import io.tidemark.simulation.scenario.Scenario.OperatorShape;
import io.tidemark.simulation.scenario.Scenario.StoreShape;
import io.tidemark.simulation.scenario.Scenario.SubnetShape;
import io.tidemark.testing.Samples;
import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectSite;
import io.tidemark.time.Lanes;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * One operator on the strict EC2 in virtual time, with EC2's documented buckets and the latencies
 * of docs/internals/performance.md, nothing going wrong. It tells when each node first had what it
 * asked for.
 */
final class JoinWorld {
  private static final Duration BOOT = Duration.ofMinutes(2);
  private static final Duration STORE = Duration.ofMillis(5);
  private static final Duration NEIGHBOURS_STEP = Duration.ofMillis(100);
  private static final int SUBNETS = 4;
  private static final Map<String, Long> LATENCY_MILLIS =
      Map.of(
          "CreateNetworkInterface", 600L,
          "AttachNetworkInterface", 1_500L,
          "ModifyNetworkInterfaceAttribute", 300L,
          "AssignPrivateIpAddresses", 800L,
          "UnassignPrivateIpAddresses", 800L);

  final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  private final Shape shape;
  private final Ec2World world;
  private final InMemoryNodeResourceStore server = new InMemoryNodeResourceStore();
  private final NodeResourceStore agents = server.client(time);
  private final Map<String, Asked> asks = new HashMap<>();
  private final Map<String, Long> waitedNanos = new HashMap<>();
  private final Set<String> pending = new HashSet<>();
  private final Random random;
  private Predicate<EffectSite> hung = site -> false;

  /** The request that a node waits for, and since when. */
  private record Asked(long atNanos, int poolSize) {}

  /**
   * The shape of the run.
   *
   * @param calls how our own calls are paced
   * @param type of every instance
   * @param preAllocate addresses that each node keeps free
   * @param firstInterfaceIndex 0 when the primary interface serves pods
   * @param fastest the path that is least drained, else the cheapest
   * @param limited whether EC2 has its buckets
   * @param seed of every choice
   */
  record Shape(
      CloudCallsConfig calls,
      InstanceShape type,
      int preAllocate,
      int firstInterfaceIndex,
      boolean fastest,
      boolean limited,
      long seed) {
    static final InstanceShape LARGE = new InstanceShape("m5.large", 3, 10, true);

    static Shape of(CloudCallsConfig calls, int firstInterfaceIndex, boolean fastest, long seed) {
      return new Shape(calls, LARGE, 8, firstInterfaceIndex, fastest, true, seed);
    }
  }

  JoinWorld(Shape shape) {
    this.shape = shape;
    this.random = new Random(shape.seed());
    DirectReads.Reads reads = new DirectReads.Reads();
    this.world = new Ec2World(scenario(shape), time, shape.seed(), false, false, reads.actions());
    Ec2Api api = DirectReads.of(world, world.owner(), reads);
    CloudCalls calls =
        EmulatedDoors.calls(
            shape.calls(),
            time,
            this::cloudFate,
            random,
            Meters.none(),
            Ec2CallLimits.of(Ec2World.ACCOUNT, Ec2World.REGION, 1));
    EniAllocation provider =
        OneAccount.of(
            Ec2Accounts.one(api),
            calls,
            Copies.with(SettingsSample.USUAL, "fastest", shape.fastest()),
            "figures",
            new InstanceTypeLimits(Map.of(), () -> api, calls, time, Meters.none()),
            time);
    NodeResourceStore store = server.client(time);
    NodeManager manager =
        new NodeManager(
            EngineConfig.defaults(),
            new NodeManagerPorts(
                provider,
                store,
                time,
                new Lanes(time, 1),
                time.effects((site, timeout) -> EffectFate.answered(STORE, STORE)),
                Meters.none(),
                node -> pending.contains(node) ? OptionalInt.of(1) : OptionalInt.of(0),
                random));
    agents.watch(new Eyes());
    manager.start();
    store.watch(manager.watcher());
  }

  private EffectFate cloudFate(EffectSite site, Duration timeout) {
    if (hung.test(site)) {
      return EffectFate.requestLost();
    }
    String operation = site.operation();
    Long known = LATENCY_MILLIS.get(operation);
    long millis = known != null ? known : 100 + random.nextInt(151);
    Duration half = Duration.ofMillis(millis).dividedBy(2);
    return EffectFate.answered(half, half);
  }

  private static Scenario scenario(Shape shape) {
    List<SubnetShape> subnets = new ArrayList<>();
    for (int i = 0; i < SUBNETS; i++) {
      subnets.add(
          new SubnetShape(
              "subnet-" + i, "vpc", "zone", Cidr.parse("10." + (16 + i) + ".0.0/16"), List.of()));
    }
    return new Scenario(
        "joins",
        shape.seed(),
        Duration.ofHours(1),
        Duration.ofHours(1),
        OperatorShape.DEFAULT,
        subnets,
        List.of(shape.type()),
        List.of(),
        new CloudShape(new TreeMap<>(), 0, shape.limited() ? 1 : 0, Duration.ZERO),
        StoreShape.DEFAULT,
        List.of());
  }

  /** Calls of these sites are never answered. */
  void hang(Predicate<EffectSite> sites) {
    hung = sites;
  }

  /**
   * Somebody else uses so much of every bucket from now on and is never refused; a negative share
   * adds as much to each refill.
   */
  void neighbours(double share) {
    world.neighboursTake(share, NEIGHBOURS_STEP.toMillis() / 1e3);
    time.after(NEIGHBOURS_STEP, () -> neighbours(share));
  }

  /** Starts so many instances and lets them boot; their nodes are not known yet. */
  List<NodeResource> boot(String prefix, int count) {
    List<NodeResource> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String subnet = "subnet-" + i % SUBNETS;
      String instance = world.launch(shape.type().name(), subnet);
      nodes.add(
          Samples.node(prefix + i)
              .instanceId(instance)
              .preAllocate(shape.preAllocate())
              .build()
              .withEniSpec(world.spec(shape.type().name(), shape.firstInterfaceIndex(), subnet)));
    }
    run(BOOT);
    return nodes;
  }

  /** The node joins after {@code delay}. */
  void join(NodeResource node, Duration delay) {
    time.after(
        delay,
        () -> {
          asks(node.name(), shape.preAllocate());
          server.create(node);
        });
  }

  /** A full node gets one pod more, after {@code delay}. */
  void probe(String name, Duration delay) {
    time.after(
        delay,
        () -> {
          NodeResource now = server.find(name).orElseThrow();
          Map<IpAddress, UsedAddress> used = new TreeMap<>();
          now.pool().addresses().forEach(each -> used.put(each, new UsedAddress("ns/pod", "")));
          pending.add(name);
          asks(name, used.size() + 1);
          StoreResult written = agents.updateStatus(now, now.withUsed(used));
          if (!(written instanceof StoreResult.Stored)) {
            throw new IllegalStateException("the agent's write ended " + written);
          }
        });
  }

  private void asks(String name, int poolSize) {
    waitedNanos.remove(name);
    asks.put(name, new Asked(time.nanos(), poolSize));
  }

  void run(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }

  /** Runs until all of them have what they asked for. */
  Waits await(Predicate<String> names, Duration limit) {
    long end = time.nanos() + limit.toNanos();
    do {
      run(Duration.ofMillis(500));
    } while (time.nanos() < end && !served(names));
    return waits(names);
  }

  private boolean served(Predicate<String> names) {
    return asks.keySet().stream().filter(names).allMatch(waitedNanos::containsKey);
  }

  /** How long each of them has waited, from asking to the pool that shows it. */
  Waits waits(Predicate<String> names) {
    List<Double> seconds =
        waitedNanos.entrySet().stream()
            .filter(each -> names.test(each.getKey()))
            .map(each -> each.getValue() / 1e9)
            .sorted()
            .toList();
    long unserved =
        asks.keySet().stream().filter(names).filter(each -> !waitedNanos.containsKey(each)).count();
    return new Waits(seconds, (int) unserved);
  }

  /** Requests per operation so far. */
  SortedMap<String, Long> calls() {
    return world.calls();
  }

  /** Requests that EC2 throttled so far. */
  long throttled() {
    return world.throttled().values().stream().mapToLong(Long::longValue).sum();
  }

  private final class Eyes implements NodeResourceStore.Watcher {
    @Override
    public void upserted(NodeResource resource) {
      String name = resource.name();
      Asked asked = asks.get(name);
      if (asked != null
          && !waitedNanos.containsKey(name)
          && resource.pool().size() >= asked.poolSize()) {
        waitedNanos.put(name, time.nanos() - asked.atNanos());
        pending.remove(name);
      }
    }

    @Override
    public void deleted(String name) {
      throw new IllegalStateException("nobody deletes " + name);
    }

    @Override
    public void refused(String name, List<ResourceProblem> problems) {
      throw new IllegalStateException(name + " cannot be read: " + problems);
    }

    @Override
    public void synced() {
      // what is there before has asked for nothing
    }
  }
}
