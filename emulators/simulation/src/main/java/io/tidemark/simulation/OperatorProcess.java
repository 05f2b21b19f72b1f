package io.tidemark.simulation;

import io.tidemark.cluster.PendingPods;
import io.tidemark.cluster.lease.LeaderLease;
import io.tidemark.cluster.lease.LeaseTiming;
import io.tidemark.config.ConfigSource;
import io.tidemark.metrics.Meters;
import io.tidemark.node.NodeManager;
import io.tidemark.node.NodeManagerPorts;
import io.tidemark.node.NodeReport;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.node.config.EngineConfig.MaintenanceConfig;
import io.tidemark.node.config.EngineConfig.ReleaseConfig;
import io.tidemark.resilience.Admission;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallCounts;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.CloudCallsConfig;
import io.tidemark.resilience.Fence;
import io.tidemark.resilience.LearnedRates;
import io.tidemark.resilience.StandardCloudCallsFactory;
import io.tidemark.resource.CatchUp;
import io.tidemark.resource.InMemoryNodeResourceStore.Interference;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.StoreResult;
import io.tidemark.simulation.agent.Pod;
import io.tidemark.simulation.cloud.SimulatedCloud;
import io.tidemark.simulation.scenario.Fault.Kind;
import io.tidemark.simulation.scenario.Scenario.OperatorShape;
import io.tidemark.simulation.store.Sight;
import io.tidemark.simulation.store.StoreLine;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.spi.ProviderContext;
import io.tidemark.time.EffectSite;
import io.tidemark.time.Lanes;
import io.tidemark.time.VirtualProcess;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** One operator: engine, provider, cloud requests and watch, in a process that can crash. */
final class OperatorProcess {
  /** The name of all operators in the server's records. */
  private static final String FIELD_MANAGER = "tidemark-operator";

  private static final Duration CATCH_UP_AGAIN = Duration.ofSeconds(1);

  private final String name;
  private final Cluster cluster;
  private final VirtualProcess process;
  private final NodeResourceStore store;
  private final StoreLine line;
  private final Operators others;
  private final Optional<LeaderLease> lease;
  private final NodeManager manager;
  private final StandardCloudCallsFactory calls;
  private final AllocationImplementation provider;
  private final Set<String> changed = new LinkedHashSet<>();
  private Optional<NodeResourceStore.Watch> watch = Optional.empty();
  private long beganNanos;

  OperatorProcess(
      String name,
      Cluster cluster,
      ToLongFunction<String> cloudLatencyNanos,
      CrashWatch crashes,
      OperatorParts parts,
      Operators others,
      SplittableRandom random) {
    this.name = name;
    this.cluster = cluster;
    this.others = others;
    this.process = cluster.time().process(name);
    OperatorNetwork toCloud =
        new OperatorNetwork(
            cluster.trouble(),
            random.split(),
            crashes,
            cloudLatencyNanos,
            cluster.scenario().cloud().spread(),
            true,
            cluster::cloudServed,
            () -> others.dies(this),
            () -> others.diesWithLateRequest(this));
    OperatorNetwork toServer =
        new OperatorNetwork(
            cluster.trouble(),
            random.split(),
            crashes,
            any -> cluster.scenario().store().latency().toNanos(),
            0.5,
            false,
            this::storeServed,
            () -> others.dies(this),
            () -> others.diesWithLateRequest(this));
    this.line = new StoreLine(this::client, process, cluster.trouble()::watchLagNanos, toServer);
    this.lease = others.electing() ? Optional.of(lease()) : Optional.empty();
    this.calls =
        new StandardCloudCallsFactory(
            CloudCallsConfig.defaults(),
            process,
            process.effects(toCloud),
            random.split(),
            Meters.none(),
            LearnedRates.NONE,
            lease.isPresent() ? lease.get() : Fence.OPEN);
    this.provider =
        parts
            .provider()
            .apply(
                cluster
                    .cloud()
                    .provider(
                        new ProviderContext(
                            SimulatedCloud.CLUSTER_NAME,
                            ConfigSource.of(Map.of()),
                            process,
                            random.split(),
                            parts.calls().apply(policy -> new JudgedCalls(calls.create(policy))),
                            Meters.none(),
                            OperatorNotices.NONE)));
    this.store = parts.store().apply(line);
    this.manager =
        new NodeManager(
            settings(cluster.scenario().operator(), cluster.cloud().passTimeout()),
            new NodeManagerPorts(
                provider,
                store,
                process,
                new Lanes(process, EngineConfig.defaults().maintenance().parallelCalls()),
                line.effects(),
                Meters.none(),
                new WaitingPods(cluster),
                random.split()));
    manager.onChange(changed::add);
  }

  private NodeResourceStore client() {
    Optional<Duration> takeOver =
        others.takesOver()
            ? Optional.of(EngineConfig.defaults().maintenance().storeTimeout())
            : Optional.empty();
    return cluster
        .server()
        .operator(
            FIELD_MANAGER,
            takeOver,
            process,
            cluster.trouble()::watchLagNanos,
            interference(cluster));
  }

  /** Checks each pass that asks for its turn. */
  private final class JudgedCalls implements CloudCalls {
    private final CloudCalls genuine;

    JudgedCalls(CloudCalls genuine) {
      this.genuine = genuine;
    }

    @Override
    public Admission admit(List<CallKind> anyOf, CallContext context) {
      line.latest(context.node())
          .ifPresent(
              seen ->
                  cluster.invariants().secondOwners().begins(name, seen, cluster.time().nanos()));
      return genuine.admit(anyOf, context);
    }

    @Override
    public <T> CompletionStage<CallResult<T>> call(
        CallKind kind, CallContext context, Leaf<T> leaf) {
      return genuine.call(kind, context, leaf);
    }
  }

  private LeaderLease lease() {
    LeaderLease contended =
        new LeaderLease(cluster.lease(), name, LeaseTiming.USUAL, process, line.effects(), Map::of);
    contended.won().thenRun(this::begin);
    contended.lost().thenRun(() -> process.execute(() -> others.dies(this)));
    return contended;
  }

  /**
   * A write that a dead operator left in flight counts as a second owner's, unless an election
   * excludes that.
   */
  private void storeServed(EffectSite site) {
    if (process.isAlive() || !others.takesOver()) {
      cluster.storeServed(site, name);
    } else {
      cluster.storeServed(site, true);
    }
  }

  /** Checks what it reports of nodes whose report changed. */
  void judge() {
    if (changed.isEmpty()) {
      return;
    }
    for (String node : changed) {
      manager
          .report(node)
          .flatMap(NodeReport::blocked)
          .filter(blocked -> blocked.reason() == BlockedReason.SECOND_OWNER)
          .ifPresent(any -> cluster.invariants().secondOwners().blocked(node, name, beganNanos));
    }
    changed.clear();
  }

  /** The pods that wait on each node of the cluster. */
  private record WaitingPods(Cluster cluster) implements PendingPods {
    @Override
    public OptionalInt onNode(String node) {
      return cluster
          .fleet()
          .byName(node)
          .map(found -> OptionalInt.of(found.waiting()))
          .orElse(OptionalInt.empty());
    }

    @Override
    public Set<String> unaddressed(String node) {
      return cluster.fleet().byName(node).stream()
          .flatMap(found -> found.agent().pods().stream())
          .filter(pod -> pod.address().isEmpty())
          .map(Pod::fullName)
          .collect(Collectors.toUnmodifiableSet());
    }
  }

  private static EngineConfig settings(OperatorShape shape, Optional<Duration> pass) {
    EngineConfig usual = EngineConfig.defaults();
    MaintenanceConfig maintenance = usual.maintenance();
    ReleaseConfig release = usual.release();
    return new EngineConfig(
        usual.clusterName(),
        usual.profile(),
        new MaintenanceConfig(
            maintenance.parallelCalls(),
            shape.prefixDelegation(),
            shape.backgroundInterval(),
            maintenance.notRunningGrace(),
            maintenance.syncAttempts(),
            pass.orElse(maintenance.passTimeout()),
            maintenance.storeTimeout()),
        new ReleaseConfig(
            shape.releaseExcess(), shape.releaseDelay(), release.hysteresis(), release.minBatch()),
        shape.demand(),
        usual.backoff(),
        usual.ceiling());
  }

  /**
   * Real conflicts, and refusals of a server that is down. The new version that causes a conflict
   * is no operator's write.
   */
  static Interference interference(Cluster cluster) {
    return (operation, node) -> {
      Trouble trouble = cluster.trouble();
      boolean write = operation != io.tidemark.resource.InMemoryNodeResourceStore.Operation.GET;
      if (write && trouble.conflicts() && cluster.server().touch(node)) {
        cluster.storeServed(new EffectSite("touch", node), false);
      }
      if (trouble.hits(Kind.STORE_OUTAGE, operation.name())) {
        return Optional.of(new StoreResult.Failed("the API server is down"));
      }
      return Optional.empty();
    };
  }

  /** How many events its view of the store has shown. */
  int events() {
    return line.events();
  }

  void start() {
    cluster.trace().note(() -> name + " starts");
    lease.ifPresentOrElse(LeaderLease::start, this::begin);
  }

  private void begin() {
    cluster.trace().note(() -> name + " begins to work");
    Sight sight = others.begins();
    cluster.history().ifPresent(history -> line.see(history, sight));
    beganNanos = cluster.time().nanos();
    catchUp();
  }

  private void catchUp() {
    store.catchUp(line.effects()).thenAccept(this::caughtUp);
  }

  private void caughtUp(CatchUp end) {
    if (end instanceof CatchUp.Done) {
      manager.start();
      watch = Optional.of(store.watch(manager.watcher()));
    } else {
      process.after(CATCH_UP_AGAIN, this::catchUp);
    }
  }

  /** Dies between two instructions. */
  void crash(VirtualProcess.OnTheWire requests) {
    cluster.trace().note(() -> name + " crashes");
    watch.ifPresent(NodeResourceStore.Watch::close);
    watch = Optional.empty();
    process.crash(requests);
  }

  /** Pauses for a while. */
  void freeze(Duration pause) {
    cluster.trace().note(() -> name + " pauses for " + pause);
    process.freeze(pause);
  }

  /** The operator's view now. */
  OperatorSnapshot state(Duration at) {
    SimulatedCloud cloud = cluster.cloud();
    return new OperatorSnapshot(
        at,
        manager.reports(),
        provider.poolQuota(),
        calls.buckets(),
        new CallCounts(cloud.calls(), cloud.throttled()));
  }
}
