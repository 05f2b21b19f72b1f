package io.tidemark.cluster;

/** Where the Kubernetes Nodes of a cluster are, with the claims that they hold. Thread-safe. */
public interface ClaimBackend extends ClusterNodeBackend {
  /** The claims; one watcher. */
  ClaimStore claims();

  /** Opens such a backend. */
  @FunctionalInterface
  interface Opener extends Backend.Opener<ClaimBackend> {}
}
