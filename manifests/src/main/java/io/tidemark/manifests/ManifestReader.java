package io.tidemark.manifests;

import io.tidemark.resource.ResourceProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the text of one file: document by document, object by object. */
final class ManifestReader {
  private static final int PROBLEMS_MAX = 50;
  private static final String NODE_REMEDY =
      "Keep only objects of kind CiliumNode (apiVersion cilium.io/v2) in this place.";

  private static final String KIND = "CiliumNode";

  private final String where;
  private final TextCursor cursor;
  private final String text;
  private int more;
  private boolean moreHide;
  private final List<ManifestObject> objects = new ArrayList<>();
  private final List<ManifestProblem> problems = new ArrayList<>();

  ManifestReader(String where, String text) {
    this.where = where;
    this.text = text;
    this.cursor = new TextCursor(text);
  }

  ManifestFile read() {
    if (text.isBlank()) {
      hiding(0, "", "the file is empty", "Put a CiliumNode into it, or remove the file.");
      return file();
    }
    boolean silent = true;
    for (DocumentRange range : DocumentRange.of(cursor)) {
      try {
        for (MarkedDocument document : parse(range)) {
          silent &= !document(document);
        }
      } catch (MalformedText e) {
        hiding(e.offset(), "", e.problem(), e.remedy());
        silent = false;
      }
    }
    if (silent) {
      String problem = "the file holds comments and no object";
      hiding(0, "", problem, "Put a CiliumNode into it, or remove the file.");
    }
    return file();
  }

  private ManifestFile file() {
    if (more > 0) {
      String problem = "there are " + more + " more problems in this file";
      problems.add(
          new ManifestProblem(
              new ResourceProblem(where, "", problem, "Mend those above first."), moreHide));
    }
    return new ManifestFile(where, text, objects, problems);
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
    object(document, root, "", false);
    return true;
  }

  private void object(MarkedDocument document, MarkedNode node, String path, boolean bare) {
    if (!(node.resolved() instanceof MarkedMapping mapping)) {
      hiding(node.start(), path, "is no object", NODE_REMEDY);
      return;
    }
    String kind = string(mapping, "kind");
    if (path.isEmpty() && (kind.equals("List") || kind.equals("CiliumNodeList"))) {
      items(document, mapping, kind.equals("CiliumNodeList"));
      return;
    }
    if (kind.isEmpty() && !bare) {
      hiding(node.start(), path(path, "kind"), "the kind is missing", NODE_REMEDY);
      return;
    }
    if (!kind.isEmpty() && !kind.equals(KIND)) {
      String problem = "the kind is " + shown(kind) + ", not " + KIND;
      MarkedNode place = ObjectPath.nearest(mapping, "kind");
      problem(place.start(), path(path, "kind"), problem, NODE_REMEDY, false);
      return;
    }
    String name =
        mapping
            .value("metadata")
            .filter(MarkedMapping.class::isInstance)
            .map(each -> string((MarkedMapping) each, "name"))
            .orElse("");
    if (name.isEmpty()) {
      MarkedNode place = ObjectPath.nearest(mapping, "metadata.name");
      hiding(
          place.start(),
          path(path, "metadata.name"),
          "the name is missing or no text",
          "Write the Kubernetes node's name there.");
      return;
    }
    if (node instanceof MarkedAlias) {
      String problem = "the object is an alias, so it could not be changed alone";
      hiding(node.start(), path, problem, "Write the object out in place of the alias.");
      return;
    }
    String own = text.substring(node.start(), node.end());
    objects.add(new ManifestObject(name, document, mapping, own, path, bare));
  }

  private void items(MarkedDocument document, MarkedMapping list, boolean bare) {
    Optional<MarkedNode> items = list.value("items");
    if (items.isEmpty() || items.get().isEmpty()) {
      return;
    }
    if (!(items.get() instanceof MarkedSequence sequence)) {
      hiding(items.get().start(), "items", "is no list", "Write the objects as a list.");
      return;
    }
    for (int i = 0; i < sequence.items().size(); i++) {
      object(document, sequence.items().get(i), ObjectPath.item("items", i), bare);
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

  private static String shown(String text) {
    return text.length() > 64 ? text.substring(0, 64) + "..." : text;
  }

  private static String path(String path, String inner) {
    return path.isEmpty() ? inner : path + "." + inner;
  }

  /** A problem behind which a node that was known may still stand. */
  private void hiding(int offset, String path, String problem, String remedy) {
    problem(offset, path, problem, remedy, true);
  }

  private void problem(int offset, String path, String problem, String remedy, boolean hides) {
    if (problems.size() >= PROBLEMS_MAX) {
      more++;
      moreHide |= hides;
      return;
    }
    String place = where + ":" + cursor.line(Math.max(0, offset));
    problems.add(new ManifestProblem(new ResourceProblem(place, path, problem, remedy), hides));
  }
}
