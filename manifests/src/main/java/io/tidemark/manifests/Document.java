package io.tidemark.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.IdentityHashMap;

/**
 * One document of a file.
 *
 * @param number its place in the file, from 0
 * @param root its value
 * @param lines lines at which the values inside begin, by identity; of values that share an
 *     instance, such as null and true, any
 */
record Document(int number, JsonNode root, IdentityHashMap<JsonNode, Integer> lines) {
  private static final int DEPTH_MAX = 100;
  static final String REMEDY =
      "Correct the text; if another program is still writing the file, it is read again"
          + " automatically.";

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
    for (String key : ObjectPath.keys(path)) {
      at =
          at.isArray() && key.matches("[0-9]{1,9}") ? at.path(Integer.parseInt(key)) : at.path(key);
      boolean shared = at.isNull() || at.isBoolean() || (at.isTextual() && at.asText().isEmpty());
      line = shared ? line : lines.getOrDefault(at, line);
    }
    return line;
  }
}
