package io.tidemark.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One document of a file.
 *
 * @param lines lines at which the values inside begin, by identity
 */
record ManifestDocument(JsonNode root, IdentityHashMap<JsonNode, Integer> lines) {
  private static final int DEPTH_MAX = 100;
  static final String REMEDY =
      "Correct the text; if another program is still writing the file, it is read again"
          + " automatically.";

  /** Headings of columns, such as {@code NAME STATUS ROLES}. */
  private static final Pattern TABLE = Pattern.compile("\\s*NAME +[A-Z][-A-Z ]*(\\R|$)");

  /** A step of a path, such as those of {@code spec.ipam.pool["10.0.0.1"].items[3]}. */
  private static final Pattern STEP =
      Pattern.compile("\\[\"(?<quoted>.*?)\"]|\\[(?<item>[0-9]{1,9})]|\\.?(?<plain>[^.\\[]+)");

  /**
   * All documents of a file.
   *
   * @param json whether it is printed as JSON, else as YAML
   */
  record Text(boolean json, List<ManifestDocument> documents) {
    String print() {
      List<JsonNode> roots = documents.stream().map(ManifestDocument::root).toList();
      return json ? DocumentsJson.print(roots) : DocumentsYaml.print(roots);
    }

    /**
     * An object, which may be changed before the text is printed.
     *
     * @param item the index in the list of the document; -1 for a whole document
     */
    ObjectNode object(int document, int item) {
      JsonNode root = documents.get(document).root();
      return (ObjectNode) (item < 0 ? root : root.path("items").path(item));
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
      return new Text(true, DocumentsJson.read(text));
    } catch (UnreadableManifest e) {
      if (where.endsWith(".json")) {
        throw e;
      }
      return new Text(false, DocumentsYaml.read(text)); // YAML with braces
    }
  }

  static void requireDepth(int depth, int line) throws UnreadableManifest {
    if (depth > DEPTH_MAX) {
      throw new UnreadableManifest(
          line, "nested deeper than " + DEPTH_MAX + " levels", "Flatten the document.");
    }
  }

  static UnreadableManifest twice(String key, int line) {
    return new UnreadableManifest(
        line, "key " + key + " is defined twice", "Remove one of the two.");
  }

  /** The line of the value at {@code path}, or of the nearest value around it. */
  int line(JsonNode from, String path) {
    int line = lines.getOrDefault(from, 1);
    JsonNode at = from;
    Matcher step = STEP.matcher(path);
    while (step.lookingAt()) {
      String item = step.group("item");
      String key = step.group("quoted") == null ? step.group("plain") : step.group("quoted");
      at = item == null ? at.path(key) : at.path(Integer.parseInt(item));
      boolean shared = at.isNull() || at.isBoolean() || (at.isTextual() && at.asText().isEmpty());
      line = shared ? line : lines.getOrDefault(at, line);
      step.region(step.end(), path.length());
    }
    return line;
  }
}
