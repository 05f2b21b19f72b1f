package io.tidemark.kubernetes.backend;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNodeBackend;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.EventWording;
import io.tidemark.cluster.ObjectEvents;
import io.tidemark.kubernetes.lease.LeaseSettings;
import io.tidemark.kubernetes.store.ClusterNodes;
import io.tidemark.resilience.Fence;
import io.tidemark.time.EffectRunner;
import java.time.Instant;
import java.util.Optional;

/** The Kubernetes Nodes of a cluster. Thread-safe. */
class KubernetesNodeBackend extends ClusterBackend implements ClusterNodeBackend {
  private final ClusterNodes nodes;

  /** Requests the lease if there is one; reads Nodes as {@link #standBy} says. */
  static KubernetesNodeBackend open(Opened opened) {
    KubernetesNodeBackend backend = new KubernetesNodeBackend(opened, LeaseSettings.NODE_CIDR_NAME);
    backend.begin();
    return backend;
  }

  /** Requests nothing before {@link #begin}. */
  KubernetesNodeBackend(Opened opened, String lease) {
    super(opened, lease);
    this.nodes =
        ClusterNodes.unstarted(opened.cluster(), opened.scheduler().time(), opened.delivery());
  }

  @Override
  void leads(Fence lease, Optional<Instant> since) {
    nodes.leads(lease);
  }

  @Override
  final void standBy() {
    nodes.start();
  }

  @Override
  boolean hasListed() {
    return nodes.hasListed();
  }

  @Override
  Optional<String> objectTrouble() {
    return nodes.trouble();
  }

  @Override
  public ClusterNodeStore nodes() {
    return nodes;
  }

  @Override
  public ObjectEvents events(EventWording wording) {
    return clusterEvents()
        .map(it -> it.onNodes(name -> nodes.latest(name).map(ClusterNode::uid), wording))
        .orElse(ObjectEvents.NONE);
  }

  @Override
  public EffectRunner paced(EffectRunner requests) {
    return slowed(requests);
  }

  @Override
  void closeObjects() {
    nodes.close();
  }
}
