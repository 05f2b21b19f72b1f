package io.tidemark.nodeid.claim;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.ip.InterfaceAddress;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.SubnetPlan;
import java.util.Map;
import java.util.Optional;

/** A Node object's statement about its id, by two annotations. The claim is the truth. */
public final class NodeIdMirror {
  /** The id in decimal. */
  public static final String ID = ClusterNode.ANNOTATIONS + "node-id";

  /** The plan that follows from it, as JSON. */
  public static final String PLAN = ClusterNode.ANNOTATIONS + "node-id-plan";

  private NodeIdMirror() {}

  /** The annotations of a node with this plan. */
  public static Map<String, String> of(SubnetPlan plan) {
    return Map.of(ID, plan.id().toString(), PLAN, json(plan));
  }

  /** The id that a node shows; empty when it shows none that can be read. */
  public static Optional<NodeId> id(ClusterNode node) {
    try {
      return Optional.ofNullable(node.annotations().get(ID)).map(NodeId::parse);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Whether a node shows exactly this. */
  public static boolean shows(ClusterNode node, SubnetPlan plan) {
    return node.annotations().entrySet().containsAll(of(plan).entrySet());
  }

  /** Numbers, and texts without a character that JSON escapes. */
  private static String json(SubnetPlan plan) {
    return "{\"id\":"
        + plan.id()
        + field("podSubnet", plan.podSubnet())
        + field("gateway", plan.gateway())
        + field("natLoopback", plan.natLoopback())
        + field("linkSubnet", plan.linkSubnet())
        + field("linkSwitchEnd", plan.linkSwitchEnd())
        + field("linkHostEnd", plan.linkHostEnd())
        + plan.nodeAddress().map(NodeIdMirror::nodeAddress).orElse("")
        + field("overlayAddress", plan.overlayAddress())
        + '}';
  }

  private static String nodeAddress(InterfaceAddress address) {
    return field("nodeAddress", address);
  }

  private static String field(String name, Object value) {
    return ",\"" + name + "\":\"" + value + '"';
  }
}
