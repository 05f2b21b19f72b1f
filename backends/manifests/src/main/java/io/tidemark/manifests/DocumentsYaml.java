package io.tidemark.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.manifests.ManifestDocument.Unreadable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.constructor.StandardConstructor;
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
  private static final LoadSettings LOAD =
      LoadSettings.builder()
          .setSchema(new CoreSchema())
          .setCodePointLimit(Integer.MAX_VALUE)
          .setTagConstructors(Map.of(Tag.FLOAT, DocumentsYaml::number))
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

  /** A step of a path, such as those of {@code spec.ipam.pool["10.0.0.1"].items[3]}. */
  private static final Pattern STEP = Pattern.compile("(?<=\\[\").*?(?=\"])|[^.\\[\\]\"]+");

  private DocumentsYaml() {}

  static List<ManifestDocument> read(String where, String text) throws Unreadable {
    List<ManifestDocument> documents = new ArrayList<>();
    try {
      for (Node node : new Compose(LOAD).composeAllFromString(text)) {
        prepare(where, node, 0);
        Object value = new StandardConstructor(LOAD).constructSingleDocument(Optional.of(node));
        JsonNode root = ManifestDocument.MAPPER.valueToTree(value);
        documents.add(
            new ManifestDocument(false, root, path -> place(where, at(node, path).getStartMark())));
      }
      return documents;
    } catch (MarkedYamlEngineException e) {
      String place = place(where, e.getProblemMark().or(e::getContextMark));
      throw new Unreadable(place, "not YAML: " + e.getProblem(), ManifestDocument.REMEDY);
    } catch (YamlEngineException e) {
      String problem = String.valueOf(e.getMessage()).lines().findFirst().orElse("unreadable");
      throw new Unreadable(where, "not YAML: " + problem, ManifestDocument.REMEDY);
    }
  }

  /** Makes each key a text, as JSON has them. */
  private static void prepare(String where, Node node, int depth) throws Unreadable {
    if (depth > ManifestDocument.DEPTH_MAX) {
      String problem = "nested deeper than " + ManifestDocument.DEPTH_MAX + " levels";
      throw new Unreadable(place(where, node.getStartMark()), problem, "Flatten the document.");
    }
    if (node instanceof SequenceNode list) {
      for (Node each : list.getValue()) {
        prepare(where, each, depth + 1);
      }
    } else if (node instanceof MappingNode mapping) {
      for (NodeTuple each : mapping.getValue()) {
        if (!(each.getKeyNode() instanceof ScalarNode key)) {
          String place = place(where, each.getKeyNode().getStartMark());
          throw new Unreadable(place, "a key is not a plain text", "Write each key as a text.");
        }
        key.setTag(Tag.STR);
        prepare(where, each.getValueNode(), depth + 1);
      }
    }
  }

  /** The digits as they are written; a text for {@code .inf} and {@code .nan}, which JSON lacks. */
  private static Object number(Node node) {
    String text = ((ScalarNode) node).getValue();
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException e) {
      return text;
    }
  }

  /** The value at {@code path}, or the nearest one around it. */
  private static Node at(Node root, String path) {
    Node at = root;
    Matcher step = STEP.matcher(path);
    for (Optional<Node> next = Optional.of(root); next.isPresent(); ) {
      at = next.get();
      next = step.find() ? child(at, step.group()) : Optional.empty();
    }
    return at;
  }

  private static Optional<Node> child(Node at, String step) {
    if (at instanceof SequenceNode list && step.matches("[0-9]{1,9}")) {
      return list.getValue().stream().skip(Integer.parseInt(step)).findFirst();
    }
    return at instanceof MappingNode object
        ? object.getValue().stream()
            .filter(each -> ((ScalarNode) each.getKeyNode()).getValue().equals(step))
            .map(NodeTuple::getValueNode)
            .findFirst()
        : Optional.empty();
  }

  private static String place(String where, Optional<Mark> mark) {
    return mark.map(it -> where + ":" + (it.getLine() + 1)).orElse(where);
  }

  static String print(List<JsonNode> documents) {
    Stream<Object> plain =
        documents.stream().map(each -> ManifestDocument.MAPPER.convertValue(each, Object.class));
    return new Dump(DUMP, new Quoting()).dumpAllToString(plain.iterator());
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
