package io.tidemark.manifests;

import java.util.Optional;

/** Places inside an object as text, such as {@code spec.ipam.pool["10.0.0.1"].resource}. */
final class ObjectPath {
  private ObjectPath() {}

  static String member(String path, String key) {
    if (!isPlain(key)) {
      return path + "[\"" + key + "\"]";
    }
    return path.isEmpty() ? key : path + "." + key;
  }

  static String item(String path, int index) {
    return path + "[" + index + "]";
  }

  static String of(Iterable<String> keys) {
    String path = "";
    for (String key : keys) {
      path = member(path, key);
    }
    return path;
  }

  /** The value at {@code path}, or the last one on the way there. */
  static MarkedNode nearest(MarkedNode root, String path) {
    MarkedNode at = root;
    int i = 0;
    while (i < path.length()) {
      int end = endOfStep(path, i);
      Optional<MarkedNode> next = child(at, path.substring(i, end));
      if (next.isEmpty()) {
        return at;
      }
      at = next.get();
      i = end;
    }
    return at;
  }

  private static int endOfStep(String path, int start) {
    if (path.startsWith("[\"", start)) {
      int close = path.indexOf("\"]", start + 2);
      return close < 0 ? path.length() : close + 2;
    }
    if (path.charAt(start) == '[') {
      int close = path.indexOf(']', start);
      return close < 0 ? path.length() : close + 1;
    }
    int end = start + 1;
    while (end < path.length() && path.charAt(end) != '.' && path.charAt(end) != '[') {
      end++;
    }
    return end;
  }

  private static Optional<MarkedNode> child(MarkedNode node, String step) {
    MarkedNode value = node.resolved();
    if (value instanceof MarkedMapping mapping) {
      String key = step.startsWith(".") ? step.substring(1) : step;
      if (key.startsWith("[\"") && key.endsWith("\"]")) {
        key = key.substring(2, key.length() - 2);
      }
      return mapping.entry(key).map(ObjectPath::placed);
    }
    if (value instanceof MarkedSequence sequence && step.matches("\\[[0-9]{1,9}]")) {
      int index = Integer.parseInt(step.substring(1, step.length() - 1));
      return index < sequence.items().size()
          ? Optional.of(sequence.items().get(index))
          : Optional.empty();
    }
    return Optional.empty();
  }

  /**
   * An entry's value where it has parts to look into, else its key, which has a line of its own.
   */
  private static MarkedNode placed(MarkedEntry entry) {
    boolean parts =
        entry.value().resolved() instanceof MarkedMapping
            || entry.value().resolved() instanceof MarkedSequence;
    return parts && !entry.value().isEmpty() ? entry.value() : entry.key();
  }

  private static boolean isPlain(String key) {
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
      boolean inner = (c >= '0' && c <= '9') || c == '-';
      if (!letter && !(inner && i > 0)) {
        return false;
      }
    }
    return !key.isEmpty();
  }
}
