package io.tidemark.node;

import io.tidemark.cluster.ClosedNodes;
import io.tidemark.cluster.KubeletCapacity;
import io.tidemark.cluster.ObjectEvents;
import io.tidemark.cluster.PendingPods;
import io.tidemark.cluster.TaintedNodes;
import io.tidemark.metrics.Meters;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.Lanes;
import io.tidemark.time.TaskScheduler;
import java.util.random.RandomGenerator;

/**
 * The connections of a node manager.
 *
 * @param provider the cloud account
 * @param store where the resources live
 * @param scheduler later tasks and both clocks
 * @param lanes runs the turns of nodes; on any executor that does not run tasks on the caller's
 *     stack
 * @param storeEffects runs requests to the store, apart from those to the cloud
 * @param kubelets how many pods each node takes
 * @param closed which nodes keep no spare addresses
 * @param random seeded; for jitter alone
 * @param events where problems that need human action are reported
 * @param taintedNodes taints nodes that have no address for another pod
 */
public record NodeManagerPorts(
    AllocationImplementation provider,
    NodeResourceStore store,
    TaskScheduler scheduler,
    Lanes lanes,
    EffectRunner storeEffects,
    Meters metrics,
    PendingPods pendingPods,
    KubeletCapacity kubelets,
    ClosedNodes closed,
    RandomGenerator random,
    ObjectEvents events,
    TaintedNodes taintedNodes) {
  /** Ports of a backend without Kubernetes Nodes and events. */
  public NodeManagerPorts(
      AllocationImplementation provider,
      NodeResourceStore store,
      TaskScheduler scheduler,
      Lanes lanes,
      EffectRunner storeEffects,
      Meters metrics,
      PendingPods pendingPods,
      RandomGenerator random) {
    this(
        provider,
        store,
        scheduler,
        lanes,
        storeEffects,
        metrics,
        pendingPods,
        KubeletCapacity.UNKNOWN,
        ClosedNodes.NONE,
        random,
        ObjectEvents.NONE,
        TaintedNodes.NONE);
  }
}
