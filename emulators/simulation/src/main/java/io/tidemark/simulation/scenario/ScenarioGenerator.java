package io.tidemark.simulation.scenario;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.Ipv4Address;
import io.tidemark.simulation.scenario.NodeGroup.AgentShape;
import io.tidemark.simulation.scenario.NodeGroup.Churn;
import io.tidemark.simulation.scenario.NodeGroup.Marks;
import io.tidemark.simulation.scenario.NodeGroup.PodWave;
import io.tidemark.simulation.scenario.NodeGroup.Span;
import io.tidemark.simulation.scenario.Scenario.InstanceShape;
import io.tidemark.simulation.scenario.Scenario.OperatorShape;
import io.tidemark.simulation.scenario.Scenario.StoreShape;
import io.tidemark.simulation.scenario.Scenario.SubnetShape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Draws a cluster and its faults from a seed: the same seed, the same scenario. Stateless. */
public final class ScenarioGenerator {
  private static final int NODES_LEAST = 20;
  private static final int NODES_MOST = 200;
  private static final int DURATION_LEAST_MINUTES = 15;

  /** One seed in this many draws multi-pool agents. */
  private static final int MULTI_POOL_OF = 6;

  /** In a cluster with multi-pool agents, the group that has none. */
  private static final String SINGLE_POOL_GROUP = "g1";

  private static final List<InstanceShape> TYPES =
      List.of(
          new InstanceShape("small", 2, 4, true),
          new InstanceShape("medium", 3, 6, true),
          new InstanceShape("large", 3, 10, true),
          new InstanceShape("xlarge", 4, 15, true),
          new InstanceShape("old", 3, 10, false));

  private final SplittableRandom random;
  private final long seed;
  private final List<String> subnetIds = new ArrayList<>();
  private final boolean multiPool;

  private ScenarioGenerator(long seed, boolean multiPool) {
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    this.multiPool = multiPool;
  }

  /**
   * A random cluster of 20 to 200 nodes and at least 15 minutes of faults; one in six has agents
   * that hold CIDRs.
   */
  public static Scenario scenario(long seed) {
    return scenario(seed, 0);
  }

  /** The same with a given number of nodes. */
  public static Scenario scenario(long seed, int nodes) {
    boolean multiPool = Math.floorMod(seed, MULTI_POOL_OF) == MULTI_POOL_OF - 1;
    return new ScenarioGenerator(seed, multiPool).draw(nodes);
  }

  /** The same cluster and faults without multi-pool agents. */
  public static Scenario singlePool(long seed) {
    return new ScenarioGenerator(seed, false).draw(0);
  }

  private Scenario draw(int wanted) {
    int nodes = wanted > 0 ? wanted : random.nextInt(NODES_LEAST, NODES_MOST + 1);
    Duration duration = Duration.ofMinutes(DURATION_LEAST_MINUTES + random.nextInt(0, 4));
    List<SubnetShape> subnets = subnets(nodes);
    OperatorShape operator = operator();
    List<NodeGroup> groups = groups(nodes, operator.releaseExcess());
    return new Scenario(
        "seed " + seed,
        seed,
        duration,
        Scenario.SETTLE,
        operator,
        subnets,
        TYPES,
        groups,
        cloud(),
        store(),
        faults(duration, nodes));
  }

  private OperatorShape operator() {
    return new OperatorShape(chance(0.75), seconds(20, 120), chance(0.35), seconds(20, 90));
  }

  /** Enough room for most; in one cluster of four one subnet is nearly full. */
  private List<SubnetShape> subnets(int nodes) {
    List<SubnetShape> subnets = new ArrayList<>();
    int count = random.nextInt(1, 4);
    boolean tight = chance(0.25);
    for (int i = 0; i < count; i++) {
      int length = tight && i == 0 ? 32 - bits(nodes * 6) : 32 - bits(nodes * 64);
      Cidr cidr = Cidr.containing(Ipv4Address.of(10, i * 16, 0, 0), length);
      List<Cidr> reserved =
          chance(0.2) ? List.of(Cidr.containing(cidr.address(16), 30)) : List.of();
      String id = "subnet-" + (char) ('a' + i);
      subnetIds.add(id);
      subnets.add(new SubnetShape(id, "vpc-1", "zone-" + (char) ('a' + i), cidr, reserved));
    }
    return subnets;
  }

  private static int bits(int addresses) {
    return Math.max(6, 32 - Integer.numberOfLeadingZeros(addresses));
  }

  private List<NodeGroup> groups(int nodes, boolean release) {
    List<NodeGroup> groups = new ArrayList<>();
    int count = random.nextInt(1, 4);
    int left = nodes;
    for (int i = 0; i < count; i++) {
      int size = i == count - 1 ? left : random.nextInt(1, Math.max(2, left - count + i + 1));
      left -= size;
      groups.add(group("g" + i, size, release));
    }
    return groups;
  }

  private NodeGroup group(String name, int size, boolean release) {
    InstanceShape type = TYPES.get(random.nextInt(TYPES.size()));
    int index = chance(0.3) && type.interfaces() > 1 ? 1 : 0;
    List<String> subnets = new ArrayList<>(subnetIds);
    boolean cidrs = multiPool && !name.equals(SINGLE_POOL_GROUP);
    Marks marks =
        new Marks(
            chance(0.3) ? 0 : random.nextInt(1, 12),
            chance(0.3) ? random.nextInt(1, 16) : 0,
            chance(0.2) ? random.nextInt(4, 30) : 0,
            chance(0.25) ? random.nextInt(1, 6) : 0);
    Span join = chance(0.5) ? Span.START : new Span(seconds(0, 120), seconds(0, 300));
    List<PodWave> waves = new ArrayList<>();
    int most = Math.max(2, Math.min(14, type.interfaces() * (type.addressesPerInterface() - 1)));
    int arrived = random.nextInt(0, most);
    waves.add(new PodWave(new Span(seconds(0, 60), seconds(0, 240)), arrived));
    if (release || chance(0.5)) {
      int leaving = random.nextInt(0, arrived + 1);
      waves.add(new PodWave(new Span(seconds(240, 420), seconds(0, 120)), -leaving));
    }
    if (chance(0.4)) {
      waves.add(new PodWave(new Span(seconds(420, 800), seconds(0, 60)), random.nextInt(0, most)));
    }
    Optional<Churn> churn =
        chance(0.6)
            ? Optional.of(new Churn(seconds(150, 900), seconds(20, 400)))
            : Optional.empty();
    AgentShape agent = new AgentShape(cidrs, Duration.ofSeconds(random.nextInt(1, 16)));
    return new NodeGroup(name, size, type.name(), subnets, index, marks, join, agent, waves, churn);
  }

  private CloudShape cloud() {
    CloudShape usual = CloudShape.DEFAULT;
    return new CloudShape(
        usual.latencies(),
        random.nextInt(0, 6) * 0.1,
        usual.buckets(),
        chance(0.4) ? seconds(1, 30) : Duration.ZERO);
  }

  private StoreShape store() {
    return new StoreShape(
        Duration.ofMillis(random.nextInt(1, 20)),
        Duration.ofMillis(chance(0.2) ? random.nextInt(100, 3_000) : random.nextInt(1, 100)),
        chance(0.5) ? random.nextInt(0, 50) / 100.0 : 0);
  }

  private List<Fault> faults(Duration duration, int nodes) {
    List<Fault> faults = new ArrayList<>();
    int count = random.nextInt(2, 10);
    List<Fault.Kind> kinds = new ArrayList<>(List.of(Fault.Kind.values()));
    kinds.remove(Fault.Kind.REPLACE_AGENT); // people do that, and not among others
    for (int i = 0; i < count; i++) {
      faults.add(fault(kinds.get(random.nextInt(kinds.size())), duration, nodes));
    }
    Collections.sort(faults, (a, b) -> a.at().compareTo(b.at()));
    return faults;
  }

  private Fault fault(Fault.Kind kind, Duration duration, int nodes) {
    Duration at = seconds(1, (int) duration.toSeconds() - 200);
    int few = random.nextInt(1, Math.max(2, Math.min(8, nodes / 8)));
    double share = random.nextInt(1, 30) / 100.0;
    return switch (kind) {
      case LOST_REQUEST, LOST_ANSWER, HANG, ERRORS ->
          Fault.share(kind, at, seconds(10, 180), share);
      case THROTTLE_STORM -> Fault.share(kind, at, seconds(30, 180), 0.2 + share * 2);
      case STALE_READS -> Fault.step(kind, at, seconds(30, 180), seconds(5, 60));
      case STORE_CONFLICTS -> Fault.share(kind, at, seconds(30, 180), Math.min(0.5, share * 2));
      case STORE_OUTAGE -> Fault.share(kind, at, seconds(5, 90), Math.min(1, share * 4));
      case WATCH_LAG -> Fault.step(kind, at, seconds(30, 180), seconds(1, 20));
      case STOP_INSTANCE -> Fault.nodes(kind, at, seconds(20, 180), few);
      case TERMINATE_INSTANCE -> Fault.nodes(kind, at, seconds(5, 120), few);
      case REMOVE_NODE, ADD_NODE, REPLACE_INSTANCE, RESTART_AGENT, REPLACE_AGENT ->
          Fault.nodes(kind, at, Duration.ZERO, few);
      case CRASH_OPERATOR -> Fault.lasting(kind, at, seconds(1, 60));
      case SECOND_OPERATOR -> Fault.lasting(kind, at, seconds(5, 60));
      case STALL_OPERATOR -> Fault.lasting(kind, at, seconds(1, 40));
      case WALL_CLOCK_STEP ->
          Fault.step(kind, at, Duration.ZERO, Duration.ofMinutes(random.nextInt(-90, 91)));
    };
  }

  private boolean chance(double share) {
    return random.nextDouble() < share;
  }

  private Duration seconds(int least, int most) {
    return Duration.ofSeconds(random.nextInt(least, Math.max(least + 1, most + 1)));
  }
}
