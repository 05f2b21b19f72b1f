package io.tidemark.daemon.ipamd.introspection;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Trees of documents, and their texts. */
final class IntrospectionJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private IntrospectionJson() {}

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /** The text of a tree, or of a map whose values are flags, numbers, texts and lists of texts. */
  static String text(Object document) {
    try {
      return MAPPER.writeValueAsString(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("texts and numbers can be printed", e);
    }
  }
}
