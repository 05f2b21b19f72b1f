package io.tidemark.manifests;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/** Reads and prints the documents of a JSON file. Stateless. */
final class DocumentsJson {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final ObjectMapper MAPPER =
      new ObjectMapper(
          JsonFactory.builder().disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES).build());
  private static final DefaultPrettyPrinter PRINTER =
      new DefaultPrettyPrinter(
              Separators.createDefaultInstance()
                  .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                  .withObjectEmptySeparator("")
                  .withArrayEmptySeparator(""))
          .withObjectIndenter(new DefaultIndenter("  ", "\n"))
          .withArrayIndenter(new DefaultIndenter("  ", "\n"));

  private final JsonParser parser;
  private IdentityHashMap<JsonNode, Integer> lines = new IdentityHashMap<>();

  private DocumentsJson(JsonParser parser) {
    this.parser = parser;
  }

  static List<ManifestDocument> read(String text) throws UnreadableManifest {
    List<ManifestDocument> documents = new ArrayList<>();
    try (JsonParser parser = MAPPER.createParser(text)) {
      DocumentsJson reader = new DocumentsJson(parser);
      while (parser.nextToken() != null) {
        reader.lines = new IdentityHashMap<>();
        documents.add(new ManifestDocument(reader.value(0), reader.lines));
      }
      return documents;
    } catch (UnreadableManifest e) {
      throw e;
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      throw new UnreadableManifest(
          line, "not JSON: " + e.getOriginalMessage(), ManifestDocument.REMEDY);
    } catch (IOException e) {
      throw new UnreadableManifest(0, "not JSON: " + e.getMessage(), ManifestDocument.REMEDY);
    }
  }

  private JsonNode value(int depth) throws IOException {
    int line = parser.currentTokenLocation().getLineNr();
    ManifestDocument.requireDepth(depth, line);
    if (parser.currentToken() == JsonToken.START_ARRAY) {
      ArrayNode array = NODES.arrayNode();
      lines.put(array, line);
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        array.add(value(depth + 1));
      }
      return array;
    }
    if (parser.currentToken() == JsonToken.START_OBJECT) {
      ObjectNode object = NODES.objectNode();
      lines.put(object, line);
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        if (object.has(name)) {
          throw ManifestDocument.twice(name, parser.currentTokenLocation().getLineNr());
        }
        parser.nextToken();
        object.set(name, value(depth + 1));
      }
      return object;
    }
    JsonNode value =
        switch (parser.currentToken()) {
          case VALUE_STRING -> NODES.textNode(parser.getText());
          case VALUE_NUMBER_INT -> NODES.numberNode(parser.getBigIntegerValue());
          case VALUE_NUMBER_FLOAT -> DecimalNode.valueOf(parser.getDecimalValue());
          case VALUE_TRUE, VALUE_FALSE -> NODES.booleanNode(parser.getBooleanValue());
          default -> NODES.nullNode();
        };
    lines.put(value, line);
    return value;
  }

  /** One value that is known to be an object, such as one that this program printed. */
  static ObjectNode object(String json) {
    try {
      return (ObjectNode) read(json).get(0).root();
    } catch (UnreadableManifest e) {
      throw new IllegalArgumentException(e.problem(), e);
    }
  }

  static String print(List<JsonNode> documents) {
    StringBuilder text = new StringBuilder();
    for (JsonNode each : documents) {
      try {
        text.append(MAPPER.writer(PRINTER).writeValueAsString(each)).append('\n');
      } catch (JsonProcessingException e) {
        throw new IllegalStateException("a tree can be printed", e);
      }
    }
    return text.toString();
  }
}
