package io.tidemark.manifests;

import static java.nio.charset.StandardCharsets.UTF_8;

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
import io.tidemark.resource.ResourceProblem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * One document of a file; {@link DocumentsYaml} reads those of YAML files.
 *
 * @param root may be changed before the documents are printed
 * @param place of the value at a path: the file, and the line if it is known, which JSON lacks
 */
record ManifestDocument(boolean json, JsonNode root, UnaryOperator<String> place) {
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

  /** A text that cannot be read as a whole; the message is the problem. */
  static final class Unreadable extends IOException {
    private static final long serialVersionUID = 1L;

    final transient ResourceProblem problem;

    Unreadable(String place, String problem, String remedy) {
      super(problem);
      this.problem = new ResourceProblem(place, "", problem, remedy);
    }
  }

  /** Reads the content of the file {@code where}; without a byte order mark. */
  static List<ManifestDocument> read(String where, byte[] content) throws Unreadable {
    String text;
    try {
      text = UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
    } catch (CharacterCodingException e) {
      throw new Unreadable(where, "the file is not UTF-8 text", "Write the file in UTF-8.");
    }
    text = text.startsWith("\ufeff") ? text.substring(1) : text;
    if (TABLE.matcher(text).lookingAt()) {
      throw new Unreadable(
          where + ":1",
          "the text is a table as kubectl prints it, and has no objects",
          "Print the objects with kubectl get -o yaml or -o json.");
    }
    boolean named = where.endsWith(".json");
    if (named || text.stripLeading().startsWith("{")) {
      try {
        return readJson(where, text);
      } catch (Unreadable e) {
        if (named) {
          throw e;
        }
      }
    }
    return DocumentsYaml.read(where, text); // also YAML with braces
  }

  static List<ManifestDocument> readJson(String where, String text) throws Unreadable {
    List<ManifestDocument> documents = new ArrayList<>();
    try (JsonParser parser = MAPPER.createParser(text)) {
      while (parser.nextToken() != null) {
        documents.add(new ManifestDocument(true, MAPPER.readTree(parser), path -> where));
      }
      return documents;
    } catch (JsonProcessingException e) {
      String place = e.getLocation() == null ? where : where + ":" + e.getLocation().getLineNr();
      throw new Unreadable(place, "not JSON: " + e.getOriginalMessage(), REMEDY);
    } catch (IOException e) {
      throw new Unreadable(where, "not JSON: " + e.getMessage(), REMEDY);
    }
  }

  /** All objects of a file, those of lists too. */
  static List<ObjectNode> objects(List<ManifestDocument> documents) {
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

  static byte[] print(List<ManifestDocument> documents) {
    List<JsonNode> roots = documents.stream().map(ManifestDocument::root).toList();
    return (documents.get(0).json ? printJson(roots) : DocumentsYaml.print(roots)).getBytes(UTF_8);
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
}
