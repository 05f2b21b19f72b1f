package io.tidemark.provider.azure.metadata;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Optional;

/** Reads the metadata of a machine. Stateless. */
final class MetadataJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private MetadataJson() {}

  /** The cloud's name; empty when the text is something else. */
  static Optional<String> cloudName(String text) {
    try {
      return Optional.of(MAPPER.readTree(text).path("azEnvironment").asText(""))
          .filter(name -> !name.isBlank());
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }
}
