package io.tidemark.kubernetes.backend;

import io.tidemark.cluster.NodeBackend;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.backend.KubernetesBackend.WhenAbsent;
import io.tidemark.kubernetes.store.KubernetesNodeResourceStore;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.time.TaskScheduler;
import io.tidemark.time.WorkerPool;
import java.util.List;
import java.util.Optional;

/** The object of one node in a cluster, for the program of that node. Thread-safe. */
final class NodeObjectBackend implements NodeBackend {
  private static final int QUEUE = 16;

  private final String name;
  private final ClusterConnection cluster;
  private final WorkerPool delivery = new WorkerPool("node", 1, QUEUE);
  private final KubernetesNodeResourceStore store;
  private final Optional<NodeObjectCreation> creation;

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
    return trouble.or(() -> creation.flatMap(NodeObjectCreation::trouble)).stream().toList();
  }

  @Override
  public void close() {
    creation.ifPresent(NodeObjectCreation::close);
    store.close();
    cluster.close();
    delivery.close();
  }
}
