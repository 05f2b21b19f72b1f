package io.tidemark.manifests;

import io.tidemark.manifests.ManifestFile.Problem;
import io.tidemark.manifests.MarkedNode.Alias;
import io.tidemark.manifests.MarkedNode.Compound;
import io.tidemark.manifests.MarkedNode.Document;
import io.tidemark.manifests.MarkedNode.Kind;
import io.tidemark.manifests.MarkedNode.Scalar;
import io.tidemark.resource.ResourceProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads the text of one file: document by document, object by object. A line that starts with three
 * dashes begins a document wherever it stands, quoted and block scalars included, so that a broken
 * document ends at the next one.
 */
final class ManifestReader {
  private static final int PROBLEMS_MAX = 50;
  private static final int SHOWN_MAX = 64;

  /** Headings of columns, such as {@code NAME STATUS ROLES}. */
  private static final Pattern TABLE = Pattern.compile("\\s*NAME +[A-Z][-A-Z ]*(\\R|$)");

  private final ManifestKind<?> kind;
  private final String where;
  private final String text;
  private final TextCursor cursor;
  private final List<ManifestObject> objects = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();
  private int more;
  private boolean moreHide;
  private boolean silent = true;

  ManifestReader(ManifestKind<?> kind, String where, String text) {
    this.kind = kind;
    this.where = where;
    this.text = text;
    this.cursor = new TextCursor(text);
  }

  ManifestFile read() {
    if (TABLE.matcher(text).lookingAt()) {
      silent = false;
      String problem = "the text is a table as kubectl prints it, and has no objects";
      hiding(0, "", problem, "Print the objects with kubectl get -o yaml or -o json.");
    } else if (!text.isBlank()) {
      documents();
    }
    if (silent) {
      String problem =
          text.isBlank() ? "the file is empty" : "the file holds comments and no object";
      hiding(0, "", problem, "Put a " + kind.kind() + " into it, or remove the file.");
    }
    if (more > 0) {
      String problem = "there are " + more + " more problems in this file";
      problems.add(
          new Problem(
              new ResourceProblem(where, "", problem, "Mend those above first."), moreHide));
    }
    return new ManifestFile(kind, where, cursor, objects, problems);
  }

  private void documents() {
    int start = 0;
    boolean comments = true;
    for (int line = 0; line < text.length(); line = cursor.nextLine(line)) {
      boolean marker =
          text.startsWith("---", line)
              && (line + 3 == text.length() || Character.isWhitespace(text.charAt(line + 3)));
      if (marker && !comments) {
        document(start, line);
        start = line;
      }
      comments = !marker && comments && isComment(line);
    }
    document(start, text.length());
  }

  /** A comment, a directive or nothing: what may stand before a document's marker. */
  private boolean isComment(int line) {
    int first = line;
    int end = cursor.lineEnd(line);
    while (first < end && Character.isWhitespace(text.charAt(first))) {
      first++;
    }
    return first == end || text.charAt(first) == '#' || text.charAt(line) == '%';
  }

  private void document(int start, int end) {
    try {
      for (Document document : parse(start, end)) {
        MarkedNode root = document.root();
        if (root instanceof Compound || !root.isEmpty()) {
          silent = false;
          object(document, root, "", false);
        }
      }
    } catch (TextFault e) {
      hiding(e.offset(), "", e.problem(), e.remedy());
      silent = false;
    }
  }

  private List<Document> parse(int start, int end) throws TextFault {
    int first = start;
    while (first < end && Character.isWhitespace(text.charAt(first))) {
      first++;
    }
    boolean json = where.endsWith(".json");
    if (json || (first < end && text.charAt(first) == '{')) {
      try {
        return MarkedJson.parse(cursor, start, end);
      } catch (TextFault e) {
        if (json) {
          throw e;
        }
      }
    }
    return MarkedYaml.parse(cursor, start, end);
  }

  private void object(Document document, MarkedNode node, String path, boolean bare) {
    if (!(node.resolved() instanceof Compound object) || !object.isMapping()) {
      hiding(node.start(), path, "is no object", kind.remedy());
      return;
    }
    String own = string(object, "kind");
    boolean ofKind = own.equals(kind.kind() + "List");
    if (path.isEmpty() && (ofKind || own.equals("List"))) {
      object.value("items").ifPresent(items -> items(document, items, ofKind));
    } else if (own.isEmpty() && !bare) {
      boolean list = path.isEmpty() && object.value("items").isPresent();
      String problem = "the kind is missing" + (list ? "; the list may be cut off" : "");
      hiding(node.start(), path(path, "kind"), problem, kind.remedy());
    } else if (!own.isEmpty() && !own.equals(kind.kind())) {
      String shown = own.length() > SHOWN_MAX ? own.substring(0, SHOWN_MAX) + "..." : own;
      String problem = "the kind is " + shown + ", not " + kind.kind();
      int place = ObjectPath.nearest(object, "kind").start();
      problem(place, path(path, "kind"), problem, kind.remedy(), false);
    } else {
      named(document, node, object, path, bare);
    }
  }

  private void named(
      Document document, MarkedNode node, Compound object, String path, boolean bare) {
    String name = object.value("metadata").map(each -> string(each, "name")).orElse("");
    if (name.isEmpty()) {
      int place = ObjectPath.nearest(object, "metadata.name").start();
      String problem = "the name is missing or no text";
      String remedy = "Write the Kubernetes node's name there.";
      hiding(place, path(path, "metadata.name"), problem, remedy);
    } else if (node instanceof Alias) {
      String problem = "the object is an alias, so it could not be changed alone";
      hiding(node.start(), path, problem, "Write the object out in place of the alias.");
    } else {
      String characters = text.substring(node.start(), node.end());
      objects.add(new ManifestObject(name, document, object, characters, path, bare));
    }
  }

  private void items(Document document, MarkedNode items, boolean bare) {
    if (items instanceof Compound list && !list.isMapping()) {
      for (int i = 0; i < list.children().size(); i++) {
        object(document, list.children().get(i).value(), ObjectPath.item("items", i), bare);
      }
    } else if (!items.isEmpty()) {
      hiding(items.start(), "items", "is no list", "Write the objects as a list.");
    }
  }

  private static String string(MarkedNode node, String key) {
    Optional<MarkedNode> value =
        node instanceof Compound mapping ? mapping.value(key) : Optional.empty();
    return value.isPresent() && value.get() instanceof Scalar scalar && scalar.kind() == Kind.STRING
        ? scalar.text()
        : "";
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
    problems.add(new Problem(new ResourceProblem(place, path, problem, remedy), hides));
  }
}
