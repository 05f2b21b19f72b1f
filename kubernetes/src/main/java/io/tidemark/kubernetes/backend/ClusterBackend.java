package io.tidemark.kubernetes.backend;

import io.tidemark.cluster.ClosedNodes;
import io.tidemark.cluster.KubeletCapacity;
import io.tidemark.cluster.NodeBackend;
import io.tidemark.cluster.ObjectEvents;
import io.tidemark.cluster.PendingPods;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.ClusterIdentity;
import io.tidemark.kubernetes.KubernetesConfig;
import io.tidemark.kubernetes.demand.ClusterPods;
import io.tidemark.kubernetes.events.ClusterEvents;
import io.tidemark.kubernetes.gc.StaleNodes;
import io.tidemark.kubernetes.lease.LeaseSettings;
import io.tidemark.kubernetes.store.ClusterNodes;
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

/**
 * The parts of a cluster that an engine uses, over one connection. A backend that only reads has no
 * {@link Leadership}, deletes nothing and reports nothing; its turn comes when all nodes were
 * listed. Thread-safe.
 */
final class ClusterBackend implements NodeBackend {
  private static final Duration LOOK = Duration.ofMillis(20);
  private static final int QUEUE = 64;

  /** Writes handed on at a time: enough to keep the threads of the store busy. */
  private static final int WRITES_AT_ONCE = 16;

  private final ClusterConnection cluster;
  private final KubernetesConfig config;
  private final TaskScheduler scheduler;
  private final WorkerPool delivery = new WorkerPool("nodes", 1, QUEUE);
  private final KubernetesNodeResourceStore store;
  private final ClusterNodes nodes;
  private final ClusterPods pods;
  private final PooledEffectRunner eventRequests;
  private final Optional<Leadership> leadership;
  private final CompletionStage<?> turn;
  private final Optional<StaleNodes> stale;
  private final Optional<ClusterEvents> events;
  private volatile Consumer<String> demand = node -> {};
  private volatile boolean closed;

  ClusterBackend(ClusterConnection cluster, KubernetesConfig config, Environment environment) {
    String identity = identity(environment.random());
    EffectRunner effects = environment.effects();
    this.cluster = cluster;
    this.config = config;
    this.scheduler = environment.scheduler();
    this.eventRequests = new PooledEffectRunner("events", 1, QUEUE, scheduler);
    this.store = KubernetesNodeResourceStore.open(cluster, scheduler.time(), delivery);
    this.nodes =
        ClusterNodes.watch(cluster, scheduler.time(), delivery, node -> demand.accept(node));
    this.pods = ClusterPods.watch(cluster, node -> demand.accept(node));
    this.leadership =
        environment.readOnly()
            ? Optional.empty()
            : Optional.of(new Leadership(cluster, config.election(), store, environment, identity));
    this.turn = leadership.<CompletionStage<?>>map(Leadership::turn).orElseGet(this::listed);
    this.stale =
        config
            .nodesGcInterval()
            .filter(any -> leadership.isPresent())
            .map(
                pause ->
                    StaleNodes.start(cluster, store, nodes, pause, scheduler, effects, fence()));
    this.events =
        leadership.map(
            writes -> ClusterEvents.of(cluster, identity, paced(eventRequests), scheduler));
    leadership.ifPresent(Leadership::start);
  }

  /** In the lease and in Events. */
  private static String identity(RandomGenerator random) {
    UUID unique = new UUID(random.nextLong(), random.nextLong());
    return ManagementFactory.getRuntimeMXBean().getName() + '_' + unique;
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

  @Override
  public ObjectEvents events() {
    return events.map(it -> it.onCiliumNodes(store::uid)).orElse(ObjectEvents.NONE);
  }

  @Override
  public OperatorNotices notices() {
    return leadership
        .flatMap(
            lease ->
                events.map(
                    it -> it.onLease(lease.namespace(), LeaseSettings.USUAL_NAME, lease::uid)))
        .orElse(OperatorNotices.NONE);
  }

  @Override
  public Leading leading() {
    return leadership.map(Leadership::leading).orElse(Leading.ALONE);
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
      reasons.add("the API server " + cluster.server() + " has not sent the nodes yet");
    }
    leadership.ifPresent(it -> reasons.addAll(it.trouble()));
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
    return leadership.map(Leadership::fence).orElse(Fence.OPEN);
  }

  @Override
  public LearnedRates learnedRates() {
    return leadership.map(Leadership::learnedRates).orElse(LearnedRates.NONE);
  }

  @Override
  public void learnFrom(Supplier<LearnedRates> rates) {
    leadership.ifPresent(it -> it.learnFrom(rates));
  }

  @Override
  public PendingPods pendingPods() {
    return pods;
  }

  @Override
  public KubeletCapacity kubelets() {
    return nodes;
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
    return leadership.map(Leadership::lost).orElseGet(CompletableFuture::new);
  }

  @Override
  public CompletionStage<?> resign() {
    return leadership
        .<CompletionStage<?>>map(Leadership::resign)
        .orElseGet(() -> CompletableFuture.completedStage("reads only"));
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    stale.ifPresent(StaleNodes::close);
    events.ifPresent(ClusterEvents::close);
    pods.close();
    nodes.close();
    store.close();
    leadership.ifPresent(Leadership::close);
    eventRequests.close();
    cluster.close();
    delivery.close();
  }
}
