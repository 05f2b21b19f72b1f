package io.tidemark.provider.azure.ipam;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Optional;

/** Wire codec of {@code spec.azure}, of which nothing is written. Stateless. */
final class AzureSpecJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private AzureSpecJson() {}

  /** A member of another kind than the schema has reads as absent. */
  static AzureSpec read(String json) {
    try {
      JsonNode section = MAPPER.readTree(json);
      JsonNode name = section.path("interface-name");
      JsonNode disabled = section.path("disable-prefix-delegation");
      return new AzureSpec(
          name.isTextual() ? name.textValue() : "",
          disabled.isBoolean() ? Optional.of(disabled.booleanValue()) : Optional.empty());
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON: " + json, e);
    }
  }
}
