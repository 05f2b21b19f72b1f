package io.tidemark.nodeid.claim;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.ip.InterfaceAddress;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.SubnetPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A Node object's statement about its id, by two annotations. The claim is the truth. */
public final class NodeIdMirror {
  public static final String ID = ClusterNode.ANNOTATIONS + "node-id";

  /** The plan that follows from it, as JSON. */
  public static final String PLAN = ClusterNode.ANNOTATIONS + "node-id-plan";

  private NodeIdMirror() {}

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

  /** The fields of {@link #PLAN}, in their order; one that the plan has not is empty text. */
  private static Map<String, String> fields(SubnetPlan plan) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("id", plan.id().toString());
    fields.put("podSubnet", plan.podSubnet().toString());
    fields.put("gateway", plan.gateway().toString());
    fields.put("natLoopback", plan.natLoopback().toString());
    fields.put("linkSubnet", plan.linkSubnet().toString());
    fields.put("linkSwitchEnd", plan.linkSwitchEnd().toString());
    fields.put("linkHostEnd", plan.linkHostEnd().toString());
    fields.put("nodeAddress", plan.nodeAddress().map(InterfaceAddress::toString).orElse(""));
    fields.put("overlayAddress", plan.overlayAddress().toString());
    return fields;
  }

  /** A number, and texts without a character that JSON escapes. */
  private static String json(SubnetPlan plan) {
    return fields(plan).entrySet().stream()
        .filter(each -> !each.getValue().isEmpty())
        .map(
            each ->
                each.getKey().equals("id")
                    ? "\"id\":" + each.getValue()
                    : "\"" + each.getKey() + "\":\"" + each.getValue() + '"')
        .collect(Collectors.joining(",", "{", "}"));
  }

  /**
   * How the JSON differs from the plan, a clause for each field; fields that it does not have are
   * not compared.
   *
   * @throws IllegalArgumentException when it is no JSON object; the message says why
   */
  public static List<String> differences(String json, SubnetPlan plan) {
    Map<String, String> has = FlatJson.read(json);
    List<String> differences = new ArrayList<>();
    fields(plan)
        .forEach(
            (field, value) -> {
              String text = has.getOrDefault(field, value);
              if (!text.equals(value)) {
                String made = value.isEmpty() ? "none" : value;
                differences.add(field + " is " + text + ", but the settings make " + made);
              }
            });
    return differences;
  }
}
