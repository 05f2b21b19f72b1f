package io.tidemark.simulation;

import io.tidemark.agent.crd.CrdMode;
import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.simulation.agent.AgentWorld;
import io.tidemark.simulation.cloud.SimulatedCloud;
import io.tidemark.simulation.scenario.NodeGroup;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.store.SimulatedLease;
import io.tidemark.simulation.store.StoreHistory;
import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectModel;
import io.tidemark.time.EffectSite;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Everything of one run of a {@link ClusterSimulation}. Used by one thread, once. */
final class SimulationRun {
  private static final long EPOCH_MILLIS = 1_767_225_600_000L; // 2026-01-01T00:00Z
  private static final long STEPS_MOST = 2_000_000_000L;
  private static final long STEPS_PER_INSTANT_MOST = 5_000_000;

  /** Steps between two checks of a whole cluster of up to so many nodes. */
  private static final int CHECK_EVERY = 200;

  /** Steps per node between two checks of a larger one, so that a step costs the same in it. */
  private static final int CHECK_STEPS_PER_NODE = 8;

  private static final Duration AGENT_TIMEOUT = Duration.ofSeconds(10);

  private final Scenario scenario;
  private final Progress progress;
  private final Optional<Consumer<OperatorSnapshot>> states;
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
  private long checkedAtStep;
  private boolean watched;

  /** A run that has not begun. */
  SimulationRun(ClusterSimulation simulation) {
    scenario = simulation.clouds.suited(simulation.scenario);
    progress = simulation.progress;
    states = simulation.states;
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
            new SimulatedLease(),
            cloud,
            fleet,
            trouble,
            trace,
            invariants,
            simulation.staffing.isDim()
                ? Optional.of(StoreHistory.of(server, time))
                : Optional.empty(),
            server.client(time));
    cloud.onTimedChange(cluster::cloudChanged);
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
        cluster.cloud().families(),
        split);
  }

  private CrdMode mode() {
    return switch (cluster.cloud().section()) {
      case "eni" -> CrdMode.ENI;
      case "azure" -> CrdMode.AZURE;
      default -> CrdMode.CRD;
    };
  }

  /** Runs it and counts. */
  ClusterSimulation.Watched runWatched() {
    slice = Duration.ofSeconds(1);
    watched = true;
    SimulationReport report = run();
    return new ClusterSimulation.Watched(
        report, crashes, operators.events(), lack.longest(), end(), resources());
  }

  /** Runs it to the end. */
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
    record();
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
    if (step % CHECK_EVERY == 0 && step - checkedAtStep >= stepsBetweenChecks()) {
      checkedAtStep = step;
      cluster.invariants().checkAll();
    }
    faults.afterStep(step);
  }

  private long stepsBetweenChecks() {
    int nodes = cluster.fleet().nodes().size();
    return nodes <= CHECK_EVERY ? CHECK_EVERY : (long) CHECK_STEPS_PER_NODE * nodes;
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
    if (watched) {
      lack.look();
    }
    progress.at(
        Duration.ofNanos(time.nanos()),
        scenario.duration(),
        cluster.fleet().nodes().size(),
        cluster.fleet().full());
    record();
  }

  private void record() {
    states.ifPresent(
        listener ->
            operators.running().stream()
                .findFirst()
                .ifPresent(
                    operator -> listener.accept(operator.state(Duration.ofNanos(time.nanos())))));
  }

  private void settle() {
    cluster.trouble().over();
    operators.onlyOne();
    ClusterSettling settling = new ClusterSettling(cluster, violations);
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
        Stream.concat(cluster.fleet().nodes().stream(), cluster.fleet().departed().stream())
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
