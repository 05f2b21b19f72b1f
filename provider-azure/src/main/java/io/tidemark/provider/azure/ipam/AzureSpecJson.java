package io.tidemark.provider.azure.ipam;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.resource.NodeResource;
import java.util.Optional;

/**
 * The section {@code spec.azure}, which the agent and people write; nothing of it is written here.
 *
 * @param interfaceName the name of the network interface that gets the pods' addresses; empty for
 *     any
 * @param disablePrefixDelegation whether the node gets single addresses only; absent where the
 *     CustomResourceDefinition does not keep the field
 */
record AzureSpecJson(String interfaceName, Optional<Boolean> disablePrefixDelegation) {
  /** The name of the section, in spec and in status. */
  static final String SECTION = "azure";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** A section without content. */
  static final AzureSpecJson EMPTY = new AzureSpecJson("", Optional.empty());

  /** The section of a node; {@link #EMPTY} when it has none. */
  static AzureSpecJson of(NodeResource resource) {
    return resource.specSection(SECTION).map(AzureSpecJson::read).orElse(EMPTY);
  }

  /** A member of another kind than the schema has reads as absent. */
  private static AzureSpecJson read(String json) {
    try {
      JsonNode section = MAPPER.readTree(json);
      JsonNode name = section.path("interface-name");
      JsonNode disabled = section.path("disable-prefix-delegation");
      return new AzureSpecJson(
          name.isTextual() ? name.textValue() : "",
          disabled.isBoolean() ? Optional.of(disabled.booleanValue()) : Optional.empty());
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON: " + json, e);
    }
  }
}
