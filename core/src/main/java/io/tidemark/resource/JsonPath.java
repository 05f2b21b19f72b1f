package io.tidemark.resource;

import io.tidemark.ip.IpFormatException;
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

  /** Such as {@code spec.ipam.pool["10.0.0.1"].owner} or {@code items[3].spec}; root is empty. */
  @Override
  public String toString() {
    return parent == null ? "" : parent + step(parent.parent == null);
  }

  private String step(boolean first) {
    if (key == null) {
      return "[" + index + ']';
    }
    return isPlain(key)
        ? (first ? "" : ".") + key
        : "[\"" + IpFormatException.printable(key, KEY_LENGTH_MAX) + "\"]";
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
