package io.tidemark.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.resource.ParsedResource;
import io.tidemark.resource.ResourceProblem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The content of a file of manifests: objects of one kind, one or many, alone or in lists, and the
 * problems of the rest. Immutable.
 *
 * @param json whether it is printed as JSON, else as YAML
 * @param objects in the order of the file
 * @param problems of values that are no such object
 */
record ManifestFile(
    boolean json, List<Document> documents, List<Entry> objects, List<ResourceProblem> problems) {
  private static final int PROBLEMS_MAX = 50;
  private static final int SHOWN_MAX = 64;

  /** Headings of columns, such as {@code NAME STATUS ROLES}. */
  private static final Pattern TABLE = Pattern.compile("\\s*NAME +[A-Z][-A-Z ]*(\\R|$)");

  /**
   * One object.
   *
   * @param name {@code metadata.name}
   * @param path the place in its document, such as {@code items[3]}; empty for a whole document
   * @param item the index in its list; -1 for a whole document
   * @param bare whether it is an item of a list that says its kind once for all
   */
  record Entry(
      String name,
      String where,
      Document document,
      ObjectNode node,
      String path,
      int item,
      boolean bare) {
    String hash() {
      return ManifestBytes.hash(node.toString());
    }

    String place() {
      return where + ":" + document.line(node, "");
    }

    /** The described object, or its problems. */
    <T> ParsedResource<T> parse(ManifestKind<T> kind) {
      ObjectNode whole = node;
      if (bare) {
        whole = node.objectNode().put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
        whole.setAll(node);
      }
      return kind.parse(whole.toString())
          .match(
              ParsedResource.Valid::new,
              invalid ->
                  new ParsedResource.Invalid<>(
                      Optional.of(name), invalid.problems().stream().map(this::placed).toList()));
    }

    private ResourceProblem placed(ResourceProblem problem) {
      String inner = problem.path();
      String full = path.isEmpty() || inner.isEmpty() ? path + inner : path + "." + inner;
      return new ResourceProblem(
          where + ":" + document.line(node, inner), full, problem.problem(), problem.remedy());
    }
  }

  ManifestFile {
    documents = List.copyOf(documents);
    objects = List.copyOf(objects);
    problems = List.copyOf(problems);
  }

  /** Reads the text of the file {@code where}. */
  static ManifestFile read(ManifestKind<?> kind, String where, String text)
      throws UnreadableManifest {
    if (TABLE.matcher(text).lookingAt()) {
      throw new UnreadableManifest(
          1,
          "the text is a table as kubectl prints it, and has no objects",
          "Print the objects with kubectl get -o yaml or -o json.");
    }
    boolean json = where.endsWith(".json");
    List<Document> documents;
    try {
      json |= text.stripLeading().startsWith("{");
      documents = json ? DocumentsJson.read(text) : DocumentsYaml.read(text);
    } catch (UnreadableManifest e) {
      if (where.endsWith(".json") || !json) {
        throw e;
      }
      json = false; // YAML with braces
      documents = DocumentsYaml.read(text);
    }
    Reader reader = new Reader(kind, where);
    for (Document each : documents) {
      if (!each.root().isNull()) {
        reader.silent = false;
        reader.object(each, each.root(), "", -1, false);
      }
    }
    if (reader.silent) {
      String problem = text.isBlank() ? "the file is empty" : "the file has no object";
      reader.problem(1, "", problem, "Put a " + kind.kind() + " into it, or remove the file.");
    }
    return new ManifestFile(json, documents, reader.objects, reader.problems);
  }

  /** Sorts the values of the documents into objects and problems. */
  private static final class Reader {
    private final ManifestKind<?> kind;
    private final String where;
    private final List<Entry> objects = new ArrayList<>();
    private final List<ResourceProblem> problems = new ArrayList<>();
    private boolean silent = true;

    Reader(ManifestKind<?> kind, String where) {
      this.kind = kind;
      this.where = where;
    }

    void object(Document document, JsonNode value, String path, int item, boolean bare) {
      int line = document.line(value, "");
      if (!(value instanceof ObjectNode node)) {
        problem(line, path, "is not an object", kind.remedy());
        return;
      }
      String own = node.path("kind").asText("");
      boolean ofKind = own.equals(kind.kind() + "List");
      if (path.isEmpty() && (ofKind || own.equals("List"))) {
        items(document, node.path("items"), ofKind);
      } else if (own.isEmpty() && !bare) {
        boolean list = path.isEmpty() && node.has("items");
        String problem = "the kind is missing" + (list ? "; the list may be cut off" : "");
        problem(line, path(path, "kind"), problem, kind.remedy());
      } else if (!own.isEmpty() && !own.equals(kind.kind())) {
        String shown = own.length() > SHOWN_MAX ? own.substring(0, SHOWN_MAX) + "..." : own;
        problem(
            document.line(node, "kind"),
            path(path, "kind"),
            "the kind is " + shown + ", not " + kind.kind(),
            kind.remedy());
      } else if (!node.at("/metadata/name").isTextual()
          || node.at("/metadata/name").asText().isEmpty()) {
        problem(
            document.line(node, "metadata"),
            path(path, "metadata.name"),
            "the name is missing or not a string",
            "Write the Kubernetes node's name there.");
      } else {
        String name = node.at("/metadata/name").asText();
        objects.add(new Entry(name, where, document, node, path, item, bare));
      }
    }

    private void items(Document document, JsonNode items, boolean bare) {
      if (items instanceof ArrayNode list) {
        for (int i = 0; i < list.size(); i++) {
          object(document, list.get(i), "items[" + i + "]", i, bare);
        }
      } else if (!items.isMissingNode() && !items.isNull()) {
        problem(
            document.line(document.root(), ""),
            "items",
            "is not a list",
            "Write the objects as a list.");
      }
    }

    private static String path(String path, String inner) {
      return path.isEmpty() ? inner : path + "." + inner;
    }

    void problem(int line, String path, String problem, String remedy) {
      if (problems.size() < PROBLEMS_MAX) {
        problems.add(new ResourceProblem(where + ":" + line, path, problem, remedy));
      }
    }
  }

  /** The objects by name; a name that stands more than once is left out. */
  Map<String, Entry> index() {
    Map<String, Entry> index = new HashMap<>();
    Map<String, Integer> count = new HashMap<>();
    for (Entry each : objects) {
      index.put(each.name(), each);
      count.merge(each.name(), 1, Integer::sum);
    }
    count.forEach(
        (name, times) -> index.computeIfPresent(name, (n, each) -> times > 1 ? null : each));
    return index;
  }

  /** The text with these objects, by name, in the places of those that it has. */
  String print(Map<String, ObjectNode> changed) {
    List<JsonNode> roots = new ArrayList<>();
    documents.forEach(each -> roots.add(each.root().deepCopy()));
    for (Entry each : objects) {
      ObjectNode instead = changed.get(each.name());
      int number = each.document().number();
      if (instead != null && each.item() < 0) {
        roots.set(number, instead);
      } else if (instead != null) {
        ((ArrayNode) roots.get(number).path("items")).set(each.item(), instead);
      }
    }
    return json ? DocumentsJson.print(roots) : DocumentsYaml.print(roots);
  }
}
