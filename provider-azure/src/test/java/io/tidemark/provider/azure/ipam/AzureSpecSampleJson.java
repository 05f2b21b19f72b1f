package io.tidemark.provider.azure.ipam;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.ParsedResource;

/** Nodes with a section {@code spec.azure}, as an agent writes it. */
public final class AzureSpecSampleJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private AzureSpecSampleJson() {}

  /** The node with the name of the network interface for pods. */
  public static NodeResource named(NodeResource node, String interfaceName) {
    return with(node, "{\"interface-name\":\"" + interfaceName + "\"}");
  }

  /** The node with a section. */
  static NodeResource with(NodeResource node, String section) {
    try {
      ObjectNode tree = (ObjectNode) MAPPER.readTree(NodeResourceJson.print(node));
      Object unused = tree.withObject("/spec").set("azure", MAPPER.readTree(section));
      return ((ParsedResource.Valid<NodeResource>)
              NodeResourceJson.parse(tree.toString(), node.name()))
          .resource();
    } catch (JsonProcessingException e) {
      throw new AssertionError(section, e);
    }
  }
}
