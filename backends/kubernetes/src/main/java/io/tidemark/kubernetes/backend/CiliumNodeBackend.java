package io.tidemark.kubernetes.backend;

import io.tidemark.cluster.ClosedNodes;
import io.tidemark.cluster.KubeletCapacity;
import io.tidemark.cluster.NodeBackend;
import io.tidemark.cluster.ObjectEvents;
import io.tidemark.cluster.PendingPods;
import io.tidemark.cluster.TaintedNodes;
import io.tidemark.kubernetes.demand.ClusterPods;
import io.tidemark.kubernetes.gc.StaleNodes;
import io.tidemark.kubernetes.lease.LeaseSettings;
import io.tidemark.kubernetes.store.ClusterNodes;
import io.tidemark.kubernetes.store.KubernetesNodeResourceStore;
import io.tidemark.resilience.Fence;
import io.tidemark.resource.CatchUp;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.time.EffectRunner;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * The CiliumNodes of a cluster, with pods and Kubernetes Nodes: what an engine uses. A backend that
 * only reads deletes nothing. Thread-safe.
 */
final class CiliumNodeBackend extends ClusterBackend implements NodeBackend {
  /** Writes handed on at a time: enough to keep the operator's threads for the store busy. */
  private static final int WRITES_AT_ONCE = 32;

  private final Opened opened;
  private final boolean forEngine;
  private final KubernetesNodeResourceStore store;
  private final DefinitionCheck definition;
  private final AtomicReference<Consumer<String>> demand;
  private final ClusterNodes nodes;
  private final Optional<ClusterPods> pods;
  private final Optional<StaleNodes> stale;
  private final Optional<NodeTaints> taints;

  /**
   * Requests the lease if there is one; reads CiliumNodes as {@link #standBy} says.
   *
   * @param forEngine whether pods are watched, which wait for addresses, and the objects are listed
   *     after the lease was won and before the turn comes; any other system lists them itself when
   *     it begins
   */
  CiliumNodeBackend(Opened opened, boolean forEngine) {
    super(opened, LeaseSettings.USUAL_NAME);
    this.opened = opened;
    this.forEngine = forEngine;
    this.store =
        KubernetesNodeResourceStore.unstarted(
            opened.cluster(), opened.scheduler().time(), opened.delivery());
    this.definition =
        DefinitionCheck.start(opened.cluster(), opened.scheduler(), opened.environment().effects());
    AtomicReference<Consumer<String>> changed = new AtomicReference<>(node -> {});
    this.demand = changed;
    Consumer<String> told = node -> Objects.requireNonNull(changed.get(), "changed").accept(node);
    AtomicReference<Consumer<String>> written = new AtomicReference<>(node -> {});
    Consumer<String> nodeChanged =
        node -> Objects.requireNonNull(written.get(), "written").andThen(told).accept(node);
    this.nodes =
        ClusterNodes.watch(
            opened.cluster(), opened.scheduler().time(), opened.delivery(), nodeChanged);
    this.taints =
        leadership()
            .filter(any -> forEngine)
            .map(
                any ->
                    new NodeTaints(
                        opened.config().taintDelay(),
                        nodes,
                        sideRequests(),
                        opened.config().requestTimeout(),
                        opened.delivery(),
                        opened.scheduler(),
                        opened.environment().random()));
    taints.ifPresent(it -> written.set(it::changed));
    this.pods =
        forEngine ? Optional.of(ClusterPods.watch(opened.cluster(), told)) : Optional.empty();
    this.stale =
        opened
            .config()
            .nodesGcInterval()
            .filter(any -> leadership().isPresent())
            .map(
                pause ->
                    StaleNodes.start(
                        opened.cluster(),
                        store,
                        nodes,
                        pause,
                        opened.scheduler(),
                        opened.environment().effects(),
                        fence(),
                        forEngine ? notices() : OperatorNotices.NONE));
    begin();
  }

  @Override
  void leads(Fence lease, Optional<Instant> since) {
    store.leads(lease, since);
    nodes.leads(lease);
  }

  @Override
  void standBy() {
    store.start();
  }

  @Override
  CompletionStage<CatchUp> catchUp(EffectRunner effects) {
    return forEngine ? store.catchUp(effects) : super.catchUp(effects);
  }

  @Override
  boolean hasListed() {
    return store.hasListed();
  }

  @Override
  Optional<String> objectTrouble() {
    return store.trouble().or(definition::trouble);
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
    return clusterEvents().map(it -> it.onCiliumNodes(store::uid)).orElse(ObjectEvents.NONE);
  }

  @Override
  public EffectRunner paced(EffectRunner requests) {
    return new FollowUpsFirst(slowed(requests), WRITES_AT_ONCE);
  }

  @Override
  public PendingPods pendingPods() {
    return pods.<PendingPods>map(it -> it).orElse(PendingPods.UNKNOWN);
  }

  @Override
  public KubeletCapacity kubelets() {
    return nodes;
  }

  @Override
  public ClosedNodes closedNodes() {
    return opened.config().preAllocateCordoned() ? ClosedNodes.NONE : nodes;
  }

  @Override
  public TaintedNodes taintedNodes() {
    return taints.<TaintedNodes>map(it -> it).orElse(TaintedNodes.NONE);
  }

  @Override
  public void demandGoesTo(Consumer<String> changed) {
    demand.set(changed);
  }

  @Override
  void closeObjects() {
    definition.close();
    taints.ifPresent(NodeTaints::close);
    stale.ifPresent(StaleNodes::close);
    pods.ifPresent(ClusterPods::close);
    nodes.close();
    store.close();
  }
}
