package io.tidemark.manifests;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNodeJson;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.ParsedResource;
import java.util.List;

/**
 * The content of the files.
 *
 * @param <T> one object of it, immutable
 */
abstract class ManifestKind<T> {
  /**
   * The nodes of Cilium as an operator writes them (node-manager 1.2, 1.3): of the spec the pool
   * and {@code pre-allocate} are ours; of the status everything but what agents tell of addresses
   * in use (NM-S1).
   */
  static final ManifestKind<NodeResource> CILIUM_NODE =
      new CiliumNodes(
          OwnedPaths.of("spec", List.of("spec.ipam.pool", "spec.ipam.pre-allocate"), List.of()),
          OwnedPaths.of(
              "status", List.of("status"), List.of("status.ipam.used", "status.ipam.ipv6-used")));

  /**
   * The nodes of Cilium as an operator writes them that gives each node a CIDR of its own: these
   * CIDRs, and its error (node-cidr AM27).
   */
  static final ManifestKind<NodeResource> CILIUM_NODE_OF_CLUSTER_POOL =
      new CiliumNodes(
          OwnedPaths.of("spec", List.of("spec.ipam.podCIDRs"), List.of()),
          OwnedPaths.of("status", List.of("status.ipam.operator-status"), List.of()));

  /** The nodes of Cilium as an agent writes them: what it uses and what it answers. */
  static final ManifestKind<NodeResource> CILIUM_NODE_OF_AGENT =
      new CiliumNodes(
          OwnedPaths.of("spec", List.of("spec.ipam.pools"), List.of()),
          OwnedPaths.of(
              "status", List.of("status.ipam.used", "status.ipam.release-ips"), List.of()));

  /**
   * Kubernetes Nodes, of which a program writes the CIDRs that it assigns (node-cidr AM31), and in
   * place of the status its own annotations.
   */
  static final ManifestKind<ClusterNode> NODE = new Nodes();

  /** The same with their addresses, which are read only. */
  static final ManifestKind<AddressedNode> ADDRESSED_NODE = new AddressedNodes();

  private final String apiVersion;
  private final String kind;
  private final OwnedPaths spec;
  private final OwnedPaths status;

  /**
   * Of one kind.
   *
   * @param spec what this program writes of the spec
   * @param status what this program writes of the status
   */
  ManifestKind(String apiVersion, String kind, OwnedPaths spec, OwnedPaths status) {
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.spec = spec;
    this.status = status;
  }

  String apiVersion() {
    return apiVersion;
  }

  String kind() {
    return kind;
  }

  OwnedPaths spec() {
    return spec;
  }

  OwnedPaths status() {
    return status;
  }

  /** The remedy for an object of another kind. */
  String remedy() {
    return "Keep only objects of kind " + kind + " (apiVersion " + apiVersion + ") in this place.";
  }

  /** Reads one object as JSON; problems name the path inside the object. */
  abstract ParsedResource<T> parse(String json);

  /** The object as JSON, with everything that this program writes. */
  abstract String print(T object);

  abstract String version(T object);

  abstract T withVersion(T object, String version);

  /** Whether both mean the same in what this program writes of the spec. */
  abstract boolean sameSpec(T one, T other);

  /** Whether both mean the same in what this program writes of the status. */
  abstract boolean sameStatus(T one, T other);

  private static final class CiliumNodes extends ManifestKind<NodeResource> {
    CiliumNodes(OwnedPaths spec, OwnedPaths status) {
      super("cilium.io/v2", "CiliumNode", spec, status);
    }

    @Override
    ParsedResource<NodeResource> parse(String json) {
      return NodeResourceJson.parse(json, "");
    }

    @Override
    String print(NodeResource node) {
      return NodeResourceJson.print(node);
    }

    @Override
    String version(NodeResource node) {
      return node.resourceVersion();
    }

    @Override
    NodeResource withVersion(NodeResource node, String version) {
      return node.withResourceVersion(version);
    }

    @Override
    boolean sameSpec(NodeResource one, NodeResource other) {
      return one.sameSpec(other);
    }

    @Override
    boolean sameStatus(NodeResource one, NodeResource other) {
      return one.sameStatus(other);
    }
  }

  private static final class Nodes extends ManifestKind<ClusterNode> {
    Nodes() {
      super(
          "v1",
          "Node",
          OwnedPaths.of("spec", List.of("spec.podCIDR", "spec.podCIDRs"), List.of()),
          new OwnedPaths(
              "metadata",
              List.of(List.of("metadata", "annotations", ClusterNode.ANNOTATIONS)),
              List.of()));
    }

    @Override
    ParsedResource<ClusterNode> parse(String json) {
      return ClusterNodeJson.parse(json, "");
    }

    @Override
    String print(ClusterNode node) {
      return ClusterNodeJson.print(node);
    }

    @Override
    String version(ClusterNode node) {
      return node.version();
    }

    @Override
    ClusterNode withVersion(ClusterNode node, String version) {
      return node.withVersion(version);
    }

    @Override
    boolean sameSpec(ClusterNode one, ClusterNode other) {
      return one.podCidrs().first().equals(other.podCidrs().first())
          && one.podCidrs().all().equals(other.podCidrs().all());
    }

    @Override
    boolean sameStatus(ClusterNode one, ClusterNode other) {
      return one.annotations().equals(other.annotations());
    }
  }

  private static final class AddressedNodes extends ManifestKind<AddressedNode> {
    AddressedNodes() {
      super(NODE.apiVersion, NODE.kind, NODE.spec, NODE.status);
    }

    @Override
    ParsedResource<AddressedNode> parse(String json) {
      return NODE.parse(json)
          .match(
              node ->
                  new ParsedResource.Valid<>(
                      new AddressedNode(node, NodeAddressesJson.internalIps(json))),
              invalid -> new ParsedResource.Invalid<>(invalid.name(), invalid.problems()));
    }

    @Override
    String print(AddressedNode object) {
      return NODE.print(object.node());
    }

    @Override
    String version(AddressedNode object) {
      return NODE.version(object.node());
    }

    @Override
    AddressedNode withVersion(AddressedNode object, String version) {
      return object.with(NODE.withVersion(object.node(), version));
    }

    @Override
    boolean sameSpec(AddressedNode one, AddressedNode other) {
      return NODE.sameSpec(one.node(), other.node());
    }

    @Override
    boolean sameStatus(AddressedNode one, AddressedNode other) {
      return NODE.sameStatus(one.node(), other.node());
    }
  }
}
