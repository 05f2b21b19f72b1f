package io.tidemark.kubernetes.backend;

import io.tidemark.cluster.ClaimBackend;
import io.tidemark.cluster.ClaimStore;
import io.tidemark.kubernetes.lease.LeaseSettings;
import io.tidemark.kubernetes.store.LeaseClaimStore;
import io.tidemark.resilience.Fence;
import java.time.Instant;
import java.util.Optional;

/** The Kubernetes Nodes of a cluster, and claims as Leases of one namespace. Thread-safe. */
final class KubernetesClaimBackend extends KubernetesNodeBackend implements ClaimBackend {
  private final LeaseClaimStore claims;

  /**
   * Watches the claims, and requests the lease if there is one; reads Nodes as {@link #standBy}
   * says.
   *
   * @param namespace of the claims alone
   */
  static KubernetesClaimBackend open(Opened opened, String namespace) {
    KubernetesClaimBackend backend = new KubernetesClaimBackend(opened, namespace);
    backend.begin();
    return backend;
  }

  private KubernetesClaimBackend(Opened opened, String namespace) {
    super(opened, LeaseSettings.NODE_ID_NAME);
    this.claims = LeaseClaimStore.watch(opened.cluster(), namespace, opened.delivery());
  }

  @Override
  void leads(Fence lease, Optional<Instant> since) {
    super.leads(lease, since);
    claims.leads(lease);
  }

  @Override
  boolean hasListed() {
    return super.hasListed() && claims.hasListed();
  }

  @Override
  Optional<String> objectTrouble() {
    return super.objectTrouble().or(claims::trouble);
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
