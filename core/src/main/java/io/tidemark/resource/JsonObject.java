package io.tidemark.resource;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An object: pairs of key and value in the order in which they were written; no key twice. */
final class JsonObject implements JsonValue {
  static final JsonObject EMPTY = new JsonObject(new String[0], new JsonValue[0]);

  private final String[] keys;
  private final JsonValue[] values;

  private JsonObject(String[] keys, JsonValue[] values) {
    this.keys = keys;
    this.values = values;
  }

  static JsonObject of(String key, JsonValue value) {
    return new JsonObject(new String[] {key}, new JsonValue[] {value});
  }

  static Builder builder() {
    return new Builder();
  }

  int size() {
    return keys.length;
  }

  boolean isEmpty() {
    return keys.length == 0;
  }

  String key(int index) {
    return keys[index];
  }

  JsonValue value(int index) {
    return values[index];
  }

  /** The value of {@code key}, null's when it is absent. Takes time linear in size. */
  JsonValue get(String key) {
    int index = indexOf(key);
    return index < 0 ? JsonNull.NULL : values[index];
  }

  /** Whether {@code other} is this very object, so that nothing was changed since. */
  @SuppressWarnings("ReferenceEquality")
  boolean is(JsonObject other) {
    return this == other;
  }

  boolean has(String key) {
    return indexOf(key) >= 0;
  }

  /** This object with {@code key} set: in its place, else before the next key when keys ascend. */
  JsonObject with(String key, JsonValue value) {
    int index = indexOf(key);
    if (index < 0) {
      return inserted(placeOf(key), key, value);
    }
    return withValue(index, value);
  }

  /** This object with another value at {@code index}. */
  JsonObject withValue(int index, JsonValue value) {
    if (values[index] == value) {
      return this;
    }
    JsonValue[] changed = values.clone();
    changed[index] = value;
    return new JsonObject(keys, changed);
  }

  JsonObject without(String key) {
    int index = indexOf(key);
    if (index < 0) {
      return this;
    }
    String[] lessKeys = Arrays.copyOf(keys, keys.length - 1);
    JsonValue[] lessValues = Arrays.copyOf(values, keys.length - 1);
    System.arraycopy(keys, index + 1, lessKeys, index, lessKeys.length - index);
    System.arraycopy(values, index + 1, lessValues, index, lessValues.length - index);
    return new JsonObject(lessKeys, lessValues);
  }

  @Override
  public JsonObject asObject() {
    return this;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof JsonObject that
            && Arrays.equals(keys, that.keys)
            && Arrays.equals(values, that.values));
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(keys) + Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return "JsonObject" + Arrays.toString(keys);
  }

  int indexOf(String key) {
    for (int i = 0; i < keys.length; i++) {
      if (keys[i].equals(key)) {
        return i;
      }
    }
    return -1;
  }

  private int placeOf(String key) {
    int place = keys.length;
    for (int i = keys.length - 1; i >= 0; i--) {
      if (i > 0 && keys[i - 1].compareTo(keys[i]) > 0) {
        return keys.length;
      }
      if (keys[i].compareTo(key) > 0) {
        place = i;
      }
    }
    return place;
  }

  private JsonObject inserted(int at, String key, JsonValue value) {
    String[] moreKeys = new String[keys.length + 1];
    JsonValue[] moreValues = new JsonValue[keys.length + 1];
    System.arraycopy(keys, 0, moreKeys, 0, at);
    System.arraycopy(values, 0, moreValues, 0, at);
    moreKeys[at] = key;
    moreValues[at] = value;
    System.arraycopy(keys, at, moreKeys, at + 1, keys.length - at);
    System.arraycopy(values, at, moreValues, at + 1, keys.length - at);
    return new JsonObject(moreKeys, moreValues);
  }

  /** Collects pairs in order; used once. */
  static final class Builder {
    private static final int SCANNED_MAX = 16;

    private String[] keys = new String[2];
    private JsonValue[] values = new JsonValue[2];
    private int size;
    private @Nullable Set<String> seen;

    private Builder() {}

    /** Adds a pair; false, and nothing is added, when the key is there already. */
    boolean add(String key, JsonValue value) {
      if (!isNew(key)) {
        return false;
      }
      if (size == keys.length) {
        keys = Arrays.copyOf(keys, 2 * size);
        values = Arrays.copyOf(values, 2 * size);
      }
      keys[size] = key;
      values[size++] = value;
      return true;
    }

    JsonObject build() {
      if (size == 0) {
        return EMPTY;
      }
      return size == keys.length
          ? new JsonObject(keys, values)
          : new JsonObject(Arrays.copyOf(keys, size), Arrays.copyOf(values, size));
    }

    private boolean isNew(String key) {
      if (size >= SCANNED_MAX) {
        return index().add(key);
      }
      for (int i = 0; i < size; i++) {
        if (keys[i].equals(key)) {
          return false;
        }
      }
      return true;
    }

    private Set<String> index() {
      Set<String> index = seen;
      if (index == null) {
        index = new HashSet<>(Arrays.asList(keys).subList(0, size));
        seen = index;
      }
      return index;
    }
  }
}
