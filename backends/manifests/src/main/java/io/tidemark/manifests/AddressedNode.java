package io.tidemark.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.resource.ParsedResource;
import java.util.ArrayList;
import java.util.List;

/**
 * A Kubernetes Node with the addresses that its kubelet reports.
 *
 * @param internalIps its {@code status.addresses} of type {@code InternalIP}, as written
 */
public record AddressedNode(ClusterNode node, List<String> internalIps) {
  public AddressedNode {
    internalIps = List.copyOf(internalIps);
  }

  /** Reads a node; an entry of its addresses that has another shape is passed over. */
  static ParsedResource<AddressedNode> parse(ObjectNode tree) {
    List<String> internalIps = new ArrayList<>();
    for (JsonNode each : tree.at("/status/addresses")) {
      if (each.path("type").asText().equals("InternalIP") && each.path("address").isTextual()) {
        internalIps.add(each.path("address").asText());
      }
    }
    return ManifestKind.NODE
        .parse()
        .apply(tree)
        .match(
            node -> new ParsedResource.Valid<>(new AddressedNode(node, internalIps)),
            invalid -> new ParsedResource.Invalid<>(invalid.name(), invalid.problems()));
  }
}
