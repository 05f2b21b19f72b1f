package io.tidemark.simulation;

import io.tidemark.agent.crd.CrdMode;
import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.simulation.Operators.Staffing;
import io.tidemark.simulation.agent.AgentWorld;
import io.tidemark.simulation.cloud.CloudTemper;
import io.tidemark.simulation.cloud.MockSimulatedCloud;
import io.tidemark.simulation.cloud.SimulatedCloud;
import io.tidemark.simulation.scenario.NodeGroup;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.store.Sight;
import io.tidemark.simulation.store.StoreHistory;
import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectModel;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TimeSource;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A whole cluster in virtual time on the calling thread: operators with the real engine, agents,
 * API server, cloud, faults, and the invariants that must hold (docs/simulation.md). Configure,
 * then {@link #run} once.
 */
public final class ClusterSimulation {
  private final Scenario scenario;
  private CloudFactory clouds = MockSimulatedCloud::new;
  private @Nullable Consumer<String> reader;
  private Progress progress = Progress.SILENT;
  private Optional<CrashPoint> crashPoint = Optional.empty();
  private OperatorParts parts = OperatorParts.GENUINE;
  private Staffing staffing = Staffing.ONE;
  private boolean firstViolationEnds;

  /** Makes the cloud of a run. */
  @FunctionalInterface
  public interface CloudFactory {
    /** An account with the scenario's networks and instance types and nothing else. */
    SimulatedCloud create(Scenario scenario, VirtualTime time, CloudTemper temper, long seed);

    /** What this cloud makes of a scenario that was drawn for any; by default nothing else. */
    default Scenario suited(Scenario drawn) {
      return drawn;
    }
  }

  /** A run of this scenario on the mock cloud. */
  public ClusterSimulation(Scenario scenario) {
    this.scenario = Objects.requireNonNull(scenario, "scenario");
  }

  /** Runs on another cloud. */
  public ClusterSimulation on(CloudFactory other) {
    clouds = other;
    return this;
  }

  /** Writes every event, one line each; this makes the run slower, not different. */
  public ClusterSimulation traced(Consumer<String> lines) {
    reader = lines;
    return this;
  }

  /** Reports progress from time to time. */
  public ClusterSimulation reporting(Progress listener) {
    progress = listener;
    return this;
  }

  /** Crashes the operator, or loses an answer, at this point. */
  public ClusterSimulation hitting(CrashPoint point) {
    crashPoint = Optional.of(point);
    return this;
  }

  /** Puts other parts into the operators. */
  public ClusterSimulation with(OperatorParts faulty) {
    parts = faulty;
    return this;
  }

  /** Lets this many operators compete for the lease; only its holder works. */
  public ClusterSimulation electing(int operators) {
    staffing = staffing.withElection(operators);
    return this;
  }

  /** Limits what the first operator sees of the store. */
  public ClusterSimulation firstSees(Sight sight) {
    staffing = staffing.withFirstSight(sight);
    return this;
  }

  /** Chooses how a dead operator is replaced. */
  public ClusterSimulation succeededBy(Succession succession) {
    staffing = staffing.withSuccession(succession);
    return this;
  }

  /** Ends the run soon after the first violation. */
  public ClusterSimulation untilViolation() {
    firstViolationEnds = true;
    return this;
  }

  /** Runs it to the end. {@code wall} measures the time it takes and has no other influence. */
  public SimulationReport run(TimeSource wall) {
    long began = wall.nanos();
    SimulationReport report = new Run(this).run();
    return report.withWallSeconds(SimulationReport.millis(wall.nanos() - began));
  }

  /**
   * The result of a run, and the requests of its operators.
   *
   * @param events changes of the store that operators received, where a {@link Sight} is given
   * @param lack the longest time that a node lacked addresses which the cloud had
   * @param end the state of each node at the end, without addresses and ids, by name
   * @param resources the object of each node at the end as JSON, by name
   */
  public record Watched(
      SimulationReport report,
      CrashWatch crashes,
      int events,
      Duration lack,
      SortedMap<String, NodeEnd> end,
      SortedMap<String, String> resources) {}

  /** Runs it, counts the requests and reports whether the crash point was reached. */
  public Watched runWatched() {
    Run run = new Run(this);
    run.slice = Duration.ofSeconds(1);
    SimulationReport report = run.run();
    return new Watched(
        report,
        run.crashes,
        run.operators.events(),
        run.lack.longest(),
        run.end(),
        run.resources());
  }

  Scenario scenario() {
    return scenario;
  }

  Progress progress() {
    return progress;
  }

  /** Everything of one run. */
  private static final class Run {
    private static final long EPOCH_MILLIS = 1_767_225_600_000L; // 2026-01-01T00:00Z
    private static final long STEPS_MOST = 2_000_000_000L;
    private static final long STEPS_PER_INSTANT_MOST = 5_000_000;
    private static final int CHECK_EVERY = 200;
    private static final Duration AGENT_TIMEOUT = Duration.ofSeconds(10);

    private final Scenario scenario;
    private final Progress progress;
    private final boolean firstViolationEnds;
    private final VirtualTime time =
        new VirtualTime(EPOCH_MILLIS, STEPS_MOST, STEPS_PER_INSTANT_MOST);
    private final Violations violations;
    private final Cluster cluster;
    private final CrashWatch crashes;
    private final Operators operators;
    private final NodeLife life;
    private final FaultSchedule faults;
    private final SplittableRandom random;
    private final LongestLack lack;
    private Duration slice = Duration.ofSeconds(10);

    Run(ClusterSimulation simulation) {
      scenario = simulation.clouds.suited(simulation.scenario);
      progress = simulation.progress;
      firstViolationEnds = simulation.firstViolationEnds;
      random = new SplittableRandom(scenario.seed());
      EventTrace trace = new EventTrace(time, simulation.reader);
      violations = new Violations(time, trace);
      Trouble trouble = new Trouble(scenario, random.split());
      SimulatedCloud cloud = simulation.clouds.create(scenario, time, trouble, random.nextLong());
      NodeFleet fleet = new NodeFleet();
      Invariants invariants =
          new Invariants(time, cloud, fleet, violations, new WireCheck(cloud, violations));
      InMemoryNodeResourceStore server = new InMemoryNodeResourceStore(time);
      cluster =
          new Cluster(
              scenario,
              time,
              server,
              cloud,
              fleet,
              trouble,
              trace,
              invariants,
              simulation.staffing.isDim()
                  ? Optional.of(StoreHistory.of(server, time))
                  : Optional.empty());
      crashes = new CrashWatch(simulation.crashPoint);
      lack = new LongestLack(cluster);
      operators =
          new Operators(cluster, crashes, simulation.parts, simulation.staffing, random.split());
      PodTraffic traffic = new PodTraffic(time, random.split(), scenario.duration().toNanos());
      life = new NodeLife(cluster, agents(random.split()), traffic, random.split());
      faults = new FaultSchedule(cluster, life, operators, random.split());
    }

    private AgentWorld agents(SplittableRandom split) {
      long latency = scenario.store().latency().toNanos();
      EffectModel network =
          new EffectModel() {
            @Override
            public EffectFate decide(EffectSite site, Duration timeout) {
              return new EffectFate(latency / 2, latency / 2, EffectFate.Loss.NOTHING);
            }

            @Override
            public void executed(EffectSite site) {
              cluster.storeServed(site, false);
            }
          };
      return new AgentWorld(
          time,
          cluster.server(),
          cluster.trouble()::watchLagNanos,
          OperatorProcess.interference(cluster),
          network,
          AGENT_TIMEOUT,
          cluster.invariants(),
          mode(),
          cluster.cloud()::shownInterfaces,
          split);
    }

    private CrdMode mode() {
      return switch (cluster.cloud().section()) {
        case "eni" -> CrdMode.ENI;
        case "azure" -> CrdMode.AZURE;
        default -> CrdMode.CRD;
      };
    }

    SimulationReport run() {
      time.afterEachStep(this::afterStep);
      if (scenario.operator().prefixDelegation()) {
        cluster.invariants().allowBlocks(16);
      }
      String foreign = cluster.cloud().foreignInterface(scenario.subnets().get(0).id());
      cluster.cloudChanged();
      cluster.invariants().foreign(foreign);
      try {
        begin();
        runUntil(scenario.duration());
        if (!isOver()) {
          settle();
        }
      } catch (RuntimeException broken) {
        violations.add("X", "", text(broken));
      }
      return report();
    }

    private static String text(RuntimeException broken) {
      StringBuilder text = new StringBuilder(broken.toString());
      StackTraceElement[] frames = broken.getStackTrace();
      for (int i = 0; i < Math.min(frames.length, 12); i++) {
        text.append("\n  at ").append(frames[i]);
      }
      return text.toString();
    }

    private void afterStep() {
      operators.judge();
      long step = time.steps();
      if (step % CHECK_EVERY == 0) {
        cluster.invariants().checkAll();
      }
      faults.afterStep(step);
    }

    private void begin() {
      operators.start();
      SplittableRandom joins = random.split();
      for (NodeGroup group : scenario.nodeGroups()) {
        for (int i = 0; i < group.count(); i++) {
          long over = group.join().over().toNanos();
          long at = group.join().at().toNanos() + (over == 0 ? 0 : joins.nextLong(over));
          time.at(at, () -> life.join(group));
        }
      }
      faults.begin();
    }

    private void runUntil(Duration end) {
      for (Duration at = Duration.ZERO; at.compareTo(end) < 0 && !isOver(); ) {
        at = at.plus(slice).compareTo(end) < 0 ? at.plus(slice) : end;
        time.runUntil(at.toNanos());
        tellProgress();
      }
    }

    private boolean isOver() {
      return firstViolationEnds && !violations.isEmpty();
    }

    private void tellProgress() {
      lack.look();
      int full = 0;
      for (SimulatedNode node : cluster.fleet().nodes()) {
        full += node.timeToWatermarkNanos().isPresent() ? 1 : 0;
      }
      progress.at(
          Duration.ofNanos(time.nanos()),
          scenario.duration(),
          cluster.fleet().nodes().size(),
          full);
    }

    private void settle() {
      cluster.trouble().over();
      operators.onlyOne();
      Settling settling = new Settling(cluster, violations);
      settling.run(this::tellProgress);
    }

    private SortedMap<String, NodeEnd> end() {
      SortedMap<String, NodeEnd> end = new TreeMap<>();
      cluster
          .fleet()
          .nodes()
          .forEach(node -> end.put(node.name(), NodeEnd.of(node, cluster.cloud())));
      return end;
    }

    private SortedMap<String, String> resources() {
      SortedMap<String, String> resources = new TreeMap<>();
      for (SimulatedNode node : cluster.fleet().nodes()) {
        resources.put(node.name(), NodeResourceJson.print(node.lastObject()));
      }
      return resources;
    }

    private SimulationReport report() {
      long[] times =
          java.util.stream.Stream.concat(
                  cluster.fleet().nodes().stream(), cluster.fleet().departed().stream())
              .filter(node -> node.timeToWatermarkNanos().isPresent())
              .mapToLong(node -> node.timeToWatermarkNanos().getAsLong())
              .toArray();
      int addresses = 0;
      int interfaces = 0;
      for (SimulatedNode node : cluster.fleet().nodes()) {
        addresses += Invariants.available(cluster.cloud(), node);
        interfaces += cluster.cloud().attachedTo(node.instanceId()).size();
      }
      return new SimulationReport(
          cluster.fleet().nodes().size() + cluster.fleet().departed().size(),
          SimulationReport.millis(time.nanos()),
          0,
          SimulationReport.TimeToWatermark.of(times),
          cluster.cloud().calls(),
          cluster.cloud().throttled().values().stream().mapToLong(Long::longValue).sum(),
          addresses,
          interfaces,
          violations.list());
    }
  }
}
