package io.tidemark.it.engine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.testing.Samples;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Objects as text: what only a server adds is left out, and fields that no operator knows come in.
 */
final class SequenceJson {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

  private static final List<String> OF_A_SERVER =
      List.of("resourceVersion", "uid", "creationTimestamp", "generation", "managedFields");

  private SequenceJson() {}

  /** The object as it can be compared between homes: members in order, nothing empty. */
  static String outcome(NodeResource resource) {
    ObjectNode tree = tree(resource);
    ((ObjectNode) tree.get("metadata")).remove(OF_A_SERVER);
    return text(sorted(tree));
  }

  private static Object sorted(JsonNode node) {
    if (!node.isObject()) {
      return node;
    }
    Map<String, Object> members = new TreeMap<>();
    node.properties()
        .forEach(
            member -> {
              Object value = sorted(member.getValue());
              boolean empty =
                  (value instanceof Map<?, ?> map && map.isEmpty())
                      || (member.getValue().isArray() && member.getValue().isEmpty());
              if (!empty) {
                members.put(member.getKey(), value);
              }
            });
    return members;
  }

  /** The object with one more field, or another value of it, that an operator has no use for. */
  static NodeResource withForeignField(NodeResource resource, SplittableRandom random) {
    String value = "v" + random.nextInt(1_000);
    ObjectNode tree = tree(resource);
    switch (random.nextInt(4)) {
      case 0 ->
          ((ObjectNode) tree.get("metadata")).withObject("/labels").put("example.io/a", value);
      case 1 ->
          ((ObjectNode) tree.get("metadata")).withObject("/annotations").put("example.io/b", value);
      case 2 -> tree.withObject("/spec").put("bootid", value);
      default -> tree.withObject("/spec").withObject("/health").put("ipv4", "10.9.9.9");
    }
    return parsed(tree);
  }

  /** The object with the annotation that asks to leave the node alone, or without. */
  static NodeResource withIgnore(NodeResource resource, boolean ignore) {
    ObjectNode tree = tree(resource);
    ObjectNode annotations = ((ObjectNode) tree.get("metadata")).withObject("/annotations");
    if (ignore) {
      annotations.put("ipam.cilium.io/ignore", "true");
    } else {
      annotations.remove("ipam.cilium.io/ignore");
    }
    return parsed(tree);
  }

  private static ObjectNode tree(NodeResource resource) {
    try {
      return (ObjectNode) MAPPER.readTree(NodeResourceJson.print(resource));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static NodeResource parsed(ObjectNode tree) {
    return Samples.parsed(text(tree));
  }

  private static String text(Object value) {
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
