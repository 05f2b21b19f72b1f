package io.tidemark.resource;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.testing.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * {@link CiliumNodeShapes} is the table of all fields: {@link NodeResource} hides the document from
 * other packages, so this one contains every name that the product reads or writes.
 */
@DisplayName("DC-9 docs/ciliumnode.md")
class CiliumNodePageTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern ROW =
      Pattern.compile("\\| `([\\w.*\\[\\]-]+)` \\| .* \\| (.*) \\| `(.*)` \\|");

  /** Writes a document, or reads the API server's record, which has names of its own. */
  private static final Set<String> WITHOUT_NAMES =
      Set.of("ManagedFields.java", "TreePrinter.java", "JsonObject.java");

  /** Words in the codecs that are values. */
  private static final Set<String> VALUES =
      Set.of("default", "true", "CiliumNode", "CiliumInternalIP", "router");

  private static final String WRITTEN_ONLY = "status.azure.interfaces[].subnet.cidr";

  private record Row(String path, String writer, JsonNode example) {
    static List<Row> all() {
      List<Row> rows = new ArrayList<>();
      Matcher row = ROW.matcher(Repository.text("docs/ciliumnode.md"));
      while (row.find()) {
        rows.add(new Row(row.group(1), row.group(2), value(row.group(3))));
      }
      return rows;
    }

    /** Of a document; a text needs no quotes. */
    private static JsonNode value(String text) {
      try {
        return JSON.readTree(text.matches("[\\[{\"].*|true|false|\\d+") ? text : '"' + text + '"');
      } catch (IOException e) {
        throw new AssertionError(text, e);
      }
    }

    /** Sets the example in a document, or removes it from there. */
    void apply(ObjectNode document, boolean present) {
      ObjectNode at = document;
      String[] steps = path.split("\\.", -1);
      for (int i = 0; i < steps.length - 1; i++) {
        if (steps[i].endsWith("[]")) {
          String name = steps[i].replace("[]", "");
          ArrayNode list = at.withArrayProperty(name);
          at = list.isEmpty() ? list.addObject() : (ObjectNode) list.get(0);
        } else {
          boolean byAddress = steps[i].equals("*") && !path.contains(".enis.");
          at = at.withObjectProperty(byAddress ? "10.0.1.17" : steps[i]);
        }
      }
      if (present) {
        at.set(steps[steps.length - 1], example);
      } else {
        at.remove(steps[steps.length - 1]);
      }
    }
  }

  @Test
  @DisplayName("lists exactly the fields that Tidemark reads or writes, and says who writes them")
  void listed() {
    List<String> expected = new ArrayList<>();
    flatten("", CiliumNodeShapes.ROOT, expected);

    assertThat(Row.all()).extracting(Row::path).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(Row.all())
        .extracting(Row::writer)
        .containsOnly("agent", "operator", "you", "Kubernetes");
  }

  private static void flatten(String path, Shape shape, List<String> paths) {
    if (shape instanceof Shape.Struct struct && !struct.members().isEmpty()) {
      struct
          .members()
          .forEach(
              (key, member) -> flatten(path.isEmpty() ? key : path + '.' + key, member, paths));
    } else if (shape instanceof Shape.MapOf map && map.values() instanceof Shape.Struct values) {
      flatten(path + ".*", values, paths);
    } else if (shape instanceof Shape.ListOf list && list.elements() instanceof Shape.Struct each) {
      flatten(path + "[]", each, paths);
    } else {
      paths.add(path);
    }
  }

  @Test
  @DisplayName("lists every name that the code asks a document for")
  void names() throws IOException {
    Set<String> listed = new HashSet<>(VALUES);
    for (Row row : Row.all()) {
      listed.addAll(List.of(row.path().replace("[]", "").split("\\.", -1)));
      addNames(row.example(), listed);
    }

    assertThat(namesInCode()).hasSizeGreaterThan(50).isSubsetOf(listed);
  }

  private static void addNames(JsonNode example, Set<String> names) {
    example.fieldNames().forEachRemaining(names::add);
    example.forEach(each -> addNames(each, names));
  }

  /** The texts of one word in the sources of this package that read or write documents. */
  private static Set<String> namesInCode() throws IOException {
    Path sources = Repository.root().resolve("core/src/main/java/io/tidemark/resource");
    Set<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.list(sources)) {
      for (Path file : files.toList()) {
        String text = Files.readString(file);
        if (text.contains("JsonObject") && !WITHOUT_NAMES.contains(file.getFileName().toString())) {
          Matcher word = Pattern.compile("\"([A-Za-z][\\w-]*)\"").matcher(text);
          while (word.find()) {
            names.add(word.group(1));
          }
        }
      }
    }
    return names;
  }

  @Test
  @DisplayName("has examples that are valid, and that make a difference")
  void examples() {
    List<Row> rows = Row.all();
    CiliumNodeSchema schema = CiliumNodeSchema.of(TestResources.text("/crd/ciliumnode-crd.yaml"));

    assertThat(schema.violations(TestResources.parse(document(rows).toString()))).isEmpty();
    assertThat(rows)
        .allSatisfy(
            row ->
                assertThat(makesDifference(row, rows)).isEqualTo(!row.path().equals(WRITTEN_ONLY)));
  }

  /** In the document of all examples, or in one that lacks the field with priority over it. */
  private static boolean makesDifference(Row row, List<Row> rows) {
    for (Row other : rows) {
      ObjectNode document = document(rows);
      if (!other.equals(row)) {
        other.apply(document, false);
      }
      List<Object> with = read(document);
      row.apply(document, false);
      if (!read(document).equals(with)) {
        return true;
      }
    }
    return false;
  }

  private static ObjectNode document(List<Row> rows) {
    ObjectNode document = JSON.createObjectNode();
    rows.forEach(row -> row.apply(document, true));
    return document;
  }

  /** The result of each accessor; none for a document that is refused. */
  private static List<Object> read(ObjectNode document) {
    NodeResource resource =
        NodeResourceJson.parse(document.toString(), "page").match(valid -> valid, invalid -> null);
    return resource == null
        ? List.of()
        : List.of(
            TestResources.views(resource),
            resource.writesSeenBy("tidemark"),
            resource.specSection("azure")); // its provider reads it
  }
}
