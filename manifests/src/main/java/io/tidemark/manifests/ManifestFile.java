package io.tidemark.manifests;

import io.tidemark.manifests.MarkedNode.Compound;
import io.tidemark.resource.ResourceProblem;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a file of manifests holds: objects of one kind, one or many, alone or in lists, and what is
 * wrong with the rest. Reading never fails.
 *
 * @param cursor over the file's text, without its byte order mark
 * @param objects in the order in which they stand there
 * @param problems what cannot be read; documents beside it are not harmed
 */
record ManifestFile(
    ManifestKind<?> kind,
    String where,
    TextCursor cursor,
    List<ManifestObject> objects,
    List<Problem> problems) {
  /**
   * What cannot be read in a file.
   *
   * @param hides whether an object that stood in the file before may still stand behind it, so that
   *     its absence does not mean that it is gone
   */
  record Problem(ResourceProblem problem, boolean hides) {}

  ManifestFile {
    objects = List.copyOf(objects);
    problems = List.copyOf(problems);
  }

  /** Reads {@code text}, which stands in {@code where}. */
  static ManifestFile read(ManifestKind<?> kind, String where, String text) {
    return new ManifestReader(kind, where, text).read();
  }

  String text() {
    return cursor.text();
  }

  /** Places of the objects by name; -1 for a name that stands more than once. */
  Map<String, Integer> index() {
    Map<String, Integer> index = new HashMap<>();
    for (int i = 0; i < objects.size(); i++) {
      index.merge(objects.get(i).name(), i, (one, other) -> -1);
    }
    return index;
  }

  /** Whether the last object could have been longer: no brace closes it. */
  boolean mayEndEarly() {
    return !objects.isEmpty()
        && !(objects.get(objects.size() - 1).document().root().resolved() instanceof Compound root
            && root.isMapping()
            && root.flow());
  }

  /** A place in the file, for people. */
  String where(int offset) {
    return where + ":" + cursor.line(Math.max(0, offset));
  }
}
