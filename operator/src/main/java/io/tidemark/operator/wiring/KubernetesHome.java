package io.tidemark.operator.wiring;

import io.tidemark.cluster.ClosedNodes;
import io.tidemark.cluster.KubeletCapacity;
import io.tidemark.cluster.ObjectEvents;
import io.tidemark.cluster.PendingPods;
import io.tidemark.cluster.lease.LeaderLease;
import io.tidemark.cluster.lease.LeaseTiming;
import io.tidemark.config.CallCeiling;
import io.tidemark.config.KubernetesConfig;
import io.tidemark.config.LeaderElectionConfig;
import io.tidemark.kubernetes.ClusterAccess;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.ClusterIdentity;
import io.tidemark.kubernetes.FollowUpsFirst;
import io.tidemark.kubernetes.PacedEffects;
import io.tidemark.kubernetes.demand.ClusterNodes;
import io.tidemark.kubernetes.demand.ClusterPods;
import io.tidemark.kubernetes.events.ClusterEvents;
import io.tidemark.kubernetes.gc.StaleNodes;
import io.tidemark.kubernetes.lease.LeaseSettings;
import io.tidemark.kubernetes.store.KubernetesNodeResourceStore;
import io.tidemark.resilience.Fence;
import io.tidemark.resilience.LearnedRates;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.PooledEffectRunner;
import io.tidemark.time.TaskScheduler;
import io.tidemark.time.WorkerPool;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * CiliumNodes of a cluster. The turn comes when the lease was won, where there is an election, and
 * all nodes were read anew after that; until then everything is watched already. What only looks at
 * the nodes waits for neither.
 */
public final class KubernetesHome implements NodeHome {
  private static final Logger LOG = LoggerFactory.getLogger(KubernetesHome.class);

  /** At the end, for giving the lease back. */
  private static final Duration RELEASE_MAX = Duration.ofSeconds(3);

  private static final int QUEUE = 64;

  private static final int LEASE_REQUESTS = 2;

  private final ClusterConnection cluster;
  private final WorkerPool delivery = new WorkerPool("nodes", 1, QUEUE);
  private final KubernetesNodeResourceStore store;
  private final ClusterNodes nodes;
  private final ClusterPods pods;
  private final PooledEffectRunner leaseRequests;
  private final PooledEffectRunner eventRequests;
  private final Optional<LeaderLease> lease;
  private final Optional<TakeOver> takeOver;
  private final CompletionStage<?> turn;
  private final Optional<CallCeiling> ceiling;
  private final TaskScheduler scheduler;
  private final boolean preAllocateCordoned;
  private final String leaseNamespace;
  private final Optional<StaleNodes> stale;
  private final Optional<ClusterEvents> events;

  /** In the lease and in Events. */
  private final String identity =
      ManagementFactory.getRuntimeMXBean().getName() + '_' + UUID.randomUUID();

  private volatile LearnedRates inherited = LearnedRates.NONE;
  private volatile Supplier<LearnedRates> learned = () -> LearnedRates.NONE;
  private volatile Consumer<String> demand = node -> {};
  private boolean closed;

  private KubernetesHome(
      ClusterConnection cluster,
      KubernetesConfig config,
      TaskScheduler scheduler,
      EffectRunner effects,
      boolean readOnly) {
    this.cluster = cluster;
    this.scheduler = scheduler;
    this.preAllocateCordoned = config.preAllocateCordoned();
    this.ceiling = config.requests();
    this.leaseNamespace = config.election().namespace().orElseGet(cluster::namespace);
    this.leaseRequests = new PooledEffectRunner("lease", LEASE_REQUESTS, QUEUE, scheduler);
    this.eventRequests = new PooledEffectRunner("events", 1, QUEUE, scheduler);
    this.store = KubernetesNodeResourceStore.open(cluster, scheduler.time(), delivery);
    this.nodes = ClusterNodes.watch(cluster, node -> demand.accept(node));
    this.pods = ClusterPods.watch(cluster, node -> demand.accept(node));
    this.lease =
        readOnly || !config.election().enabled()
            ? Optional.empty()
            : Optional.of(lease(config.election()));
    this.takeOver =
        readOnly ? Optional.empty() : Optional.of(new TakeOver(store, effects, scheduler, fence()));
    this.turn =
        takeOver
            .<CompletionStage<?>>map(this::begin)
            .orElseGet(() -> CompletableFuture.completedStage("reads only"));
    this.stale =
        config
            .nodesGcInterval()
            .filter(any -> !readOnly)
            .map(
                pause ->
                    StaleNodes.start(cluster, store, nodes, pause, scheduler, effects, fence()));
    this.events =
        readOnly
            ? Optional.empty()
            : Optional.of(
                ClusterEvents.of(cluster, store::uid, identity, paced(eventRequests), scheduler));
    lease.ifPresent(LeaderLease::start);
  }

  private LeaderLease lease(LeaderElectionConfig election) {
    LOG.info(
        "Standing by for the lease. server={} namespace={} name={} identity={}",
        cluster.server(),
        leaseNamespace,
        LeaseSettings.USUAL_NAME,
        identity);
    return new LeaseSettings(
            leaseNamespace,
            LeaseSettings.USUAL_NAME,
            identity,
            new LeaseTiming(
                election.leaseDuration(), election.renewDeadline(), election.retryPeriod()))
        .lease(cluster, scheduler, leaseRequests, () -> learned.get());
  }

  private CompletionStage<?> begin(TakeOver next) {
    return lease
        .<CompletionStage<?>>map(it -> it.won().thenCompose(rates -> won(it, rates, next)))
        .orElseGet(next::begin);
  }

  private CompletionStage<?> won(LeaderLease held, LearnedRates rates, TakeOver next) {
    inherited = rates;
    store.leads(held, held.wonAt());
    Object unused = held.lost().thenRun(next::end);
    return next.begin();
  }

  /** Opens those of a cluster; everything is read from then on, and the lease is asked for. */
  public static NodeHome.Opener opener(ClusterAccess access, KubernetesConfig config) {
    return (scheduler, effects, readOnly) ->
        new KubernetesHome(ClusterConnection.open(access), config, scheduler, effects, readOnly);
  }

  @Override
  public NodeResourceStore store() {
    return store;
  }

  @Override
  public List<ResourceProblem> refused() {
    return store.refused();
  }

  /** Nobody is told of what is only looked at. */
  @Override
  public ObjectEvents events() {
    return events.<ObjectEvents>map(it -> it).orElse(ObjectEvents.NONE);
  }

  @Override
  public OperatorNotices notices() {
    return events
        .map(
            it ->
                it.onLease(
                    leaseNamespace,
                    LeaseSettings.USUAL_NAME,
                    () -> lease.flatMap(LeaderLease::uid)))
        .orElse(OperatorNotices.NONE);
  }

  @Override
  public Leading leading() {
    return lease.map(it -> it.isOpen() ? Leading.LEADER : Leading.STANDBY).orElse(Leading.ALONE);
  }

  @Override
  public CompletionStage<?> turn() {
    return turn;
  }

  @Override
  public boolean isRead() {
    return store.hasListed();
  }

  @Override
  public List<String> trouble() {
    List<String> reasons = new ArrayList<>();
    store.trouble().ifPresent(reasons::add);
    if (reasons.isEmpty() && !store.hasListed()) {
      reasons.add("the nodes were not read yet");
    }
    lease.flatMap(LeaderLease::trouble).ifPresent(reasons::add);
    takeOver.flatMap(TakeOver::waitsFor).ifPresent(reasons::add);
    return reasons;
  }

  @Override
  public EffectRunner paced(EffectRunner requests) {
    EffectRunner paced =
        ceiling
            .<EffectRunner>map(
                it -> new PacedEffects(requests, it.callsPerSecond(), it.burst(), scheduler))
            .orElse(requests);
    return new FollowUpsFirst(paced, 2 * EngineThreads.STORE_REQUESTS);
  }

  @Override
  public Optional<String> clusterUid() {
    return ClusterIdentity.uid(cluster);
  }

  @Override
  public Fence fence() {
    return lease.isPresent() ? lease.get() : Fence.OPEN;
  }

  @Override
  public LearnedRates learnedRates() {
    return inherited;
  }

  @Override
  public void learnFrom(Supplier<LearnedRates> rates) {
    learned = rates;
  }

  @Override
  public PendingPods pendingPods() {
    return pods;
  }

  @Override
  public KubeletCapacity kubelets() {
    return nodes::podsMax;
  }

  @Override
  public ClosedNodes closedNodes() {
    return preAllocateCordoned ? ClosedNodes.NONE : nodes;
  }

  @Override
  public void demandGoesTo(Consumer<String> changed) {
    demand = changed;
  }

  @Override
  public CompletionStage<String> lost() {
    return lease.map(LeaderLease::lost).orElseGet(CompletableFuture::new);
  }

  /** Every write was sent when it was made. */
  @Override
  public CompletionStage<?> flush() {
    return CompletableFuture.completedStage(null);
  }

  @Override
  public List<String> shutDown() {
    if (!closed && lease.isPresent()) {
      giveBack(lease.get());
    }
    close();
    return List.of();
  }

  private static void giveBack(LeaderLease lease) {
    try {
      Object unused =
          lease.release().toCompletableFuture().get(RELEASE_MAX.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException | ExecutionException e) {
      LOG.warn("The lease was not given back in time; it ends by itself");
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    takeOver.ifPresent(TakeOver::end);
    stale.ifPresent(StaleNodes::close);
    events.ifPresent(ClusterEvents::close);
    pods.close();
    nodes.close();
    store.close();
    leaseRequests.close();
    eventRequests.close();
    cluster.close();
    delivery.close();
  }
}
