package io.tidemark.emulator.arm.document;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One JSON object, in the order of its members. Members are texts, numbers, flags, other documents,
 * lists of these, and null. Immutable; equal by content.
 */
public final class Document {
  /** Without members. */
  public static final Document EMPTY = new Document(Map.of());

  private final Map<String, @Nullable Object> members;

  private Document(Map<String, @Nullable Object> members) {
    this.members = Collections.unmodifiableMap(members);
  }

  /** With these members; the map is copied. */
  public static Document of(Map<String, @Nullable Object> members) {
    return members.isEmpty() ? EMPTY : new Document(new LinkedHashMap<>(members));
  }

  /** With one member. */
  public static Document of(String key, Object value) {
    return EMPTY.with(key, value);
  }

  /** With the member {@code id}, as ARM refers to other resources. */
  public static Document reference(String id) {
    return of("id", id);
  }

  /** Whether the member is there; it may be null. */
  public boolean has(String key) {
    return members.containsKey(key);
  }

  /** The value; null when absent. */
  public @Nullable Object get(String key) {
    return members.get(key);
  }

  /** The text; empty when it is absent or something else. */
  public Optional<String> text(String key) {
    return members.get(key) instanceof String text ? Optional.of(text) : Optional.empty();
  }

  /** The flag; empty when it is absent or something else. */
  public Optional<Boolean> flag(String key) {
    return members.get(key) instanceof Boolean flag ? Optional.of(flag) : Optional.empty();
  }

  /** The number; empty when it is absent or something else. */
  public Optional<Integer> number(String key) {
    return members.get(key) instanceof Number number
        ? Optional.of(number.intValue())
        : Optional.empty();
  }

  /** The object; {@link #EMPTY} when it is absent or something else. */
  public Document object(String key) {
    return members.get(key) instanceof Document object ? object : EMPTY;
  }

  /** The objects of a list; other elements are left out. */
  public List<Document> objects(String key) {
    List<Document> objects = new ArrayList<>();
    if (members.get(key) instanceof List<?> list) {
      list.forEach(
          each -> {
            if (each instanceof Document object) {
              objects.add(object);
            }
          });
    }
    return objects;
  }

  /** The same with this member, in its place or at the end. */
  public Document with(String key, @Nullable Object value) {
    Map<String, @Nullable Object> more = new LinkedHashMap<>(members);
    more.put(key, value);
    return new Document(more);
  }

  /** The same with this member of its {@code properties}. */
  public Document withProperty(String key, Object value) {
    return with("properties", object("properties").with(key, value));
  }

  /** The same with each object of a list of its {@code properties} changed, if it has that list. */
  public Document withEach(String key, UnaryOperator<Document> change) {
    Document properties = object("properties");
    return properties.has(key)
        ? withProperty(key, properties.objects(key).stream().map(change).toList())
        : this;
  }

  /** The same without these members. */
  public Document without(String... keys) {
    Map<String, @Nullable Object> fewer = new LinkedHashMap<>(members);
    for (String key : keys) {
      fewer.remove(key);
    }
    return fewer.isEmpty() ? EMPTY : new Document(fewer);
  }

  /** The same with the members of {@code other} in addition, which take precedence. */
  public Document and(Document other) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>(members);
    all.putAll(other.members);
    return new Document(all);
  }

  /** Shows each member in order. */
  public void forEach(BiConsumer<String, @Nullable Object> each) {
    members.forEach(each);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Document that && members.equals(that.members);
  }

  @Override
  public int hashCode() {
    return members.hashCode();
  }

  @Override
  public String toString() {
    return members.toString();
  }
}
