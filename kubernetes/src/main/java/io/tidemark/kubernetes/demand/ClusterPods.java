package io.tidemark.kubernetes.demand;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.tidemark.cluster.PendingPodIndex;
import io.tidemark.cluster.PendingPods;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.WatchTrouble;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Pods that wait for an address, by node (node-manager 2.4, F-19). The API server sends only those
 * that are bound to a node and Pending, so running ones cost nothing here. Thread-safe.
 */
public final class ClusterPods implements PendingPods, AutoCloseable {
  private static final long PAGE = 500;

  private final PendingPodIndex index = new PendingPodIndex();
  private final WatchTrouble trouble;
  private final SharedIndexInformer<Pod> informer;

  private ClusterPods(ClusterConnection cluster, Consumer<String> changed) {
    this.trouble = new WatchTrouble(cluster, "Pods");
    this.informer =
        cluster
            .client()
            .pods()
            .inAnyNamespace()
            .withField("status.phase", "Pending")
            .withoutField("spec.nodeName", "")
            .withLimit(PAGE)
            .runnableInformer(0)
            .itemStore(new TrimmedStore<>(ClusterPods::trimmed))
            .exceptionHandler(trouble)
            .addEventHandler(new Feed(changed));
  }

  /**
   * Starts to watch; failures are logged and retried.
   *
   * @param changed receives the name of a node whose number of waiting pods may have changed; any
   *     thread, must not block
   */
  public static ClusterPods watch(ClusterConnection cluster, Consumer<String> changed) {
    ClusterPods pods = new ClusterPods(cluster, changed);
    Object unusedStart = pods.informer.start();
    return pods;
  }

  /** Empty until all pods were listed once: an unknown number is not zero. */
  @Override
  public OptionalInt onNode(String node) {
    return informer.hasSynced() ? index.onNode(node) : OptionalInt.empty();
  }

  /** Only what the sum needs. */
  private static Pod trimmed(Pod pod) {
    Pod small = new Pod();
    small.setMetadata(TrimmedStore.identity(pod.getMetadata()));
    return small;
  }

  @Override
  public void close() {
    trouble.close();
    informer.stop();
  }

  private final class Feed implements ResourceEventHandler<Pod> {
    private final Consumer<String> changed;

    Feed(Consumer<String> changed) {
      this.changed = changed;
    }

    @Override
    public void onList(String resourceVersion, boolean remainedEmpty) {
      trouble.works();
    }

    @Override
    public void onAdd(Pod pod) {
      if (pod.getSpec() == null) {
        return;
      }
      String node = pod.getSpec().getNodeName() == null ? "" : pod.getSpec().getNodeName();
      boolean pending = pod.getStatus() != null && "Pending".equals(pod.getStatus().getPhase());
      boolean hostNetwork = Boolean.TRUE.equals(pod.getSpec().getHostNetwork());
      index.put(pod.getMetadata().getUid(), node, pending, hostNetwork);
      changed.accept(node);
    }

    @Override
    public void onUpdate(Pod before, Pod now) {
      onAdd(now);
    }

    @Override
    public void onDelete(Pod pod, boolean deletedFinalStateUnknown) {
      index.remove(pod.getMetadata().getUid());
      if (pod.getSpec() != null && pod.getSpec().getNodeName() != null) {
        changed.accept(pod.getSpec().getNodeName());
      }
    }
  }
}
