package io.tidemark.manifests;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNode.PodCidrs;
import io.tidemark.cluster.ClusterNodeBackend;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.DistinctNodes;
import io.tidemark.cluster.NodeChange;
import io.tidemark.file.FilePort;
import io.tidemark.ip.Cidr;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Kubernetes Nodes ({@code v1 Node}) in a directory of manifests, or in a single file; see {@link
 * ManifestStore}. A change writes {@code spec.podCIDR} and {@code spec.podCIDRs} of a node that has
 * none, or annotations of this product, and nothing else. A node without uid is known by its name
 * alone.
 */
class DirectoryClusterNodeStore extends ManifestStore<ClusterNode>
    implements ClusterNodeStore, ClusterNodeBackend {
  DirectoryClusterNodeStore(Path home, String role, Environment environment, FilePort files) {
    super(ManifestKind.NODE, home, role, environment, files);
  }

  @Override
  public ClusterNodeStore nodes() {
    return this;
  }

  @Override
  public Watch watch(ObjectWatcher<ClusterNode> watcher) {
    return begin(new DistinctNodes(watcher));
  }

  @Override
  public Reading get(String name) {
    ObjectEnd<ClusterNode> end = read(name);
    return end.match(
        Reading.Found::new,
        kind ->
            kind == ObjectEnd.Kind.NOT_FOUND
                ? new Reading.Absent()
                : new Reading.Failed(end.detail()));
  }

  @Override
  public NodeChange assignPodCidrs(String name, String uid, List<Cidr> cidrs) {
    ClusterNodeStore.requireOnePerFamily(cidrs);
    PodCidrs wanted = PodCidrs.of(cidrs, "");
    return change(
        name,
        uid,
        node -> {
          List<String> has = node.podCidrs().texts();
          NodeChange taken =
              has.equals(wanted.all())
                  ? new NodeChange.Accepted(node)
                  : new NodeChange.Occupied("node " + name + " has " + has);
          return node.podCidrs().isEmpty() ? Optional.empty() : Optional.of(taken);
        },
        node -> node.withPodCidrs(wanted));
  }

  @Override
  public NodeChange annotate(ClusterNode seen, Map<String, String> annotations) {
    ClusterNodeStore.requireOwnNames(annotations);
    NodeChange changed = new NodeChange.AskedToWait("node " + seen.name() + " has another version");
    return change(
        seen.name(),
        seen.uid(),
        node -> node.version().equals(seen.version()) ? Optional.empty() : Optional.of(changed),
        node -> node.withAnnotations(annotations));
  }

  /** Changes a node, unless there is an ending in place of a change of this version. */
  private NodeChange change(
      String name,
      String uid,
      Function<ClusterNode, Optional<NodeChange>> ending,
      UnaryOperator<ClusterNode> change) {
    return write(
        name,
        true,
        node -> node.uid().equals(uid) ? ending.apply(node) : Optional.of(new NodeChange.Gone()),
        change,
        end ->
            end.match(
                NodeChange.Accepted::new,
                kind ->
                    switch (kind) {
                      case CONFLICT ->
                          new NodeChange.AskedToWait(
                              "the file of node " + name + " is being changed all the time");
                      case NOT_FOUND -> new NodeChange.Gone();
                      case FAILED -> new NodeChange.Unknown(end.detail());
                      case STORED, REFUSED, FAULTY -> new NodeChange.Refused(end.detail());
                    }));
  }

  /** Conditions are what a kubelet or a cloud reports; a manifest has none to be kept. */
  @Override
  public NodeChange networkAvailable(String name, String uid) {
    return new NodeChange.Refused("the status of a node in a file is not written");
  }

  @Override
  public boolean keepsConditions() {
    return false;
  }
}
