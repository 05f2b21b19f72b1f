package io.tidemark.it.engine;

import io.tidemark.cluster.ObjectEvents;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.store.KubernetesNodeResourceStore;
import io.tidemark.node.NodeManager;
import io.tidemark.node.NodeReport;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.time.PooledEffectRunner;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import io.tidemark.time.WorkerPool;
import java.util.List;

/** The engine on threads, over CiliumNodes of a real API server, with the mock cloud. */
final class LiveEngine implements AutoCloseable {
  private static final int QUEUE = 10_000;

  private final ThreadTaskScheduler timer =
      ThreadTaskScheduler.start("timer", SystemTime.instance());
  private final WorkerPool lanes = new WorkerPool("lane", 2, QUEUE);
  private final WorkerPool delivery = new WorkerPool("nodes", 1, QUEUE);
  private final PooledEffectRunner toCloud = new PooledEffectRunner("cloud", 8, QUEUE, timer);
  private final PooledEffectRunner toStore = new PooledEffectRunner("store", 8, QUEUE, timer);
  private final KubernetesNodeResourceStore store;
  private final NodeResourceStore.Watch watch;
  final MockAccount account;
  final CountedStore requests;
  final NodeManager manager;

  /** Begins to work at once. */
  LiveEngine(ClusterConnection cluster, List<String> nodes, EngineConfig config) {
    this.account = new MockAccount(SystemTime.instance(), nodes);
    this.store = KubernetesNodeResourceStore.open(cluster, SystemTime.instance(), delivery);
    this.requests = new CountedStore(store);
    this.manager =
        account.engine(config, requests, timer, lanes, toCloud, toStore, ObjectEvents.NONE);
    manager.start();
    this.watch = requests.watch(manager.watcher());
  }

  /** Whether the next step of every node is somebody else's. */
  boolean isSettled() {
    return manager.reports().stream().allMatch(NodeReport::settled);
  }

  @Override
  public void close() {
    watch.close();
    manager.close();
    store.close();
    toCloud.close();
    toStore.close();
    delivery.close();
    lanes.close();
    timer.close();
  }
}
