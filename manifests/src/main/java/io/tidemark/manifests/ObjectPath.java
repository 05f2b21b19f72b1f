package io.tidemark.manifests;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Places inside an object as text, such as {@code spec.ipam.pool["10.0.0.1"].resource}. */
final class ObjectPath {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z_0-9-]*");
  private static final Pattern STEP =
      Pattern.compile("\\[\"(?<quoted>.*?)\"]|\\[(?<item>[0-9]{1,9})]|\\.?(?<plain>[^.\\[]+)");

  private ObjectPath() {}

  static String of(List<String> keys) {
    StringBuilder path = new StringBuilder();
    for (String key : keys) {
      if (!PLAIN.matcher(key).matches()) {
        path.append("[\"").append(key).append("\"]");
      } else {
        path.append(path.isEmpty() ? "" : ".").append(key);
      }
    }
    return path.toString();
  }

  /** The keys and indexes of a path. */
  static List<String> keys(String path) {
    List<String> keys = new ArrayList<>();
    Matcher step = STEP.matcher(path);
    while (step.lookingAt()) {
      String quoted = step.group("quoted");
      String item = step.group("item");
      keys.add(quoted != null ? quoted : item != null ? item : step.group("plain"));
      step.region(step.end(), path.length());
    }
    return keys;
  }
}
