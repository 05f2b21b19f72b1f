package io.tidemark.resource.directory;

import io.tidemark.resource.ResourceProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a file of manifests holds: CiliumNode objects, one or many, alone or in lists, and what is
 * wrong with the rest. Reading never fails.
 *
 * @param text the file's text, without its byte order mark
 * @param objects in the order in which they stand there
 * @param problems what cannot be read; documents beside it are not harmed
 */
record ManifestFile(
    String where, String text, List<ManifestObject> objects, List<ResourceProblem> problems) {
  ManifestFile {
    objects = List.copyOf(objects);
    problems = List.copyOf(problems);
  }

  /** Reads {@code text}, which stands in {@code where}. */
  static ManifestFile read(String where, String text) {
    Reader reader = new Reader(where, text);
    reader.read();
    return new ManifestFile(where, text, reader.objects, reader.problems);
  }

  /** Whether everything is readable. */
  boolean isWhole() {
    return problems.isEmpty();
  }

  /** Which object is called {@code name}; empty when none is, or more than one. */
  OptionalInt indexOf(String name) {
    OptionalInt found = OptionalInt.empty();
    for (int i = 0; i < objects.size(); i++) {
      if (objects.get(i).name().equals(name)) {
        if (found.isPresent()) {
          return OptionalInt.empty();
        }
        found = OptionalInt.of(i);
      }
    }
    return found;
  }

  /** A place in the file, for people. */
  String where(int offset) {
    return where + ":" + new TextCursor(text).line(offset);
  }

  private static final class Reader {
    private static final String NODE_REMEDY =
        "Keep only objects of kind CiliumNode (apiVersion cilium.io/v2) in this place.";

    private final String where;
    private final TextCursor cursor;
    private final String text;
    private final List<ManifestObject> objects = new ArrayList<>();
    private final List<ResourceProblem> problems = new ArrayList<>();

    Reader(String where, String text) {
      this.where = where;
      this.text = text;
      this.cursor = new TextCursor(text);
    }

    void read() {
      if (text.isBlank()) {
        problem(0, "", "the file is empty", "Put a CiliumNode into it, or remove the file.");
        return;
      }
      int found = 0;
      for (DocumentRange range : DocumentRange.of(cursor)) {
        try {
          for (MarkedDocument document : parse(range)) {
            found += document(document) ? 1 : 0;
          }
        } catch (MalformedText e) {
          problem(e.offset(), "", e.problem(), e.remedy());
          found++;
        }
      }
      if (found == 0) {
        problem(
            0,
            "",
            "the file holds comments and no object",
            "Put a CiliumNode into it, or remove the file.");
      }
    }

    private List<MarkedDocument> parse(DocumentRange range) throws MalformedText {
      int first = range.start();
      while (first < range.end() && Character.isWhitespace(text.charAt(first))) {
        first++;
      }
      boolean braces = first < range.end() && text.charAt(first) == '{';
      if (where.endsWith(".json")) {
        return MarkedJson.parse(text, range.start(), range.end());
      }
      if (braces) {
        try {
          return MarkedJson.parse(text, range.start(), range.end());
        } catch (MalformedText e) {
          return MarkedYaml.parse(text, range.start(), range.end());
        }
      }
      return MarkedYaml.parse(text, range.start(), range.end());
    }

    /** Whether the document says anything. */
    private boolean document(MarkedDocument document) {
      MarkedNode root = document.root();
      if (root.isEmpty() && !(root instanceof MarkedMapping)) {
        return false;
      }
      object(document, root, "");
      return true;
    }

    private void object(MarkedDocument document, MarkedNode node, String path) {
      if (!(node instanceof MarkedMapping mapping)) {
        problem(node.start(), path, "is no object", NODE_REMEDY);
        return;
      }
      String kind = string(mapping, "kind");
      String version = string(mapping, "apiVersion");
      if (path.isEmpty() && (kind.equals("List") || kind.equals("CiliumNodeList"))) {
        items(document, mapping);
        return;
      }
      if (!kind.equals("CiliumNode")) {
        String shown = kind.isEmpty() ? "the kind is missing" : "the kind is " + kind;
        problem(node.start(), join(path, "kind"), shown + ", not CiliumNode", NODE_REMEDY);
        return;
      }
      if (!version.equals("cilium.io/v2")) {
        problem(
            node.start(),
            join(path, "apiVersion"),
            "the apiVersion is " + (version.isEmpty() ? "missing" : version) + ", not cilium.io/v2",
            NODE_REMEDY);
        return;
      }
      Optional<MarkedMapping> metadata =
          mapping
              .value("metadata")
              .filter(MarkedMapping.class::isInstance)
              .map(MarkedMapping.class::cast);
      String name = metadata.map(each -> string(each, "name")).orElse("");
      if (name.isEmpty()) {
        problem(
            node.start(),
            join(path, "metadata.name"),
            "the name is missing or no text",
            "Write the Kubernetes node's name there.");
        return;
      }
      String own = text.substring(node.start(), node.end());
      objects.add(new ManifestObject(name, document, mapping, own, path));
    }

    private void items(MarkedDocument document, MarkedMapping list) {
      Optional<MarkedNode> items = list.value("items");
      if (items.isEmpty() || items.get().isEmpty()) {
        return;
      }
      if (!(items.get() instanceof MarkedSequence sequence)) {
        problem(items.get().start(), "items", "is no list", "Write the objects as a list.");
        return;
      }
      for (int i = 0; i < sequence.items().size(); i++) {
        object(document, sequence.items().get(i), "items[" + i + "]");
      }
    }

    private static String string(MarkedMapping mapping, String key) {
      return mapping
          .value(key)
          .filter(MarkedScalar.class::isInstance)
          .map(MarkedScalar.class::cast)
          .filter(each -> each.kind() == MarkedScalar.Kind.STRING)
          .map(MarkedScalar::text)
          .orElse("");
    }

    private void problem(int offset, String path, String problem, String remedy) {
      String place = where + ":" + cursor.line(Math.max(0, offset));
      problems.add(new ResourceProblem(place, path, problem, remedy));
    }

    private static String join(String path, String key) {
      return path.isEmpty() ? key : path + "." + key;
    }
  }
}
