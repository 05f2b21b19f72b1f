package io.tidemark.it.cluster;

import io.tidemark.it.program.ProcessUse;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.demand.ClusterPods;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.store.KubernetesNodeResourceStore;
import io.tidemark.time.SystemTime;
import io.tidemark.time.WorkerPool;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.IntStream;

/**
 * Living heap of what an operator remembers of a cluster's objects: the same watches, opened here
 * beside nothing else, counted after a full collection and again without them. What a watch costs
 * whatever it holds, some ten kilobytes, is shared out among the objects.
 */
final class WatchedHeap {
  private static final Duration MAX = Duration.ofMinutes(5);

  private final ClusterConnection cluster;

  WatchedHeap(ClusterConnection cluster) {
    this.cluster = cluster;
  }

  /** Opens a watch and blocks until it holds everything. */
  @FunctionalInterface
  private interface Opening {
    AutoCloseable open() throws Exception;
  }

  /**
   * Bytes per waiting pod.
   *
   * @param pods that wait on all nodes together
   */
  double perWaitingPod(int pods, int nodes) throws Exception {
    return bytes(
            () -> {
              ClusterPods watch = ClusterPods.watch(cluster, changed -> {});
              Eventually.holds("all pods are counted", MAX, () -> counted(watch, nodes) == pods);
              return watch;
            })
        / pods;
  }

  private static int counted(ClusterPods watch, int nodes) {
    return IntStream.range(0, nodes)
        .map(node -> watch.onNode(ManyObjects.name(node)).orElse(0))
        .sum();
  }

  /** Bytes per CiliumNode. */
  double perCiliumNode(int nodes) throws Exception {
    try (WorkerPool delivery = new WorkerPool("delivery", 1, 64)) {
      return bytes(
              () -> {
                KubernetesNodeResourceStore store =
                    KubernetesNodeResourceStore.open(cluster, SystemTime.instance(), delivery);
                Eventually.holds("the nodes are read", MAX, () -> store.names().size() >= nodes);
                return store;
              })
          / nodes;
    }
  }

  private static double bytes(Opening opening) throws Exception {
    opening.open().close(); // what is loaded and made once
    double without = now();
    AutoCloseable held = opening.open();
    try {
      return now() - without;
    } finally {
      held.close();
    }
  }

  private static double now() throws IOException {
    return ProcessUse.liveHeapBytes(ProcessHandle.current());
  }
}
