package io.tidemark.manifests;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    String where, String text, List<ManifestObject> objects, List<ManifestProblem> problems) {
  ManifestFile {
    objects = List.copyOf(objects);
    problems = List.copyOf(problems);
  }

  /** Reads {@code text}, which stands in {@code where}. */
  static ManifestFile read(String where, String text) {
    return new ManifestReader(where, text).read();
  }

  /** Which object is called {@code name}; empty when none is, or more than one. */
  OptionalInt indexOf(String name) {
    Integer index = index().get(name);
    return index == null || index < 0 ? OptionalInt.empty() : OptionalInt.of(index);
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
    if (objects.isEmpty()) {
      return false;
    }
    MarkedNode root = objects.get(objects.size() - 1).document().root().resolved();
    return !(root instanceof MarkedMapping mapping && mapping.flow());
  }

  /** A place in the file, for people. */
  String where(int offset) {
    return where + ":" + new TextCursor(text).line(offset);
  }
}
