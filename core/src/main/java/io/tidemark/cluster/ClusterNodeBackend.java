package io.tidemark.cluster;

/**
 * Where the Kubernetes Nodes of a cluster are while a system works on them, such as one that
 * assigns their pod CIDRs: a folder of manifests, a Kubernetes cluster. Thread-safe.
 */
public interface ClusterNodeBackend extends Backend {
  /** The nodes; one watcher. */
  ClusterNodeStore nodes();

  /**
   * Where problems of one node that need human action are reported; nowhere by default.
   *
   * @param wording how they read there
   */
  default ObjectEvents events(EventWording wording) {
    return ObjectEvents.NONE;
  }

  /** Opens such a backend. */
  @FunctionalInterface
  interface Opener extends Backend.Opener<ClusterNodeBackend> {}
}
