package io.tidemark.cluster;

import io.tidemark.resource.NodeResourceStore;
import java.util.function.Consumer;

/**
 * Where the node resources live while an engine runs, and what is known there: a folder of
 * manifests, a Kubernetes cluster. Thread-safe. Only a store is required; every other method has a
 * default for a backend that knows nothing more.
 */
public interface NodeBackend extends Backend {
  /** The store; one watcher. */
  NodeResourceStore store();

  /** Where problems of one node that need human action are reported; nowhere by default. */
  default ObjectEvents events() {
    return ObjectEvents.NONE;
  }

  /** Pods that wait for an address; unknown by default. */
  default PendingPods pendingPods() {
    return PendingPods.UNKNOWN;
  }

  /** The pools that pods prefer, known from a while after the first call on; none by default. */
  default PoolMetadata podPools() {
    return PoolMetadata.NONE;
  }

  /** How many pods the kubelets accept; unknown by default. */
  default KubeletCapacity kubelets() {
    return KubeletCapacity.UNKNOWN;
  }

  /** Nodes that take no new pods; none by default. */
  default ClosedNodes closedNodes() {
    return ClosedNodes.NONE;
  }

  /** Taints nodes that have no address for another pod; none by default. */
  default TaintedNodes taintedNodes() {
    return TaintedNodes.NONE;
  }

  /** Takes the listener for names of nodes whose pods or kubelet changed; called on any thread. */
  default void demandGoesTo(Consumer<String> changed) {
    // nothing of that is watched
  }

  /** Opens such a backend. */
  @FunctionalInterface
  interface Opener extends Backend.Opener<NodeBackend> {}
}
