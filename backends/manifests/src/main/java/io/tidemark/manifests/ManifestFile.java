package io.tidemark.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.file.FileStamp;
import io.tidemark.resource.ParsedResource;
import io.tidemark.resource.ResourceProblem;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A file of manifests as it was found, without its text: objects of one kind, one or many, alone or
 * in lists, and the problems of the rest. Immutable.
 *
 * @param stamp its attributes
 * @param hash of the content; equal contents have equal hashes
 * @param unreadable why the file cannot be read as a whole; then its previous content counts
 * @param objects in the order of the file
 * @param problems of values that are no such object
 */
record ManifestFile<T>(
    FileStamp stamp,
    String hash,
    Optional<ResourceProblem> unreadable,
    List<Entry<T>> objects,
    List<ResourceProblem> problems) {
  private static final int PROBLEMS_MAX = 50;
  private static final int SHOWN_MAX = 64;
  private static final int HASH_BYTES = 8;
  private static final String MARK = "\ufeff";
  private static final FileStamp NONE = new FileStamp(false, "", 0, 0);

  /**
   * One object.
   *
   * @param name {@code metadata.name}
   * @param place the file, with the line where it is known
   * @param hash of its own content
   * @param object null when it was never valid
   * @param problems why it is refused; empty when it is not
   */
  record Entry<T>(
      String name,
      Path file,
      String place,
      String hash,
      @Nullable T object,
      List<ResourceProblem> problems) {
    /** The same place with another content. */
    Entry<T> as(String otherHash, @Nullable T other, List<ResourceProblem> otherProblems) {
      return new Entry<>(name, file, place, otherHash, other, otherProblems);
    }

    Optional<T> found() {
      return Optional.ofNullable(object);
    }
  }

  /** A file that nothing is known of, or that is not there. */
  static <T> ManifestFile<T> nothing() {
    return new ManifestFile<>(NONE, "", Optional.empty(), List.of(), List.of());
  }

  boolean isAbsent() {
    return stamp.equals(NONE);
  }

  /** A file that cannot be read. */
  static <T> ManifestFile<T> unreadable(FileStamp stamp, ResourceProblem problem) {
    String hash = "unreadable: " + problem.problem();
    return new ManifestFile<>(stamp, hash, Optional.of(problem), List.of(), List.of());
  }

  /** Reads the file {@code where}. */
  static <T> ManifestFile<T> read(
      ManifestKind<T> kind, String where, FileStamp stamp, byte[] content) {
    try {
      Reader<T> reader = new Reader<>(kind, where);
      reader.read(ManifestDocument.read(where, text(content)));
      return new ManifestFile<>(
          stamp, hash(content), Optional.empty(), reader.objects, reader.problems);
    } catch (UnreadableManifest e) {
      return unreadable(stamp, e.in(where));
    }
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

    void read(ManifestDocument.Text text) {
      for (ManifestDocument each : text.documents()) {
        if (!each.root().isNull()) {
          object(each, each.root(), "", false);
        }
      }
      if (text.documents().stream().allMatch(each -> each.root().isNull())) {
        String problem =
            text.documents().isEmpty() ? "the file is empty" : "the file has no object";
        String remedy = "Put a " + kind.kind() + " into it, or remove the file.";
        problems.add(new ResourceProblem(where + ":1", "", problem, remedy));
      }
    }

    /**
     * Takes a value as an object.
     *
     * @param path of the value in its document
     * @param bare in a list that says its kind once for all
     */
    private void object(ManifestDocument document, JsonNode value, String path, boolean bare) {
      if (!(value instanceof ObjectNode node)) {
        problem(document, path, "is not an object", kind.remedy());
        return;
      }
      String own = node.path("kind").asText("");
      boolean ofKind = own.equals(kind.kind() + "List");
      JsonNode name = node.at("/metadata/name");
      if (path.isEmpty() && (ofKind || own.equals("List"))) {
        items(document, node.path("items"), ofKind);
      } else if (own.isEmpty() && !bare) {
        boolean list = path.isEmpty() && node.has("items");
        String problem = "the kind is missing" + (list ? "; the list may be cut off" : "");
        problem(document, join(path, "kind"), problem, kind.remedy());
      } else if (!own.isEmpty() && !own.equals(kind.kind())) {
        String shown = own.length() > SHOWN_MAX ? own.substring(0, SHOWN_MAX) + "..." : own;
        String problem = "the kind is " + shown + ", not " + kind.kind();
        problem(document, join(path, "kind"), problem, kind.remedy());
      } else if (!name.isTextual() || name.asText().isEmpty()) {
        problem(
            document,
            join(path, "metadata.name"),
            "the name is missing or not a string",
            "Write the Kubernetes node's name there.");
      } else {
        List<ResourceProblem> wrong = new ArrayList<>();
        @Nullable T object = parsed(document, node, path, bare, wrong);
        String place = document.place(where, path);
        objects.add(new Entry<>(name.asText(), Path.of(where), place, hash(node), object, wrong));
      }
    }

    private void items(ManifestDocument document, JsonNode items, boolean bare) {
      if (items instanceof ArrayNode list) {
        for (int i = 0; i < list.size(); i++) {
          object(document, list.get(i), "items[" + i + "]", bare);
        }
      } else if (!items.isMissingNode() && !items.isNull()) {
        problem(document, "items", "is not a list", "Write the objects as a list.");
      }
    }

    private @Nullable T parsed(
        ManifestDocument document,
        ObjectNode node,
        String path,
        boolean bare,
        List<ResourceProblem> wrong) {
      ObjectNode whole = node;
      if (bare) {
        whole = node.objectNode().put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
        whole.setAll(node);
      }
      ParsedResource<T> parsed = kind.parse().apply(whole);
      if (parsed instanceof ParsedResource.Valid<T> valid) {
        return valid.resource();
      }
      for (ResourceProblem each : ((ParsedResource.Invalid<T>) parsed).problems()) {
        wrong.add(located(document, join(path, each.path()), each.problem(), each.remedy()));
      }
      return null;
    }

    private static String join(String path, String inner) {
      return path.isEmpty() || inner.isEmpty() ? path + inner : path + "." + inner;
    }

    private ResourceProblem located(
        ManifestDocument document, String path, String problem, String remedy) {
      return new ResourceProblem(document.place(where, path), path, problem, remedy);
    }

    private void problem(ManifestDocument document, String path, String problem, String remedy) {
      if (problems.size() < PROBLEMS_MAX) {
        problems.add(located(document, path, problem, remedy));
      }
    }
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

  /** Tells objects apart. */
  static String hash(ObjectNode object) {
    return hash(object.toString().getBytes(StandardCharsets.UTF_8));
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
