package io.tidemark.nodecidr.simulation;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.InMemoryClusterNodes;
import io.tidemark.cluster.InMemoryClusterNodes.Snapshot;
import io.tidemark.cluster.NodeChange;
import io.tidemark.cluster.ObjectEvents;
import io.tidemark.ip.Cidr;
import io.tidemark.time.EffectRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Kubernetes Nodes, and lists of them that lag. */
final class SimulatedNodes implements SimulatedServer {
  private final SimulatedCluster cluster;
  private final InMemoryClusterNodes server;
  private final int waitingMax;
  private final List<Snapshot> snapshots = new ArrayList<>();

  /** For operators whose watch breaks when more changes wait. */
  SimulatedNodes(SimulatedCluster cluster, int waitingMax) {
    this.cluster = cluster;
    this.server = new InMemoryClusterNodes(cluster.time);
    this.waitingMax = waitingMax;
  }

  @Override
  public ClusterNode create(String name) {
    return server.create(ClusterNode.named(name, "")).orElseThrow();
  }

  /** A node registers on an instance of a cloud. */
  ClusterNode create(String name, String providerId) {
    return server.create(ClusterNode.named(name, "").withProviderId(providerId)).orElseThrow();
  }

  @Override
  public List<ClusterNode> all() {
    return server.all();
  }

  @Override
  public Optional<ClusterNode> find(String name) {
    return server.find(name);
  }

  @Override
  public void delete(String name) {
    server.delete(name);
  }

  @Override
  public void beginDeletion(String name) {
    server.change(name, ClusterNode::withBeingDeleted);
  }

  @Override
  public void heartbeat(String name, long drawn) {
    server.change(name, it -> it.withNetworkUnavailable(Math.floorMod(drawn, 2) == 0));
  }

  @Override
  public NodeChange assign(String manager, ClusterNode node, List<Cidr> cidrs) {
    return server.assign(manager, node.name(), node.uid(), cidrs);
  }

  @Override
  public void accepted(String operator, ClusterNode before, String uid, List<Cidr> blocks) {
    if (before.podCidrs().isEmpty()) {
      cluster.judge.added(operator, before, uid, blocks);
    }
  }

  @Override
  public Client client(SimulatedOperator operator, EffectRunner effects, ObjectEvents reported) {
    return new Client(
        server.client(
            SimulatedOperator.MANAGER,
            operator.process,
            cluster::delayNanos,
            (request, node) ->
                switch (request) {
                  case LIST -> operator.listFailure();
                  case ASSIGN -> operator.failure(true);
                  default -> operator.failure(false);
                },
            waitingMax),
        reported,
        () -> CompletableFuture.completedStage("written"));
  }

  /** A list of this moment can be shown later. */
  void remember() {
    snapshots.add(server.snapshot());
  }

  /**
   * The watches of all break, and begin with an older list, if one was kept: the live nodes it
   * lacks.
   */
  Optional<List<ClusterNode>> showOld(long drawn) {
    if (snapshots.isEmpty()) {
      return Optional.empty();
    }
    Snapshot shown = snapshots.get(Math.floorMod(drawn, snapshots.size()));
    server.relist(shown);
    return Optional.of(
        server.all().stream()
            .filter(node -> shown.nodes().stream().noneMatch(it -> it.uid().equals(node.uid())))
            .toList());
  }

  /** The watches of all break, and begin again with a list of now. */
  void showNew() {
    server.relist(server.snapshot());
  }
}
