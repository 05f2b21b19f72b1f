package io.tidemark.provider.azure.ipam;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.ParsedResource;
import java.util.function.Consumer;

/** Nodes with a section {@code spec.azure}, as an agent writes it. */
public final class AzureSpecSampleJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private AzureSpecSampleJson() {}

  /** The node with the name of the network interface for pods; other members stay. */
  public static NodeResource named(NodeResource node, String interfaceName) {
    return interfaceName.isEmpty()
        ? node
        : edited(node, tree -> tree.withObject("/spec/azure").put("interface-name", interfaceName));
  }

  /** The node with a section. */
  static NodeResource with(NodeResource node, String section) {
    return edited(node, tree -> tree.withObject("/spec").set("azure", read(section)));
  }

  private static NodeResource edited(NodeResource node, Consumer<JsonNode> edit) {
    JsonNode tree = read(NodeResourceJson.print(node));
    edit.accept(tree);
    return ((ParsedResource.Valid<NodeResource>)
            NodeResourceJson.parse(tree.toString(), node.name()))
        .resource();
  }

  private static JsonNode read(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new AssertionError(json, e);
    }
  }
}
