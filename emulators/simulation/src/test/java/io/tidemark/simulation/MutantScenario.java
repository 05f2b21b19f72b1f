package io.tidemark.simulation;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.Ipv4Address;
import io.tidemark.simulation.scenario.CloudShape;
import io.tidemark.simulation.scenario.Fault;
import io.tidemark.simulation.scenario.Fault.Kind;
import io.tidemark.simulation.scenario.NodeGroup;
import io.tidemark.simulation.scenario.NodeGroup.AgentShape;
import io.tidemark.simulation.scenario.NodeGroup.Churn;
import io.tidemark.simulation.scenario.NodeGroup.Marks;
import io.tidemark.simulation.scenario.NodeGroup.PodWave;
import io.tidemark.simulation.scenario.NodeGroup.Span;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.Scenario.InstanceShape;
import io.tidemark.simulation.scenario.Scenario.OperatorShape;
import io.tidemark.simulation.scenario.Scenario.StoreShape;
import io.tidemark.simulation.scenario.Scenario.SubnetShape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Small random clusters, each kind rich in one sort of trouble, so that a bug of that sort shows in
 * few and cheap seeds.
 */
enum MutantScenario {
  /** Pods come and go, nothing breaks. */
  CALM,
  /** Many pods at once on nodes that keep few addresses, again and again; attaching takes long. */
  BURSTS,
  /** Answers of changing requests get lost. */
  LOST_ANSWERS,
  /** The operator dies again and again. */
  CRASHES,
  /** Nodes come and go while the operator dies and deletions fail. */
  TURNOVER,
  /** Reads show an old state. */
  STALE_READS,
  /** Writes to the API server meet changes made just before, some fail. */
  CONFLICTS,
  /** Blocks instead of single addresses. */
  BLOCKS,
  /** Agents that hold CIDRs. */
  MULTI_POOL,
  /** A second operator for minutes, again and again; reads show an old state. */
  TWO_OPERATORS,
  /** Agents that hold CIDRs, some with a floor; writes to the API server meet changes or fail. */
  MULTI_POOL_CONFLICTS,
  /** As BURSTS, and agents have no cooldown, so that more is released. */
  RELEASES,
  /** As RELEASES, and the operator dies again and again. */
  RELEASES_AND_CRASHES;

  private static final List<InstanceShape> TYPES =
      List.of(
          new InstanceShape("small", 2, 4, true),
          new InstanceShape("medium", 3, 6, true),
          new InstanceShape("large", 4, 10, true));

  Scenario draw(long seed) {
    return new Drawing(this, seed).scenario();
  }

  /** Chooses everything from one seed. */
  private static final class Drawing {
    private final MutantScenario kind;
    private final long seed;
    private final SplittableRandom random;

    Drawing(MutantScenario kind, long seed) {
      this.kind = kind;
      this.seed = seed;
      this.random = new SplittableRandom(seed);
    }

    Scenario scenario() {
      List<NodeGroup> groups = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        groups.add(group("g" + i));
      }
      return new Scenario(
          kind + " " + seed,
          seed,
          Duration.ofMinutes(8),
          Duration.ofMinutes(20),
          new OperatorShape(true, seconds(20, 50), kind == BLOCKS, seconds(20, 30)),
          List.of(
              new SubnetShape(
                  "subnet-a",
                  "vpc-1",
                  "zone-a",
                  Cidr.containing(Ipv4Address.of(10, 0, 0, 0), 22),
                  List.of())),
          TYPES,
          groups,
          new CloudShape(
              bursts()
                  ? new TreeMap<>(Map.of("AttachNetworkInterface", Duration.ofSeconds(6)))
                  : CloudShape.DEFAULT.latencies(),
              0.3,
              1,
              kind == STALE_READS || kind == TWO_OPERATORS ? seconds(10, 40) : Duration.ZERO),
          new StoreShape(
              Duration.ofMillis(10),
              Duration.ofMillis(random.nextInt(20, conflicts() ? 2_000 : 200)),
              conflicts() ? 0.3 : 0),
          faults());
    }

    private NodeGroup group(String name) {
      InstanceShape type = TYPES.get(random.nextInt(TYPES.size()));
      return new NodeGroup(
          name,
          random.nextInt(2, 5),
          type.name(),
          List.of("subnet-a"),
          random.nextInt(3) == 0 ? 1 : 0,
          bursts() ? new Marks(random.nextInt(1, 4), 0, 0, 0) : marks(),
          new Span(Duration.ZERO, seconds(1, 60)),
          agent(seconds(1, 5)),
          waves(),
          Optional.of(
              kind == BLOCKS
                  ? new Churn(seconds(4, 10), seconds(20, 40))
                  : new Churn(seconds(20, 60), seconds(20, 60))));
    }

    private AgentShape agent(Duration updateRate) {
      boolean cools = kind != RELEASES && kind != RELEASES_AND_CRASHES;
      return cools
          ? new AgentShape(multiPool(), updateRate)
          : new AgentShape(false, updateRate, Duration.ZERO);
    }

    private boolean bursts() {
      return kind == BURSTS || kind == RELEASES || kind == RELEASES_AND_CRASHES;
    }

    private boolean multiPool() {
      return kind == MULTI_POOL || kind == MULTI_POOL_CONFLICTS;
    }

    private boolean conflicts() {
      return kind == CONFLICTS || kind == MULTI_POOL_CONFLICTS;
    }

    private Marks marks() {
      return new Marks(
          random.nextInt(1, 9),
          kind != MULTI_POOL && random.nextBoolean() ? random.nextInt(4, 14) : 0,
          random.nextBoolean() ? random.nextInt(5, 16) : 0,
          random.nextBoolean() ? random.nextInt(1, 4) : 0);
    }

    private List<PodWave> waves() {
      List<PodWave> waves = new ArrayList<>();
      int times = bursts() ? 3 : 1;
      for (int i = 0; i < times; i++) {
        int pods = random.nextInt(2, 10);
        waves.add(new PodWave(new Span(seconds(i * 150 + 10, i * 150 + 60), seconds(1, 10)), pods));
        waves.add(
            new PodWave(new Span(seconds(i * 150 + 70, i * 150 + 140), seconds(1, 60)), -pods));
      }
      return waves;
    }

    private List<Fault> faults() {
      List<Fault> faults = new ArrayList<>();
      switch (kind) {
        case LOST_ANSWERS -> {
          for (String operation :
              List.of(
                  "CreateNetworkInterface",
                  "AttachNetworkInterface",
                  "AssignPrivateIpAddresses",
                  "UnassignPrivateIpAddresses",
                  "VirtualMachineScaleSetVMs.Update",
                  "Interfaces.CreateOrUpdate")) {
            faults.add(
                new Fault(
                    Kind.LOST_ANSWER,
                    seconds(0, 30),
                    seconds(120, 420),
                    random.nextInt(40, 90) / 100.0,
                    operation,
                    0,
                    Duration.ZERO));
          }
        }
        case CRASHES, MULTI_POOL, RELEASES_AND_CRASHES -> {
          for (int i = 0; i < 12; i++) {
            faults.add(Fault.lasting(Kind.CRASH_OPERATOR, seconds(2, 400), seconds(1, 5)));
          }
        }
        case TURNOVER -> {
          for (int i = 0; i < 8; i++) {
            Duration at = seconds(2, 400);
            faults.add(Fault.lasting(Kind.CRASH_OPERATOR, at, seconds(1, 30)));
            faults.add(Fault.nodes(Kind.ADD_NODE, at.minusSeconds(1), Duration.ZERO, 2));
            faults.add(
                Fault.nodes(
                    Kind.TERMINATE_INSTANCE,
                    at.plusSeconds(random.nextInt(0, 6)),
                    seconds(1, 30),
                    2));
          }
        }
        case STALE_READS ->
            faults.add(Fault.nodes(Kind.RESTART_AGENT, seconds(60, 300), Duration.ZERO, 2));
        case TWO_OPERATORS -> {
          for (int i = 0; i < 3; i++) {
            faults.add(
                Fault.lasting(
                    Kind.SECOND_OPERATOR, seconds(i * 150 + 5, i * 150 + 60), seconds(60, 120)));
          }
        }
        case CONFLICTS, MULTI_POOL_CONFLICTS ->
            faults.add(Fault.share(Kind.STORE_OUTAGE, seconds(60, 300), seconds(10, 60), 0.4));
        case CALM, BURSTS, BLOCKS, RELEASES -> {}
      }
      return faults;
    }

    private Duration seconds(int least, int most) {
      return Duration.ofSeconds(random.nextInt(least, most + 1));
    }
  }
}
