package io.tidemark.resource;

import io.tidemark.ip.IpFormatException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place inside a document, from the root down.
 *
 * @param parent where this step starts; null for the root alone
 * @param key the member, or null for an element
 * @param index the element
 */
record JsonPath(@Nullable JsonPath parent, @Nullable String key, int index) {
  static final JsonPath ROOT = new JsonPath(null, null, -1);

  private static final int KEY_LENGTH_MAX = 64;

  JsonPath member(String name) {
    return new JsonPath(this, name, -1);
  }

  JsonPath element(int at) {
    return new JsonPath(this, null, at);
  }

  /** The steps below the root, first one first; the root is not among them. */
  List<JsonPath> steps() {
    Deque<JsonPath> steps = new ArrayDeque<>();
    for (JsonPath at = this; at.parent != null; at = at.parent) {
      steps.addFirst(at);
    }
    return new ArrayList<>(steps);
  }

  /** Such as {@code spec.ipam.pool["10.0.0.1"].owner} or {@code items[3].spec}; root is empty. */
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder();
    for (JsonPath step : steps()) {
      String name = step.key;
      if (name == null) {
        out.append('[').append(step.index).append(']');
      } else if (isPlain(name)) {
        out.append(out.length() == 0 ? "" : ".").append(name);
      } else {
        out.append("[\"").append(IpFormatException.printable(name, KEY_LENGTH_MAX)).append("\"]");
      }
    }
    return out.toString();
  }

  private static boolean isPlain(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
      boolean inner = (c >= '0' && c <= '9') || c == '-';
      if (!letter && !(inner && i > 0)) {
        return false;
      }
    }
    return !name.isEmpty() && name.length() <= KEY_LENGTH_MAX;
  }
}
