package io.tidemark.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.file.FileStamp;
import io.tidemark.manifests.ManifestDocument.Unreadable;
import io.tidemark.resource.ResourceProblem;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A file of manifests as it was found, without its text: objects of one kind, one or many, alone or
 * in lists, and the problems of the rest. Immutable.
 *
 * @param hash of the content; equal contents have equal hashes
 * @param readable as a whole; if not, the objects of its previous content count
 * @param problems of values that are no such object, or of the whole file
 */
record ManifestFile<T>(
    FileStamp stamp,
    String hash,
    boolean readable,
    List<Entry<T>> objects,
    List<ResourceProblem> problems) {
  /** Attributes that no file on a disk has. */
  static final FileStamp UNKNOWN = new FileStamp(true, "", 0, 0);

  private static final FileStamp NONE = new FileStamp(false, "", 0, 0);
  private static final int PROBLEMS_MAX = 50;
  private static final int SHOWN_MAX = 64;

  /**
   * One object.
   *
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
    return new ManifestFile<>(NONE, "", true, List.of(), List.of());
  }

  boolean isAbsent() {
    return stamp.equals(NONE);
  }

  /** Whether another look saw this. */
  boolean isSameAs(ManifestFile<T> other) {
    return stamp.equals(other.stamp) && hash.equals(other.hash);
  }

  /** A file that cannot be read. */
  static <T> ManifestFile<T> unreadable(FileStamp stamp, ResourceProblem problem) {
    String hash = "unreadable: " + problem.problem();
    return new ManifestFile<>(stamp, hash, false, List.of(), List.of(problem));
  }

  /** This file, or with these objects where it cannot be read. */
  ManifestFile<T> orWith(List<Entry<T>> previous) {
    return readable ? this : new ManifestFile<>(stamp, hash, false, previous, problems);
  }

  /** Reads the file {@code where}. */
  static <T> ManifestFile<T> read(
      ManifestKind<T> kind, String where, FileStamp stamp, byte[] content) {
    List<Entry<T>> objects = new ArrayList<>();
    List<ResourceProblem> problems = new ArrayList<>();
    try {
      List<ManifestDocument> documents = ManifestDocument.read(where, content);
      List<ManifestDocument> full = documents.stream().filter(it -> !it.root().isNull()).toList();
      for (ManifestDocument each : full) {
        new Reader<>(kind, Path.of(where), each, objects, problems).read(each.root(), "", false);
      }
      if (full.isEmpty()) {
        String problem = documents.isEmpty() ? "the file is empty" : "the file has no object";
        String remedy = "Put a " + kind.kind() + " into it, or remove the file.";
        problems.add(new ResourceProblem(where + ":1", "", problem, remedy));
      }
      return new ManifestFile<>(stamp, hash(content), true, objects, problems);
    } catch (Unreadable e) {
      return unreadable(stamp, e.problem);
    }
  }

  /** Sorts the values of a document into objects and problems. */
  private record Reader<T>(
      ManifestKind<T> kind,
      Path file,
      ManifestDocument document,
      List<Entry<T>> objects,
      List<ResourceProblem> problems) {
    /** Takes the value at a path; {@code bare} in a list that says its kind once for all. */
    void read(JsonNode value, String path, boolean bare) {
      String own = value.path("kind").asText("");
      boolean typed = own.equals(kind.kind() + "List");
      JsonNode name = value.at("/metadata/name");
      if (!(value instanceof ObjectNode node)) {
        problem(path, "", "is not an object", kind.remedy());
      } else if (path.isEmpty() && (typed || own.equals("List"))) {
        items(node.path("items"), typed);
      } else if (own.isEmpty() && !bare) {
        String cut = path.isEmpty() && node.has("items") ? "; the list may be cut off" : "";
        problem(path, "kind", "the kind is missing" + cut, kind.remedy());
      } else if (!own.isEmpty() && !own.equals(kind.kind())) {
        String shown = own.length() > SHOWN_MAX ? own.substring(0, SHOWN_MAX) + "..." : own;
        problem(path, "kind", "the kind is " + shown + ", not " + kind.kind(), kind.remedy());
      } else if (!name.isTextual() || name.asText().isEmpty()) {
        String remedy = "Write the Kubernetes node's name there.";
        problem(path, "metadata.name", "the name is missing or not a string", remedy);
      } else {
        objects.add(entry(name.asText(), node, path, bare));
      }
    }

    private void items(JsonNode items, boolean bare) {
      for (int i = 0; items.isArray() && i < items.size(); i++) {
        read(items.get(i), "items[" + i + "]", bare);
      }
      if (!items.isArray() && !items.isMissingNode() && !items.isNull()) {
        problem("", "items", "is not a list", "Write the objects as a list.");
      }
    }

    private Entry<T> entry(String name, ObjectNode node, String path, boolean bare) {
      ObjectNode whole = node;
      if (bare) {
        whole = node.objectNode().put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
        whole.setAll(node);
      }
      String place = document.place().apply(path);
      Entry<T> none = new Entry<>(name, file, place, hash(node), null, List.of());
      return kind.parse()
          .apply(whole)
          .match(
              object -> none.as(none.hash(), object, List.of()),
              invalid ->
                  none.as(
                      none.hash(),
                      null,
                      invalid.problems().stream()
                          .map(it -> located(path, it.path(), it.problem(), it.remedy()))
                          .toList()));
    }

    private ResourceProblem located(String path, String inner, String problem, String remedy) {
      String whole = path + (path.isEmpty() || inner.isEmpty() ? "" : ".") + inner;
      return new ResourceProblem(document.place().apply(whole), whole, problem, remedy);
    }

    private void problem(String path, String inner, String problem, String remedy) {
      if (problems.size() < PROBLEMS_MAX) {
        problems.add(located(path, inner, problem, remedy));
      }
    }
  }

  static String hash(ObjectNode object) {
    return hash(object.toString().getBytes(StandardCharsets.UTF_8));
  }

  static String hash(byte[] content) {
    return UUID.nameUUIDFromBytes(content).toString();
  }
}
