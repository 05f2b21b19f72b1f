package io.tidemark.engine;

import io.tidemark.cluster.NodeBackend;
import io.tidemark.cluster.lease.LeaderNotes;
import io.tidemark.cluster.run.Countdown;
import io.tidemark.cluster.run.CountedEffects;
import io.tidemark.cluster.run.ObjectFeed;
import io.tidemark.cluster.run.RunThreads;
import io.tidemark.cluster.run.StopReport;
import io.tidemark.cluster.run.SystemWork;
import io.tidemark.node.NodeManager;
import io.tidemark.node.NodeManagerPorts;
import io.tidemark.node.NodeReport;
import io.tidemark.resilience.BucketState;
import io.tidemark.resilience.CallCounts;
import io.tidemark.resilience.CloudCallsFactory;
import io.tidemark.resilience.LearnedRates;
import io.tidemark.resilience.StandardCloudCallsFactory;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.PoolQuota;
import io.tidemark.spi.ProviderContext;
import io.tidemark.time.Lanes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Cloud door, provider and node manager over an open backend: the only place where they are put
 * together. Made when the turn is ours; nothing moves before {@link #start}.
 */
final class Assembly implements SystemWork {
  private static final String LEARNED_RATES = "learned-rates";

  /** Longer than any step between two calls of one piece of work. */
  private static final Duration QUIET = Duration.ofMillis(200);

  private final NodeBackend backend;
  private final Draining draining;
  private final Optional<StandardCloudCallsFactory> calls;
  private final AllocationImplementation provider;
  private final NodeManager manager;
  private final Feed feed;
  private final CountedEffects store;
  private NodeResourceStore.@Nullable Watch watch;

  /**
   * Puts it together.
   *
   * @param clusterUid the identity of the cluster, where the backend knows it
   * @param changed takes the name of each node that is new, gone or changed its state
   * @throws io.tidemark.error.IpamException when the provider refuses its settings
   */
  Assembly(
      EngineSetup setup,
      RunThreads threads,
      NodeBackend backend,
      Optional<String> clusterUid,
      Consumer<String> changed) {
    this.backend = backend;
    this.store = new CountedEffects(backend.paced(threads.store()), threads.timer().time());
    this.draining = new Draining(threads.timer().time());
    this.calls = setup.cloud().isPresent() ? Optional.empty() : Optional.of(door(setup, threads));
    CloudCallsFactory door = setup.cloud().or(() -> calls).orElseThrow();
    this.provider =
        setup
            .provider()
            .create(
                new ProviderContext(
                    setup.config().clusterName(),
                    BackendSettings.of(setup.source(), () -> clusterUid),
                    threads.timer(),
                    setup.random(),
                    setup.readOnly()
                        ? policy -> new ReadOnlyCalls(door.create(policy), threads.timer())
                        : draining.watching(door),
                    setup.metrics(),
                    backend.notices()));
    provider.inherit(inherited(backend));
    backend.leaderNotes().ifPresent(notes -> notes.writeFrom(this::notes));
    this.manager =
        new NodeManager(
            setup.config(),
            new NodeManagerPorts(
                provider,
                backend.store(),
                threads.timer(),
                new Lanes(threads.lanes(), threads.parallelLanes()),
                store,
                setup.metrics(),
                backend.pendingPods(),
                backend.kubelets(),
                backend.closedNodes(),
                setup.random(),
                backend.events(),
                backend.taintedNodes()));
    manager.onChange(changed);
    backend.demandGoesTo(manager::requestMaintenance);
    this.feed = new Feed(manager.watcher());
  }

  private static Map<String, String> inherited(NodeBackend backend) {
    return backend.leaderNotes().map(LeaderNotes::inherited).orElseGet(Map::of);
  }

  private Map<String, String> notes() {
    Map<String, String> notes = new TreeMap<>(provider.notes());
    calls.ifPresent(own -> notes.put(LEARNED_RATES, own.learnedRates().text()));
    return notes;
  }

  private StandardCloudCallsFactory door(EngineSetup setup, RunThreads threads) {
    return new StandardCloudCallsFactory(
        EngineSetup.calls(setup.config()),
        threads.timer(),
        threads.cloud(),
        setup.random(),
        setup.metrics(),
        LearnedRates.parse(inherited(backend).getOrDefault(LEARNED_RATES, "")),
        backend.fence());
  }

  /** Reads the nodes, then scans the cloud; ends with whether the first scan worked. */
  @Override
  public CompletionStage<Boolean> start() {
    manager.setInstancesApiReadiness(false); // until the first scan, which tells all at once
    watch = backend.store().watch(feed);
    return feed.syncedStage()
        .thenCompose(nothing -> manager.caughtUp())
        .thenCompose(nothing -> manager.start());
  }

  @Override
  public boolean isSettled() {
    return isRead()
        && manager.instancesApiIsReady()
        && manager.reports().stream().allMatch(NodeReport::settled);
  }

  /** Why nodes are not kept supplied now, a sentence each; empty when they are. */
  @Override
  public List<String> unready() {
    List<String> reasons = new ArrayList<>();
    if (!isRead()) {
      reasons.add("the nodes were not read yet");
    }
    manager.instancesApiTrouble().ifPresent(why -> reasons.add(why.detail()));
    if (backend.leading() == NodeBackend.Leading.STANDBY) {
      reasons.add("the lease is not held any more");
    }
    return reasons;
  }

  private boolean isRead() {
    return feed.syncedStage().toCompletableFuture().isDone();
  }

  NodeManager manager() {
    return manager;
  }

  Optional<CallCounts> counts() {
    return calls.map(StandardCloudCallsFactory::counts);
  }

  Map<PoolId, PoolQuota> pools() {
    return provider.poolQuota();
  }

  List<BucketState> buckets() {
    return calls.map(StandardCloudCallsFactory::buckets).orElseGet(List::of);
  }

  List<String> changesUnderWay() {
    return draining.underWay();
  }

  @Override
  public List<ResourceProblem> problemsOf(String name) {
    return feed.problemsOf(name);
  }

  @Override
  public StopReport drain(Countdown end, Duration bound) throws InterruptedException {
    draining.begin();
    boolean drained = end.awaitTrue(this::isQuiet, bound.dividedBy(3));
    endTurns();
    boolean tidied = drained || end.awaitTrue(this::isQuiet, bound.dividedBy(6));
    provider.close();
    boolean written = end.await(backend.flush(), bound.dividedBy(10));
    return new StopReport(draining.unknown(), tidied && written);
  }

  private boolean isQuiet() {
    return draining.quietFor(QUIET) && store.quietFor(QUIET) && manager.isWritten();
  }

  @Override
  public List<String> close() {
    endTurns();
    provider.close();
    return draining.unknown();
  }

  private void endTurns() {
    if (watch != null) {
      watch.close();
    }
    manager.close();
  }

  private static final class Feed extends ObjectFeed<NodeResource>
      implements NodeResourceStore.Watcher {
    Feed(NodeResourceStore.Watcher engine) {
      super(engine, NodeResource::name);
    }
  }
}
