package io.tidemark.kubernetes.backend;

import io.tidemark.cluster.NodeBackend;
import io.tidemark.cluster.PoolMetadata;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.backend.KubernetesBackend.WhenAbsent;
import io.tidemark.kubernetes.demand.NodePodPools;
import io.tidemark.kubernetes.store.KubernetesNodeResourceStore;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.time.TaskScheduler;
import io.tidemark.time.WorkerPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The object of one node in a cluster, for the program of that node. Thread-safe. */
final class NodeObjectBackend implements NodeBackend {
  private static final int QUEUE = 16;

  private final String name;
  private final ClusterConnection cluster;
  private final WorkerPool delivery = new WorkerPool("node", 1, QUEUE);
  private final KubernetesNodeResourceStore store;
  private final Optional<NodeObjectCreation> creation;
  private final AtomicReference<@Nullable NodePodPools> podPools = new AtomicReference<>();

  NodeObjectBackend(
      String name,
      String fieldManager,
      WhenAbsent whenAbsent,
      ClusterConnection cluster,
      Environment environment) {
    TaskScheduler scheduler = environment.scheduler();
    this.name = name;
    this.cluster = cluster;
    this.store =
        KubernetesNodeResourceStore.ofNode(name, fieldManager, cluster, scheduler.time(), delivery);
    this.creation =
        whenAbsent == WhenAbsent.WAIT
            ? Optional.empty()
            : Optional.of(
                new NodeObjectCreation(
                    name,
                    whenAbsent == WhenAbsent.CREATE_WITH_POD_CIDRS,
                    cluster,
                    store,
                    scheduler,
                    environment.effects()));
    creation.ifPresent(NodeObjectCreation::start);
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
  public List<String> trouble() {
    Optional<String> trouble = store.trouble();
    if (trouble.isEmpty() && !store.hasListed()) {
      return List.of("the API server " + cluster.server() + " has not sent node " + name + " yet");
    }
    List<String> reasons = new ArrayList<>(lateWatches());
    trouble
        .or(() -> creation.flatMap(NodeObjectCreation::trouble))
        .filter(reason -> !reasons.contains(reason))
        .ifPresent(reasons::add);
    return reasons;
  }

  @Override
  public List<String> lateWatches() {
    return cluster.watches().late();
  }

  @Override
  public Map<String, Duration> watchAges() {
    return cluster.watches().ages();
  }

  /** Watches the pods of the node from the first call on. */
  @Override
  public PoolMetadata podPools() {
    NodePodPools present = podPools.get();
    if (present != null) {
      return present;
    }
    NodePodPools made = NodePodPools.watch(cluster, name);
    if (podPools.compareAndSet(null, made)) {
      return made;
    }
    made.close();
    return podPools();
  }

  @Override
  public void close() {
    NodePodPools pools = podPools.get();
    if (pools != null) {
      pools.close();
    }
    creation.ifPresent(NodeObjectCreation::close);
    store.close();
    cluster.close();
    delivery.close();
  }
}
