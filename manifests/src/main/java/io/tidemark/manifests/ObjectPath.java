package io.tidemark.manifests;

import io.tidemark.manifests.MarkedNode.Child;
import io.tidemark.manifests.MarkedNode.Compound;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Places inside an object as text, such as {@code spec.ipam.pool["10.0.0.1"].resource}. */
final class ObjectPath {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z_0-9-]*");
  private static final Pattern STEP =
      Pattern.compile("\\[\"(?<quoted>.*?)\"]|\\[(?<item>[0-9]{1,9})]|\\.?(?<plain>[^.\\[]+)");

  private ObjectPath() {}

  static String member(String path, String key) {
    if (!PLAIN.matcher(key).matches()) {
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
    Matcher step = STEP.matcher(path);
    while (step.lookingAt()) {
      Optional<MarkedNode> next = child(at.resolved(), step);
      if (next.isEmpty()) {
        return at;
      }
      at = next.get();
      step.region(step.end(), path.length());
    }
    return at;
  }

  private static Optional<MarkedNode> child(MarkedNode node, Matcher step) {
    if (!(node instanceof Compound compound)) {
      return Optional.empty();
    }
    String item = step.group("item");
    if (compound.isMapping()) {
      String quoted = step.group("quoted");
      String key = quoted == null ? step.group("plain") : quoted;
      return key == null ? Optional.empty() : compound.child(key).map(ObjectPath::placed);
    }
    int index = item == null ? Integer.MAX_VALUE : Integer.parseInt(item);
    return index < compound.children().size()
        ? Optional.of(compound.children().get(index).value())
        : Optional.empty();
  }

  /**
   * An entry's value where it has parts to look into, else its key, which has a line of its own.
   */
  private static MarkedNode placed(Child entry) {
    boolean parts = entry.value().resolved() instanceof Compound && !entry.value().isEmpty();
    return parts || entry.key() == null ? entry.value() : entry.key();
  }
}
