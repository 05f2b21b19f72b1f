package io.tidemark.provider.azure.network;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;

/** JSON texts as trees; numbers keep all their digits. Stateless. */
final class TreeJson {
  private static final int DEPTH_MAX = 64;

  private static final ObjectMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private TreeJson() {}

  /** The object of a text; empty when the text is no JSON object. */
  static Optional<ObjectNode> read(String text) {
    try {
      return MAPPER.readTree(text) instanceof ObjectNode object
          ? Optional.of(object)
          : Optional.empty();
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  /** The object of a response's body, which must be one. */
  static ObjectNode body(String text) throws ArmFailure {
    return read(text)
        .orElseThrow(
            () ->
                ArmFailure.unusable(
                    "the response is not a JSON object; something on the way may have answered"));
  }

  /** The text of a member; empty when it is absent or no text. */
  static String text(JsonNode object, String key) {
    JsonNode value = object.path(key);
    return value.isTextual() ? value.textValue() : "";
  }

  static String lower(JsonNode object, String key) {
    return text(object, key).toLowerCase(Locale.ROOT);
  }

  /** Made of id and properties of a resource; empty when it has no id that could be one. */
  static <T> Optional<T> resource(JsonNode json, BiFunction<ResourceId, JsonNode, T> made) {
    return ResourceId.parse(text(json, "id")).map(id -> made.apply(id, json.path("properties")));
  }

  /** The name of a resource, which its id ends with when it tells none. */
  static String name(JsonNode resource, ResourceId id) {
    String name = text(resource, "name");
    return name.isEmpty() ? id.name() : name;
  }

  static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(each -> texts.add(each.asText()));
    return texts;
  }

  /** The ids of the resources that an array refers to. */
  static List<ResourceId> references(JsonNode array) {
    List<ResourceId> ids = new ArrayList<>();
    array.forEach(each -> ResourceId.parse(text(each, "id")).ifPresent(ids::add));
    return ids;
  }

  /** The id of a resource that a member refers to. */
  static Optional<ResourceId> reference(JsonNode object, String key) {
    return ResourceId.parse(text(object.path(key), "id"));
  }
}
