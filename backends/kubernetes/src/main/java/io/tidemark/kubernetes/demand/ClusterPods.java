package io.tidemark.kubernetes.demand;

import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.tidemark.cluster.PendingPodIndex;
import io.tidemark.cluster.PendingPods;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.LiveLister;
import io.tidemark.kubernetes.WatchTrouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Pods that wait for an address, by node (node-manager 2.4, F-19). The API server sends only those
 * that are bound to a node and Pending, so running ones cost nothing here. Thread-safe.
 */
public final class ClusterPods implements PendingPods, AutoCloseable {
  private static final long PAGE = 500;

  private final PendingPodIndex index = new PendingPodIndex();
  private final WatchTrouble trouble;
  private final SharedIndexInformer<PodJson> informer;

  private ClusterPods(ClusterConnection cluster, Consumer<String> changed) {
    this.trouble = new WatchTrouble(cluster, "Pods");
    cluster.registerType(PodJson.class);
    this.informer =
        LiveLister.informer(
                PodJson.class,
                cluster
                    .client()
                    .resources(PodJson.class)
                    .inAnyNamespace()
                    .withField("status.phase", "Pending")
                    .withoutField("spec.nodeName", "")
                    .withLimit(PAGE),
                trouble)
            .removeNamespaceIndex()
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
    pods.informer.start();
    return pods;
  }

  /** Empty until all pods were listed once: an unknown number is not zero. */
  @Override
  public OptionalInt onNode(String node) {
    return informer.hasSynced() ? index.onNode(node) : OptionalInt.empty();
  }

  @Override
  public Set<String> unaddressed(String node) {
    return index.unaddressed(node);
  }

  @Override
  public void close() {
    trouble.close();
    informer.stop();
  }

  private final class Feed implements ResourceEventHandler<PodJson> {
    private final Consumer<String> changed;

    Feed(Consumer<String> changed) {
      this.changed = changed;
    }

    @Override
    public void onList(String resourceVersion, boolean remainedEmpty) {
      trouble.works();
    }

    @Override
    public void onAdd(PodJson pod) {
      index.put(
          pod.getMetadata().getUid(),
          pod.node(),
          pod.isPending(),
          pod.hasHostNetwork(),
          pod.hasAddress() ? "" : pod.fullName());
      changed.accept(pod.node());
    }

    @Override
    public void onUpdate(PodJson before, PodJson now) {
      if (!before.getMetadata().getUid().equals(now.getMetadata().getUid())) {
        onDelete(before, true);
      }
      onAdd(now);
    }

    @Override
    public void onDelete(PodJson pod, boolean deletedFinalStateUnknown) {
      index.remove(pod.getMetadata().getUid());
      changed.accept(pod.node());
    }
  }
}
