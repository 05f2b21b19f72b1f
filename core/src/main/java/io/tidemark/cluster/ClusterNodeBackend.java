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

  /** What is known of the process that acted before this one, once {@link #turn} has completed. */
  default Former former() {
    return Former.NONE;
  }

  /** How the process before this one ended, if there was one. */
  enum Former {
    /** Nobody else can have changes on their way: no request outlives a process here. */
    NONE,
    /** It gave up the lead after the last of its changes had a result. */
    ENDED,
    /** Nobody held the lease before; another program may have made changes. */
    UNKNOWN,
    /** It did not give up the lead: changes that it sent may still arrive. */
    LOST
  }

  /** Opens such a backend. */
  @FunctionalInterface
  interface Opener extends Backend.Opener<ClusterNodeBackend> {}
}
