package io.tidemark.manifests;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.representer.StandardRepresenter;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * Reads and prints the documents of a YAML 1.2 file. Keys that are not scalars, keys that are
 * defined twice, and tags of an application are refused. Stateless.
 */
final class DocumentsYaml {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final ObjectMapper PLAIN =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
  private static final LoadSettings LOAD =
      LoadSettings.builder()
          .setSchema(new CoreSchema())
          .setCodePointLimit(Integer.MAX_VALUE)
          .setUseMarks(true)
          .build();
  private static final DumpSettings DUMP =
      DumpSettings.builder()
          .setSchema(new CoreSchema())
          .setDefaultFlowStyle(FlowStyle.BLOCK)
          .setWidth(Integer.MAX_VALUE)
          .build();

  /** Texts that readers of YAML 1.1 take for a boolean, a number, or a time. */
  private static final Pattern AMBIGUOUS =
      Pattern.compile(
          "(?i)y|n|yes|no|on|off|=|0b[01_]+|[-+]?[0-9][0-9_]*(\\.[0-9_]*)?(e[-+]?[0-9]+)?"
              + "|[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\\.[0-9_]*)?|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*");

  private final IdentityHashMap<JsonNode, Integer> lines = new IdentityHashMap<>();

  private DocumentsYaml() {}

  static List<ManifestDocument> read(String text) throws UnreadableManifest {
    List<ManifestDocument> documents = new ArrayList<>();
    try {
      for (Node node : new Compose(LOAD).composeAllFromString(text)) {
        DocumentsYaml reader = new DocumentsYaml();
        documents.add(new ManifestDocument(reader.value(node, 0), reader.lines));
      }
      return documents;
    } catch (MarkedYamlEngineException e) {
      Optional<Mark> mark = e.getProblemMark().or(e::getContextMark);
      throw new UnreadableManifest(
          mark.map(at -> at.getLine() + 1).orElse(0),
          "not YAML: " + e.getProblem(),
          ManifestDocument.REMEDY);
    } catch (YamlEngineException e) {
      String problem = String.valueOf(e.getMessage()).lines().findFirst().orElse("unreadable");
      throw new UnreadableManifest(0, "not YAML: " + problem, ManifestDocument.REMEDY);
    }
  }

  private JsonNode value(Node node, int depth) throws UnreadableManifest {
    int line = line(node);
    ManifestDocument.requireDepth(depth, line);
    if (node instanceof ScalarNode scalar) {
      JsonNode value = scalar(scalar);
      lines.put(value, line);
      return value;
    }
    if (node instanceof SequenceNode sequence && node.getTag().equals(Tag.SEQ)) {
      ArrayNode array = NODES.arrayNode();
      lines.put(array, line);
      for (Node each : sequence.getValue()) {
        array.add(value(each, depth + 1));
      }
      return array;
    }
    if (!(node instanceof MappingNode mapping) || !node.getTag().equals(Tag.MAP)) {
      throw tagged(node);
    }
    ObjectNode object = NODES.objectNode();
    lines.put(object, line);
    for (NodeTuple each : mapping.getValue()) {
      if (!(each.getKeyNode() instanceof ScalarNode key)) {
        throw new UnreadableManifest(
            line(each.getKeyNode()), "a key is not a plain text", "Write each key as a text.");
      }
      if (object.has(key.getValue())) {
        throw ManifestDocument.twice(key.getValue(), line(key));
      }
      object.set(key.getValue(), value(each.getValueNode(), depth + 1));
    }
    return object;
  }

  private static JsonNode scalar(ScalarNode node) throws UnreadableManifest {
    String text = node.getValue();
    Tag tag = node.getTag();
    if (tag.equals(Tag.STR)) {
      return NODES.textNode(text);
    }
    if (tag.equals(Tag.NULL)) {
      return NODES.nullNode();
    }
    if (tag.equals(Tag.BOOL)) {
      return NODES.booleanNode(text.equalsIgnoreCase("true"));
    }
    try {
      if (tag.equals(Tag.INT)) {
        return NODES.numberNode(integer(text));
      }
      if (tag.equals(Tag.FLOAT)) {
        return DecimalNode.valueOf(new BigDecimal(text));
      }
    } catch (NumberFormatException e) {
      return NODES.textNode(text); // .inf and .nan, which JSON lacks
    }
    throw tagged(node);
  }

  private static BigInteger integer(String text) {
    boolean prefixed = text.startsWith("0x") || text.startsWith("0o");
    return prefixed
        ? new BigInteger(text.substring(2), text.charAt(1) == 'x' ? 16 : 8)
        : new BigInteger(text);
  }

  private static UnreadableManifest tagged(Node node) {
    return new UnreadableManifest(
        line(node), "tag " + node.getTag() + " is not supported", "Write the value without a tag.");
  }

  private static int line(Node node) {
    return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
  }

  static String print(List<JsonNode> documents) {
    Dump dump = new Dump(DUMP, new Quoting());
    StringBuilder text = new StringBuilder();
    for (JsonNode each : documents) {
      text.append(text.isEmpty() ? "" : "---\n")
          .append(dump.dumpToString(PLAIN.convertValue(each, Object.class)));
    }
    return text.toString();
  }

  /** Quotes texts that another reader could take for something else. */
  private static final class Quoting extends StandardRepresenter {
    Quoting() {
      super(DUMP);
      representers.put(
          String.class,
          text ->
              AMBIGUOUS.matcher(text.toString()).matches()
                  ? representScalar(Tag.STR, text.toString(), ScalarStyle.DOUBLE_QUOTED)
                  : new RepresentString().representData(text));
    }
  }
}
