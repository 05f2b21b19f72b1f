package io.tidemark.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.resource.ParsedResource;
import io.tidemark.resource.ResourceProblem;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The content of a file of manifests, without its text: objects of one kind, one or many, alone or
 * in lists, and the problems of the rest. Immutable.
 *
 * @param hash of the content; equal contents have equal hashes
 * @param unreadable why the file cannot be read as a whole; then its previous content counts
 * @param objects in the order of the file
 * @param problems of values that are no such object
 */
record ManifestFile<T>(
    String hash,
    Optional<ResourceProblem> unreadable,
    List<Entry<T>> objects,
    List<ResourceProblem> problems) {
  private static final int PROBLEMS_MAX = 50;
  private static final int SHOWN_MAX = 64;
  private static final int HASH_BYTES = 8;
  private static final String MARK = "\ufeff";

  /**
   * One object.
   *
   * @param name {@code metadata.name}
   * @param hash of its own content
   * @param document its document in the file, from 0
   * @param item the index in the list of the document; -1 for a whole document
   */
  record Entry<T>(
      String name,
      String hash,
      String file,
      int line,
      int document,
      int item,
      ParsedResource<T> parsed) {
    String place() {
      return file + ":" + line;
    }
  }

  ManifestFile {
    objects = List.copyOf(objects);
    problems = List.copyOf(problems);
  }

  /** A file that nothing is known of, or that is not there. */
  static <T> ManifestFile<T> nothing() {
    return new ManifestFile<>("", Optional.empty(), List.of(), List.of());
  }

  /** A file that cannot be read. */
  static <T> ManifestFile<T> unreadable(ResourceProblem problem) {
    return new ManifestFile<>(
        "unreadable: " + problem.problem(), Optional.of(problem), List.of(), List.of());
  }

  /** Reads the file {@code where}. */
  static <T> ManifestFile<T> read(ManifestKind<T> kind, String where, byte[] content) {
    try {
      return of(kind, where, ManifestDocument.read(where, text(content)), content);
    } catch (UnreadableManifest e) {
      return unreadable(new ResourceProblem(e.place(where), "", e.problem(), e.remedy()));
    }
  }

  /** The objects of a text that was read from {@code where}. */
  static <T> ManifestFile<T> of(
      ManifestKind<T> kind, String where, ManifestDocument.Text text, byte[] content) {
    Reader<T> reader = new Reader<>(kind, where);
    boolean silent = true;
    for (int i = 0; i < text.documents().size(); i++) {
      ManifestDocument each = text.documents().get(i);
      if (!each.root().isNull()) {
        silent = false;
        reader.object(each, each.root(), i, -1, false);
      }
    }
    if (silent) {
      String problem = text.documents().isEmpty() ? "the file is empty" : "the file has no object";
      reader.problem(1, "", problem, "Put a " + kind.kind() + " into it, or remove the file.");
    }
    return new ManifestFile<>(hash(content), Optional.empty(), reader.objects, reader.problems);
  }

  /** Sorts the values of the documents into objects and problems. */
  private static final class Reader<T> {
    private final ManifestKind<T> kind;
    private final String where;
    private final List<Entry<T>> objects = new ArrayList<>();
    private final List<ResourceProblem> problems = new ArrayList<>();

    Reader(ManifestKind<T> kind, String where) {
      this.kind = kind;
      this.where = where;
    }

    /**
     * One value.
     *
     * @param bare whether it is an item of a list that says its kind once for all
     */
    void object(ManifestDocument document, JsonNode value, int number, int item, boolean bare) {
      String path = item < 0 ? "" : "items[" + item + "]";
      int line = document.line(value, "");
      if (!(value instanceof ObjectNode node)) {
        problem(line, path, "is not an object", kind.remedy());
        return;
      }
      String own = node.path("kind").asText("");
      boolean ofKind = own.equals(kind.kind() + "List");
      JsonNode name = node.at("/metadata/name");
      if (item < 0 && (ofKind || own.equals("List"))) {
        items(document, node.path("items"), number, ofKind);
      } else if (own.isEmpty() && !bare) {
        boolean list = item < 0 && node.has("items");
        String problem = "the kind is missing" + (list ? "; the list may be cut off" : "");
        problem(line, join(path, "kind"), problem, kind.remedy());
      } else if (!own.isEmpty() && !own.equals(kind.kind())) {
        String shown = own.length() > SHOWN_MAX ? own.substring(0, SHOWN_MAX) + "..." : own;
        String problem = "the kind is " + shown + ", not " + kind.kind();
        problem(document.line(node, "kind"), join(path, "kind"), problem, kind.remedy());
      } else if (!name.isTextual() || name.asText().isEmpty()) {
        problem(
            document.line(node, "metadata"),
            join(path, "metadata.name"),
            "the name is missing or not a string",
            "Write the Kubernetes node's name there.");
      } else {
        String hash = hash(node.toString().getBytes(StandardCharsets.UTF_8));
        ParsedResource<T> parsed = parsed(document, node, path, bare);
        objects.add(new Entry<>(name.asText(), hash, where, line, number, item, parsed));
      }
    }

    private void items(ManifestDocument document, JsonNode items, int number, boolean bare) {
      if (items instanceof ArrayNode list) {
        for (int i = 0; i < list.size(); i++) {
          object(document, list.get(i), number, i, bare);
        }
      } else if (!items.isMissingNode() && !items.isNull()) {
        int line = document.line(document.root(), "");
        problem(line, "items", "is not a list", "Write the objects as a list.");
      }
    }

    private ParsedResource<T> parsed(
        ManifestDocument document, ObjectNode node, String path, boolean bare) {
      ObjectNode whole = node;
      if (bare) {
        whole = node.objectNode().put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
        whole.setAll(node);
      }
      ParsedResource<T> parsed = kind.parse().apply(whole);
      if (!(parsed instanceof ParsedResource.Invalid<T> invalid)) {
        return parsed;
      }
      return new ParsedResource.Invalid<>(
          invalid.name(),
          invalid.problems().stream()
              .map(
                  each ->
                      new ResourceProblem(
                          where + ":" + document.line(node, each.path()),
                          join(path, each.path()),
                          each.problem(),
                          each.remedy()))
              .toList());
    }

    private static String join(String path, String inner) {
      return path.isEmpty() || inner.isEmpty() ? path + inner : path + "." + inner;
    }

    void problem(int line, String path, String problem, String remedy) {
      if (problems.size() < PROBLEMS_MAX) {
        problems.add(new ResourceProblem(where + ":" + line, path, problem, remedy));
      }
    }
  }

  /** The object of a name; empty when there is none, or more than one. */
  Optional<Entry<T>> object(String name) {
    List<Entry<T>> found = objects.stream().filter(each -> each.name().equals(name)).toList();
    return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
  }

  /** The text of a file without its byte order mark. */
  static String text(byte[] content) throws UnreadableManifest {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
      return text.startsWith(MARK) ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new UnreadableManifest(0, "the file is not UTF-8 text", "Write the file in UTF-8.");
    }
  }

  /** Tells contents apart; 64 bits in hexadecimal digits. */
  static String hash(byte[] content) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
      return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
