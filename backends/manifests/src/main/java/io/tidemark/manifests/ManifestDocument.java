package io.tidemark.manifests;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One document of a file; {@link DocumentsYaml} reads those of YAML files.
 *
 * @param lines the line of the value at a path; null for JSON, where lines are not known
 */
record ManifestDocument(JsonNode root, @Nullable ToIntFunction<String> lines) {
  static final int DEPTH_MAX = 100;
  static final String REMEDY =
      "Correct the text; if another program is still writing the file, it is read again"
          + " automatically.";

  /** Names of fields are not remembered; numbers keep the digits that they were written with. */
  static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
                  .build())
          .enable(
              DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS,
              DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private static final DefaultPrettyPrinter PRINTER =
      new DefaultPrettyPrinter(
              Separators.createDefaultInstance()
                  .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                  .withObjectEmptySeparator("")
                  .withArrayEmptySeparator(""))
          .withObjectIndenter(new DefaultIndenter("  ", "\n"))
          .withArrayIndenter(new DefaultIndenter("  ", "\n"));

  /** Headings of columns, such as {@code NAME STATUS ROLES}. */
  private static final Pattern TABLE = Pattern.compile("\\s*NAME +[A-Z][-A-Z ]*(\\R|$)");

  /**
   * All documents of a file.
   *
   * @param json whether it is printed as JSON, else as YAML
   */
  record Text(boolean json, List<ManifestDocument> documents) {
    String print() {
      List<JsonNode> roots = documents.stream().map(ManifestDocument::root).toList();
      return json ? printJson(roots) : DocumentsYaml.print(roots);
    }

    /** All objects, those of lists too, which may be changed before the text is printed. */
    List<ObjectNode> objects() {
      List<ObjectNode> objects = new ArrayList<>();
      for (ManifestDocument each : documents) {
        for (JsonNode one : each.root.has("items") ? each.root.get("items") : List.of(each.root)) {
          if (one instanceof ObjectNode object) {
            objects.add(object);
          }
        }
      }
      return objects;
    }
  }

  /** Reads the text of the file {@code where}. */
  static Text read(String where, String text) throws UnreadableManifest {
    if (TABLE.matcher(text).lookingAt()) {
      throw new UnreadableManifest(
          1,
          "the text is a table as kubectl prints it, and has no objects",
          "Print the objects with kubectl get -o yaml or -o json.");
    }
    if (!where.endsWith(".json") && !text.stripLeading().startsWith("{")) {
      return new Text(false, DocumentsYaml.read(text));
    }
    try {
      return new Text(true, readJson(text));
    } catch (UnreadableManifest e) {
      if (where.endsWith(".json")) {
        throw e;
      }
      return new Text(false, DocumentsYaml.read(text)); // YAML with braces
    }
  }

  static List<ManifestDocument> readJson(String text) throws UnreadableManifest {
    List<ManifestDocument> documents = new ArrayList<>();
    try (JsonParser parser = MAPPER.createParser(text)) {
      while (parser.nextToken() != null) {
        documents.add(new ManifestDocument(MAPPER.readTree(parser), null));
      }
      return documents;
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      throw new UnreadableManifest(line, "not JSON: " + e.getOriginalMessage(), REMEDY);
    } catch (IOException e) {
      throw new UnreadableManifest(0, "not JSON: " + e.getMessage(), REMEDY);
    }
  }

  static String printJson(List<JsonNode> documents) {
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

  /** The place of the value at {@code path} in the file {@code where}. */
  String place(String where, String path) {
    return lines == null ? where : where + ":" + lines.applyAsInt(path);
  }
}
