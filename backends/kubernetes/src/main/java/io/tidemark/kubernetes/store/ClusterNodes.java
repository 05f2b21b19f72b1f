package io.tidemark.kubernetes.store;

import io.tidemark.cluster.ClosedNodes;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.DistinctNodes;
import io.tidemark.cluster.KubeletCapacity;
import io.tidemark.cluster.NodeChange;
import io.tidemark.ip.Cidr;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.resilience.Fence;
import io.tidemark.resource.CatchUp;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TimeSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * The Kubernetes Nodes of a cluster: one watch for all who ask whether a node exists, accepts pods,
 * how many pods its kubelet allows, and which CIDRs it has. Of each node a few fields are kept.
 * Thread-safe.
 */
public final class ClusterNodes
    implements ClusterNodeStore, ClosedNodes, KubeletCapacity, AutoCloseable {
  private final KnownObjects<ClusterNode> known = new KnownObjects<>();
  private final ClusterNodeRequests requests;
  private final PagedLister<NodeObjectJson, NodeObjectJson.Page> lister;
  private final ObjectInformer<NodeObjectJson, ClusterNode> objects;
  private volatile Fence lease = Fence.OPEN;

  private ClusterNodes(
      ClusterConnection cluster, TimeSource time, Executor executor, Consumer<String> changed) {
    this.requests = new ClusterNodeRequests(cluster, time);
    this.lister =
        new PagedLister<>(
            cluster,
            NodeObjectJson.class,
            NodeObjectJson.Page.class,
            ClusterNodeRequests.ALL,
            Optional.empty());
    this.objects =
        new ObjectInformer<>(
            cluster,
            new ObjectInformer.Kind<>(
                "Nodes", NodeObjectJson::known, NodeObjectJson::share, ClusterNode::isSameAs),
            known,
            lister::informer,
            executor,
            changed);
  }

  /**
   * Starts to watch; failures are logged and retried.
   *
   * @param executor runs the calls of {@link #watch(ObjectWatcher)}; may be shared
   * @param changed receives the name of a node that is new or gone, or of which a field used here
   *     changed, heartbeats excluded; any thread, must not block
   */
  public static ClusterNodes watch(
      ClusterConnection cluster, TimeSource time, Executor executor, Consumer<String> changed) {
    ClusterNodes nodes = new ClusterNodes(cluster, time, executor, changed);
    nodes.start();
    return nodes;
  }

  /**
   * As {@link #watch(ClusterConnection, TimeSource, Executor, Consumer)}, but reads nothing before
   * {@link #start} or {@link #catchUp}. For an operator that requests a lease: if it wins at once,
   * it needs one list and not two.
   */
  public static ClusterNodes unstarted(
      ClusterConnection cluster, TimeSource time, Executor executor) {
    return new ClusterNodes(cluster, time, executor, changed -> {});
  }

  /** Starts to watch. Idempotent. */
  public void start() {
    objects.start();
  }

  @Override
  public Optional<ClusterNode> latest(String name) {
    return known.find(name).filter(node -> !node.gone()).flatMap(KnownObject::payload);
  }

  @Override
  public List<String> names() {
    return known.names();
  }

  /** Whether the node exists; empty until all were listed once. */
  public Optional<Boolean> exists(String name) {
    return hasListed()
        ? Optional.of(known.find(name).filter(node -> !node.gone()).isPresent())
        : Optional.empty();
  }

  /** Whether all nodes were listed once. */
  public boolean hasListed() {
    return objects.hasListed();
  }

  /** Whether it accepts no new pods: cordoned, or being deleted; false when it is unknown. */
  @Override
  public boolean isClosed(String name) {
    return latest(name).filter(ClusterNode::isClosed).isPresent();
  }

  /** Pods that the kubelet allows, {@code status.allocatable.pods}; empty when not known. */
  @Override
  public OptionalInt maxPods(String name) {
    return latest(name).map(ClusterNode::podsMax).orElse(OptionalInt.empty());
  }

  @Override
  public Reading get(String name) {
    return requests.read(name, known);
  }

  @Override
  public NodeChange assignPodCidrs(String name, String uid, List<Cidr> cidrs) {
    ClusterNodeStore.requireOnePerFamily(cidrs);
    return lease.isOpen()
        ? requests.assign(name, uid, cidrs, known)
        : new NodeChange.AskedToWait(Fence.NO_LEASE);
  }

  @Override
  public NodeChange networkAvailable(String name, String uid) {
    return lease.isOpen()
        ? requests.networkAvailable(name, uid, known)
        : new NodeChange.AskedToWait(Fence.NO_LEASE);
  }

  @Override
  public NodeChange annotate(ClusterNode seen, Map<String, String> annotations) {
    ClusterNodeStore.requireOwnNames(annotations);
    return lease.isOpen()
        ? requests.annotate(seen, annotations, known)
        : new NodeChange.AskedToWait(Fence.NO_LEASE);
  }

  @Override
  public Watch watch(ObjectWatcher<ClusterNode> watcher) {
    DistinctNodes distinct = new DistinctNodes(watcher);
    return objects.watch(distinct::upserted, distinct);
  }

  /** The lease was won: nothing is changed any more while {@code fence} is closed. */
  public void leads(Fence fence) {
    lease = fence;
  }

  /** By a list of all nodes that the server reads after the call. */
  @Override
  public CompletionStage<CatchUp> catchUp(EffectRunner effects) {
    PagedLister<NodeObjectJson, NodeObjectJson.Page> list = lister.another();
    return objects.catchUp(effects, next -> list.page(next, NodeObjectJson::known));
  }

  @Override
  public long interruptions() {
    return objects.interruptions();
  }

  /** Why nodes cannot be listed or watched now; empty while they can. */
  public Optional<String> trouble() {
    return objects.trouble();
  }

  @Override
  public void close() {
    objects.close();
  }
}
