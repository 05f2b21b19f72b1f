package io.tidemark.kubernetes.backend;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.tidemark.cluster.ClosedNodes;
import io.tidemark.cluster.KubeletCapacity;
import io.tidemark.cluster.NodeBackend;
import io.tidemark.cluster.ObjectEvents;
import io.tidemark.cluster.PendingPods;
import io.tidemark.cluster.lease.LeaderLease;
import io.tidemark.cluster.lease.LeaseTiming;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigSource;
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
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * CiliumNodes of a cluster. The turn comes when the lease was won, where there is an election, and
 * all nodes were read anew after that; until then everything is only watched. A backend that only
 * reads has its turn as soon as all nodes were listed. Thread-safe.
 */
public final class KubernetesBackend implements NodeBackend {
  private static final Logger LOG = LoggerFactory.getLogger(KubernetesBackend.class);
  private static final Duration LOOK = Duration.ofMillis(20);
  private static final int QUEUE = 64;
  private static final int LEASE_REQUESTS = 2;

  /** Writes handed on at a time: enough to keep the threads of the store busy. */
  private static final int WRITES_AT_ONCE = 16;

  private final ClusterConnection cluster;
  private final KubernetesConfig config;
  private final TaskScheduler scheduler;
  private final WorkerPool delivery = new WorkerPool("nodes", 1, QUEUE);
  private final KubernetesNodeResourceStore store;
  private final ClusterNodes nodes;
  private final ClusterPods pods;
  private final PooledEffectRunner leaseRequests;
  private final PooledEffectRunner eventRequests;
  private final Optional<LeaderLease> lease;
  private final Optional<TakeOver> takeOver;
  private final CompletionStage<?> turn;
  private final String leaseNamespace;
  private final Optional<StaleNodes> stale;
  private final Optional<ClusterEvents> events;

  /** In the lease and in Events. */
  private final String identity;

  private volatile LearnedRates inherited = LearnedRates.NONE;
  private volatile Supplier<LearnedRates> learned = () -> LearnedRates.NONE;
  private volatile Consumer<String> demand = node -> {};
  private volatile boolean closed;

  private KubernetesBackend(
      ClusterConnection cluster, KubernetesConfig config, Environment environment) {
    boolean writes = !environment.readOnly();
    EffectRunner effects = environment.effects();
    this.cluster = cluster;
    this.config = config;
    this.scheduler = environment.scheduler();
    this.identity = identity(environment.random());
    this.leaseNamespace = config.election().namespace().orElseGet(cluster::namespace);
    this.leaseRequests = new PooledEffectRunner("lease", LEASE_REQUESTS, QUEUE, scheduler);
    this.eventRequests = new PooledEffectRunner("events", 1, QUEUE, scheduler);
    this.store = KubernetesNodeResourceStore.open(cluster, scheduler.time(), delivery);
    this.nodes = ClusterNodes.watch(cluster, node -> demand.accept(node));
    this.pods = ClusterPods.watch(cluster, node -> demand.accept(node));
    this.lease =
        Optional.of(config.election())
            .filter(election -> writes && election.enabled())
            .map(this::lease);
    this.takeOver =
        writes ? Optional.of(new TakeOver(store, effects, scheduler, fence())) : Optional.empty();
    this.turn = takeOver.<CompletionStage<?>>map(this::begin).orElseGet(this::listed);
    this.stale =
        config
            .nodesGcInterval()
            .filter(any -> writes)
            .map(
                pause ->
                    StaleNodes.start(cluster, store, nodes, pause, scheduler, effects, fence()));
    this.events =
        writes
            ? Optional.of(
                ClusterEvents.of(cluster, store::uid, identity, paced(eventRequests), scheduler))
            : Optional.empty();
    lease.ifPresent(LeaderLease::start);
  }

  /**
   * CiliumNodes of a cluster over a connection of our own; the settings say whether a lease is
   * needed. Everything is read as soon as it is opened, and the lease is asked for.
   */
  public static NodeBackend.Opener connecting(ClusterAccess access) {
    return new Clusters(() -> ClusterConnection.open(access), true);
  }

  /**
   * CiliumNodes of a cluster over a client that belongs to the embedding program, which closes it
   * after the engine. There is no lease: the program starts the engine only while it is the leader,
   * or runs once.
   */
  public static NodeBackend.Opener sharing(KubernetesClient client) {
    return new Clusters(() -> ClusterConnection.of(client), false);
  }

  /** As {@link #sharing}, but with our lease, unless the settings turn it off. */
  public static NodeBackend.Opener sharingWithLease(KubernetesClient client) {
    return new Clusters(() -> ClusterConnection.of(client), true);
  }

  private record Clusters(Supplier<ClusterConnection> connection, boolean mayElect)
      implements NodeBackend.Opener {
    @Override
    public NodeBackend open(Environment environment) {
      ConfigProblems problems = new ConfigProblems();
      KubernetesConfig config = KubernetesConfig.read(environment.settings(), problems);
      problems.throwIfAny();
      return new KubernetesBackend(
          connection.get(), mayElect ? config : config.withoutElection(), environment);
    }

    @Override
    public void check(ConfigSource settings, ConfigProblems problems) {
      Object unused = KubernetesConfig.read(settings, problems);
    }
  }

  private static String identity(RandomGenerator random) {
    UUID unique = new UUID(random.nextLong(), random.nextLong());
    return ManagementFactory.getRuntimeMXBean().getName() + '_' + unique;
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

  /** Ends when the nodes were listed, which more questions to the cluster wait for. */
  private CompletionStage<?> listed() {
    CompletableFuture<String> all = new CompletableFuture<>();
    look(all);
    return all;
  }

  private void look(CompletableFuture<String> all) {
    if (store.hasListed()) {
      all.complete("reads only");
    } else if (!closed) {
      scheduler.after(LOOK, () -> look(all));
    }
  }

  @Override
  public NodeResourceStore store() {
    return store;
  }

  @Override
  public List<ResourceProblem> refused() {
    return store.refused();
  }

  /** A backend that only reads reports nothing. */
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
        config
            .requests()
            .<EffectRunner>map(
                it -> new PacedEffects(requests, it.callsPerSecond(), it.burst(), scheduler))
            .orElse(requests);
    return new FollowUpsFirst(paced, WRITES_AT_ONCE);
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
    return config.preAllocateCordoned() ? ClosedNodes.NONE : nodes;
  }

  @Override
  public void demandGoesTo(Consumer<String> changed) {
    demand = changed;
  }

  @Override
  public CompletionStage<String> lost() {
    return lease.map(LeaderLease::lost).orElseGet(CompletableFuture::new);
  }

  @Override
  public CompletionStage<?> resign() {
    return lease
        .<CompletionStage<?>>map(LeaderLease::release)
        .orElseGet(() -> CompletableFuture.completedStage("no lease"));
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
