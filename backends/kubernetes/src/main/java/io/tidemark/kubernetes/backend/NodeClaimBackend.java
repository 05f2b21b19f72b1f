package io.tidemark.kubernetes.backend;

import io.tidemark.cluster.ClaimBackend;
import io.tidemark.cluster.ClaimStore;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.store.ClusterNodes;
import io.tidemark.kubernetes.store.LeaseClaimStore;
import io.tidemark.time.TimeSource;

/** Kubernetes Nodes and claims that are asked for one by one, without a watch. Thread-safe. */
final class NodeClaimBackend implements ClaimBackend {
  private final ClusterConnection cluster;
  private final ClusterNodes nodes;
  private final LeaseClaimStore claims;

  /** Over a connection that ends with this. */
  NodeClaimBackend(ClusterConnection cluster, String namespace, TimeSource time) {
    this.cluster = cluster;
    this.nodes = ClusterNodes.unstarted(cluster, time, Runnable::run);
    this.claims = LeaseClaimStore.unwatched(cluster, namespace);
  }

  @Override
  public ClusterNodeStore nodes() {
    return nodes;
  }

  @Override
  public ClaimStore claims() {
    return claims;
  }

  @Override
  public void close() {
    claims.close();
    nodes.close();
    cluster.close();
  }
}
