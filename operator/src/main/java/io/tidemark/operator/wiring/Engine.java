package io.tidemark.operator.wiring;

import io.tidemark.node.Explanation;
import io.tidemark.node.NodeManager;
import io.tidemark.node.NodeManagerConfig;
import io.tidemark.node.NodeManagerPorts;
import io.tidemark.node.NodeReport;
import io.tidemark.resilience.CallCounts;
import io.tidemark.resilience.CloudCallsFactory;
import io.tidemark.resilience.StandardCloudCallsFactory;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.ProviderContext;
import io.tidemark.time.TaskScheduler;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The engine with everything around it: cloud door, provider, node manager, on the threads and the
 * home of a {@link Standby}. Made and ended on the program's main thread; what it tells may be
 * asked from any thread.
 */
public final class Engine implements AutoCloseable {
  /** Longer than any step between two calls of one piece of work. */
  private static final Duration QUIET = Duration.ofMillis(200);

  private final EngineThreads threads;
  private final Draining draining;
  private final StandardCloudCallsFactory calls;
  private final NodeHome home;
  private final AllocationImplementation provider;
  private final NodeManager manager;
  private final NodeFeed feed;
  private final Heartbeat heartbeat;
  private final CountedEffects store;
  private NodeResourceStore.@Nullable Watch watch;
  private @Nullable StopReport stopped;

  Engine(EngineSetup setup, EngineThreads threads, NodeHome home, Heartbeat heartbeat) {
    this.threads = threads;
    this.home = home;
    this.heartbeat = heartbeat;
    this.store = new CountedEffects(home.paced(threads.store()), threads.timer().time());
    this.draining = new Draining(threads.timer().time());
    SecureRandom random = new SecureRandom();
    this.calls =
        new StandardCloudCallsFactory(
            EngineSettings.calls(setup.config()),
            threads.timer(),
            threads.cloud(),
            random,
            setup.cloudMetrics(),
            home.learnedRates(),
            home.fence());
    home.learnFrom(calls::learnedRates);
    CloudCallsFactory door =
        setup.readOnly()
            ? policy -> new ReadOnlyCalls(calls.create(policy), threads.timer())
            : draining.watching(calls);
    this.provider =
        setup
            .provider()
            .create(
                new ProviderContext(
                    setup.config().clusterName(),
                    HomeSettings.of(setup.source(), home::clusterUid),
                    threads.timer(),
                    random,
                    door,
                    setup.cloudMetrics().interfaces(),
                    home.notices()));
    this.manager =
        new NodeManager(
            NodeManagerConfig.of(setup.config(), EngineThreads.processors()),
            new NodeManagerPorts(
                provider,
                home.store(),
                threads.timer(),
                threads.lanes(),
                store,
                setup.ipamMetrics(),
                home.pendingPods(),
                home.kubelets(),
                home.closedNodes(),
                random,
                home.events()));
    home.demandGoesTo(manager::requestMaintenance);
    this.feed = new NodeFeed(manager.watcher());
  }

  /**
   * Reads the nodes, then the cloud, and goes on from there.
   *
   * @return ends with whether the first scan of the cloud worked; it is tried again by itself
   */
  public CompletionStage<Boolean> start() {
    manager.setInstancesApiReadiness(false); // until the first scan, which tells all at once
    watch = home.store().watch(feed);
    return feed.syncedStage()
        .thenCompose(nothing -> everyLaneDone())
        .thenCompose(nothing -> manager.start());
  }

  /** Ends when each node has taken in what it was told before. */
  public CompletionStage<Void> everyLaneDone() {
    CompletableFuture<?>[] all =
        manager.names().stream()
            .map(name -> manager.explain(name).toCompletableFuture())
            .toArray(CompletableFuture[]::new);
    return CompletableFuture.allOf(all);
  }

  /** Whether everything that could be done is done; the next step is somebody else's. */
  public boolean isSettled() {
    return feed.syncedStage().toCompletableFuture().isDone()
        && manager.instancesApiIsReady()
        && manager.reports().stream().allMatch(NodeReport::settled);
  }

  /** Why nodes are not kept supplied now, a sentence each; empty when they are. */
  public List<String> unready() {
    List<String> reasons = new ArrayList<>();
    if (!feed.syncedStage().toCompletableFuture().isDone()) {
      reasons.add("the nodes were not read yet");
    }
    manager.instancesApiTrouble().ifPresent(why -> reasons.add(why.detail()));
    if (home.leading() == NodeHome.Leading.STANDBY) {
      reasons.add("the lease is not held any more");
    }
    return reasons;
  }

  /** Whether this program may change the cloud, where several may want to. */
  public NodeHome.Leading leading() {
    return home.leading();
  }

  /** How all nodes stand, by name. */
  public List<NodeReport> reports() {
    return manager.reports();
  }

  /** How a node stands; empty for an unknown name. */
  public Optional<NodeReport> report(String name) {
    return manager.report(name);
  }

  /** Tells the name of each node that is new, gone or stands otherwise; see {@link NodeManager}. */
  public void onChange(Consumer<String> listener) {
    manager.onChange(listener);
  }

  /** Requests sent to the cloud so far. */
  public CallCounts counts() {
    return calls.counts();
  }

  /** What of the home cannot be read now. */
  public List<ResourceProblem> problems() {
    return home.refused();
  }

  /** What of one node's object cannot be read now. */
  public List<ResourceProblem> problemsOf(String name) {
    return feed.problemsOf(name);
  }

  /** Ends, with the reason, when nothing may be changed from here any more. */
  public CompletionStage<String> lost() {
    return home.lost();
  }

  /** Why timer and lanes take no turns any more, a sentence each; empty while they do. */
  public List<String> unhealthy() {
    return heartbeat.missing().stream().toList();
  }

  /** These nodes with why they stand as they do, asked one after the other within {@code limit}. */
  public ExplainedNodes explained(List<NodeReport> nodes, Duration limit) {
    return new ExplainedNodes(nodes, manager::explain, threads.timer().time(), limit);
  }

  /** Why a node stands as it does; empty for an unknown name. */
  public CompletionStage<Optional<Explanation>> explain(String name) {
    return manager.explain(name);
  }

  /** Names of all nodes. */
  public List<String> names() {
    return List.copyOf(manager.names());
  }

  /** The one timer. */
  public TaskScheduler timer() {
    return threads.timer();
  }

  /**
   * Ends in order, at the latest after {@code bound}: no new change begins, what is under way comes
   * to its end and is written down, then everything stops. For the program's main thread; a second
   * call answers what the first did.
   */
  public StopReport stop(Duration bound) throws InterruptedException {
    if (stopped != null) {
      return stopped;
    }
    Countdown end = new Countdown(threads.timer(), bound);
    draining.begin();
    boolean drained = end.awaitTrue(this::isQuiet, bound.dividedBy(3));
    if (watch != null) {
      watch.close();
    }
    manager.close();
    boolean tidied = drained || end.awaitTrue(this::isQuiet, bound.dividedBy(6));
    provider.close();
    boolean written = end.await(home.flush(), bound.dividedBy(10));
    List<String> unknown = new ArrayList<>(draining.unknown());
    unknown.addAll(home.shutDown());
    threads.close();
    boolean timely = threads.awaitClosed(end.left());
    StopReport report = new StopReport(unknown, timely && tidied && written);
    stopped = report;
    return report;
  }

  private boolean isQuiet() {
    return draining.quietFor(QUIET) && store.quietFor(QUIET) && manager.isWritten();
  }

  /** Ends without waiting for anything. */
  @Override
  public void close() {
    if (stopped == null) {
      if (watch != null) {
        watch.close();
      }
      manager.close();
      provider.close();
      home.close();
      threads.close();
      stopped = new StopReport(draining.unknown(), true);
    }
  }
}
