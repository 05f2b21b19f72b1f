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

  /** Requests the lease if there is one; reads Nodes as {@link Led#standBy} says. */
  static KubernetesNodeBackend open(Opened opened) {
    ClusterNodes nodes = unstarted(opened);
    KubernetesNodeBackend backend =
        new KubernetesNodeBackend(opened, nodes, new LedNodes(nodes), LeaseSettings.NODE_CIDR_NAME);
    backend.begin();
    return backend;
  }

  /** Requests nothing before {@link #begin}. */
  KubernetesNodeBackend(Opened opened, ClusterNodes nodes, Led led, String lease) {
    super(opened, led, lease);
    this.nodes = nodes;
  }

  static ClusterNodes unstarted(Opened opened) {
    return ClusterNodes.unstarted(opened.cluster(), opened.scheduler().time(), opened.delivery());
  }

  /** Nodes as what a leader changes. */
  private record LedNodes(ClusterNodes nodes) implements Led {
    @Override
    public void leads(Fence lease, Optional<Instant> since) {
      nodes.leads(lease);
    }

    @Override
    public void standBy() {
      nodes.start();
    }

    @Override
    public boolean hasListed() {
      return nodes.hasListed();
    }

    @Override
    public Optional<String> trouble() {
      return nodes.trouble();
    }
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
