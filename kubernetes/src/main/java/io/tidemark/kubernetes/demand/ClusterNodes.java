package io.tidemark.kubernetes.demand;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSpec;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.tidemark.cluster.ClosedNodes;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.WatchTrouble;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The Kubernetes Nodes: whether one exists, whether it accepts pods, and how many pods its kubelet
 * allows. Thread-safe; never blocks.
 */
public final class ClusterNodes implements ClosedNodes, AutoCloseable {
  private static final long PAGE = 500;

  private final WatchTrouble trouble;
  private final SharedIndexInformer<Node> informer;

  private ClusterNodes(ClusterConnection cluster, Consumer<String> changed) {
    this.trouble = new WatchTrouble(cluster, "Nodes");
    this.informer =
        cluster
            .client()
            .nodes()
            .withLimit(PAGE)
            .runnableInformer(0)
            .itemStore(new TrimmedStore<>(ClusterNodes::trimmed))
            .exceptionHandler(trouble)
            .addEventHandler(new Feed(changed));
  }

  /**
   * Starts to watch; failures are logged and retried.
   *
   * @param changed receives the name of a node that is new or gone, or of which a field used here
   *     changed, heartbeats excluded; any thread, must not block
   */
  public static ClusterNodes watch(ClusterConnection cluster, Consumer<String> changed) {
    ClusterNodes nodes = new ClusterNodes(cluster, changed);
    Object unusedStart = nodes.informer.start();
    return nodes;
  }

  /** Whether the node exists; empty until all were listed once. */
  public Optional<Boolean> exists(String name) {
    return informer.hasSynced() ? Optional.of(find(name) != null) : Optional.empty();
  }

  /** Whether it accepts no new pods: cordoned, or being deleted; false when it is unknown. */
  @Override
  public boolean isClosed(String name) {
    Node node = find(name);
    return node != null && isClosed(node);
  }

  private static boolean isClosed(Node node) {
    return Boolean.TRUE.equals(node.getSpec().getUnschedulable())
        || node.getMetadata().getDeletionTimestamp() != null;
  }

  /** Pods that the kubelet allows, {@code status.allocatable.pods}; empty when not known. */
  public OptionalInt podsMax(String name) {
    Node node = find(name);
    return node == null ? OptionalInt.empty() : podsMax(node);
  }

  private static OptionalInt podsMax(Node node) {
    Quantity pods = node.getStatus().getAllocatable().get("pods");
    if (pods == null) {
      return OptionalInt.empty();
    }
    try {
      return OptionalInt.of(pods.getNumericalAmount().intValueExact());
    } catch (ArithmeticException | IllegalArgumentException e) {
      return OptionalInt.empty();
    }
  }

  private @Nullable Node find(String name) {
    return informer.getStore().getByKey(name);
  }

  private static Node trimmed(Node node) {
    Node small = new Node();
    small.setMetadata(TrimmedStore.identity(node.getMetadata()));
    small.getMetadata().setDeletionTimestamp(node.getMetadata().getDeletionTimestamp());
    NodeSpec spec = new NodeSpec();
    spec.setUnschedulable(node.getSpec() == null ? null : node.getSpec().getUnschedulable());
    small.setSpec(spec);
    Map<String, Quantity> all =
        node.getStatus() == null || node.getStatus().getAllocatable() == null
            ? Map.of()
            : node.getStatus().getAllocatable();
    Quantity pods = all.get("pods");
    NodeStatus status = new NodeStatus();
    status.setAllocatable(pods == null ? Map.of() : Map.of("pods", pods));
    small.setStatus(status);
    return small;
  }

  @Override
  public void close() {
    trouble.close();
    informer.stop();
  }

  private final class Feed implements ResourceEventHandler<Node> {
    private final Consumer<String> changed;

    Feed(Consumer<String> changed) {
      this.changed = changed;
    }

    @Override
    public void onList(String resourceVersion, boolean remainedEmpty) {
      trouble.works();
    }

    @Override
    public void onAdd(Node node) {
      changed.accept(node.getMetadata().getName());
    }

    @Override
    public void onUpdate(Node before, Node now) {
      Node after = trimmed(now);
      Node earlier = trimmed(before);
      if (isClosed(earlier) != isClosed(after) || !podsMax(earlier).equals(podsMax(after))) {
        changed.accept(now.getMetadata().getName());
      }
    }

    @Override
    public void onDelete(Node node, boolean deletedFinalStateUnknown) {
      changed.accept(node.getMetadata().getName());
    }
  }
}
