package io.tidemark.manifests;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNodeJson;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.ParsedResource;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The content of the files.
 *
 * @param <T> one object of it, immutable
 * @param owned this program's part of an object
 * @param parse reads one object; problems name the path inside the object
 * @param print the object as JSON, with everything that this program writes
 * @param withVersion the object with another version
 */
record ManifestKind<T>(
    String apiVersion,
    String kind,
    TreeMerge owned,
    Function<ObjectNode, ParsedResource<T>> parse,
    Function<T, String> print,
    Function<T, String> version,
    BiFunction<T, String, T> withVersion) {
  /**
   * The nodes of Cilium as an operator writes them (node-manager 1.2, 1.3): of the spec the pool
   * and {@code pre-allocate} are ours; of the status everything but what agents tell of addresses
   * in use (NM-S1).
   */
  static final ManifestKind<NodeResource> CILIUM_NODE =
      ciliumNodes(
          List.of("spec.ipam.pool.", "spec.ipam.pre-allocate.", "status."),
          List.of("status.ipam.used.", "status.ipam.ipv6-used."));

  /**
   * The nodes of Cilium as an operator writes them that gives each node a CIDR of its own: these
   * CIDRs, and its error (node-cidr AM27).
   */
  static final ManifestKind<NodeResource> CILIUM_NODE_OF_CLUSTER_POOL =
      ciliumNodes(List.of("spec.ipam.podCIDRs.", "status.ipam.operator-status."), List.of());

  /** The nodes of Cilium as an agent writes them: what it uses and what it answers. */
  static final ManifestKind<NodeResource> CILIUM_NODE_OF_AGENT =
      ciliumNodes(
          List.of("spec.ipam.pools.", "status.ipam.used.", "status.ipam.release-ips."), List.of());

  /**
   * Kubernetes Nodes, of which a program writes the CIDRs that it assigns (node-cidr AM31), and its
   * own annotations.
   */
  static final ManifestKind<ClusterNode> NODE =
      new ManifestKind<>(
          "v1",
          "Node",
          new TreeMerge(
              List.of(
                  "spec.podCIDR.",
                  "spec.podCIDRs.",
                  "metadata.annotations." + ClusterNode.ANNOTATIONS),
              List.of()),
          tree -> ClusterNodeJson.parse(tree.toString(), ""),
          ClusterNodeJson::print,
          ClusterNode::version,
          ClusterNode::withVersion);

  /** The same with their addresses, which are read only. */
  static final ManifestKind<AddressedNode> ADDRESSED_NODE =
      new ManifestKind<>(
          NODE.apiVersion,
          NODE.kind,
          NODE.owned,
          AddressedNode::parse,
          object -> NODE.print.apply(object.node()),
          object -> object.node().version(),
          (object, version) ->
              new AddressedNode(object.node().withVersion(version), object.internalIps()));

  private static ManifestKind<NodeResource> ciliumNodes(List<String> owned, List<String> foreign) {
    return new ManifestKind<>(
        "cilium.io/v2",
        "CiliumNode",
        new TreeMerge(owned, foreign),
        tree -> NodeResourceJson.parse(tree.toString(), ""),
        NodeResourceJson::print,
        NodeResource::resourceVersion,
        NodeResource::withResourceVersion);
  }

  /** The remedy for an object of another kind. */
  String remedy() {
    return "Keep only objects of kind " + kind + " (apiVersion " + apiVersion + ") in this place.";
  }

  /**
   * Makes the change from {@code before} to {@code after} on an object in a file, which means the
   * same as {@code before}.
   */
  ObjectNode change(T before, T after, ObjectNode inFile) throws TreeMerge.NotOwned {
    return owned.merge(
        DocumentsJson.object(print.apply(before)),
        DocumentsJson.object(print.apply(after)),
        inFile);
  }
}
