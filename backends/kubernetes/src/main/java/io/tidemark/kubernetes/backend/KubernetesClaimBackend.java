package io.tidemark.kubernetes.backend;

import io.tidemark.cluster.ClaimBackend;
import io.tidemark.cluster.ClaimStore;
import io.tidemark.kubernetes.lease.LeaseSettings;
import io.tidemark.kubernetes.store.ClusterNodes;
import io.tidemark.kubernetes.store.LeaseClaimStore;
import io.tidemark.resilience.Fence;
import java.time.Instant;
import java.util.Optional;

/** The Kubernetes Nodes of a cluster, and claims as Leases of one namespace. Thread-safe. */
final class KubernetesClaimBackend extends KubernetesNodeBackend implements ClaimBackend {
  private final LeaseClaimStore claims;

  /**
   * Watches the claims, and requests the lease if there is one; reads Nodes as {@link Led#standBy}
   * says.
   *
   * @param namespace of the claims alone
   */
  static KubernetesClaimBackend open(Opened opened, String namespace) {
    ClusterNodes nodes = unstarted(opened);
    LeaseClaimStore claims = LeaseClaimStore.watch(opened.cluster(), namespace, opened.delivery());
    KubernetesClaimBackend backend = new KubernetesClaimBackend(opened, nodes, claims);
    backend.begin();
    return backend;
  }

  private KubernetesClaimBackend(Opened opened, ClusterNodes nodes, LeaseClaimStore claims) {
    super(opened, nodes, new LedClaims(nodes, claims), LeaseSettings.NODE_ID_NAME);
    this.claims = claims;
  }

  /** Nodes and claims as what a leader changes. */
  private record LedClaims(ClusterNodes nodes, LeaseClaimStore claims) implements Led {
    @Override
    public void leads(Fence lease, Optional<Instant> since) {
      nodes.leads(lease);
      claims.leads(lease);
    }

    @Override
    public void standBy() {
      nodes.start();
    }

    @Override
    public boolean hasListed() {
      return nodes.hasListed() && claims.hasListed();
    }

    @Override
    public Optional<String> trouble() {
      return nodes.trouble().or(claims::trouble);
    }
  }

  @Override
  public ClaimStore claims() {
    return claims;
  }

  @Override
  void closeObjects() {
    claims.close();
    super.closeObjects();
  }
}
