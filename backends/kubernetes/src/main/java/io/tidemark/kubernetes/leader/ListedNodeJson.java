package io.tidemark.kubernetes.leader;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.kubernetes.ClusterConnection.Page;
import java.util.ArrayList;
import java.util.List;

/** Reads a list of CiliumNodes or Nodes as the server sends it. Stateless. */
final class ListedNodeJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String ID = ClusterNode.ANNOTATIONS + "node-id";

  private ListedNodeJson() {}

  /**
   * Reads a page.
   *
   * @throws KubernetesClientException when it is no JSON
   */
  static Page<List<ListedNode>> read(String answer) {
    try {
      JsonNode page = MAPPER.readTree(answer);
      List<ListedNode> nodes = new ArrayList<>();
      page.path("items").forEach(item -> nodes.add(node(item)));
      return new Page<>(nodes, page.at("/metadata/continue").asText());
    } catch (JsonProcessingException e) {
      throw new KubernetesClientException("the list of nodes is not valid JSON", e);
    }
  }

  private static ListedNode node(JsonNode node) {
    JsonNode ipam = node.at("/spec/ipam");
    List<String> cidrs = new ArrayList<>();
    ipam.path("podCIDRs").forEach(each -> cidrs.add(each.asText()));
    node.at("/spec/podCIDRs").forEach(each -> cidrs.add(each.asText()));
    return new ListedNode(
        node.at("/metadata/name").asText(),
        node.at("/status/ipam/used").size(),
        ipam.path("pool").size(),
        cidrs,
        node.at("/metadata/annotations").path(ID).asText(""),
        node.at("/status/ipam/operator-status/error").asText(""));
  }
}
