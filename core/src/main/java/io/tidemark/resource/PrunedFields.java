package io.tidemark.resource;

import io.tidemark.resource.Shape.Leaf;
import io.tidemark.resource.Shape.ListOf;
import io.tidemark.resource.Shape.MapOf;
import io.tidemark.resource.Shape.Struct;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Fields of CiliumNodes that an API server drops, because its schema is older than the fields that
 * we write. They are learned from the responses to writes and omitted from later writes; otherwise
 * the object would be written for ever (NM-S3). Immutable.
 */
public final class PrunedFields {
  /** Nothing is known to be dropped. */
  public static final PrunedFields NONE = new PrunedFields(Set.of());

  private static final String ANY = "*";

  private static final Set<String> ESSENTIAL =
      Set.of(
          "spec.ipam",
          "spec.ipam.pool",
          "status.azure",
          "status.eni",
          "status.ipam",
          "status.ipam.release-ips");

  /** Steps joined by dots; a key that is data is {@code *}. */
  private final Set<String> paths;

  private PrunedFields(Set<String> paths) {
    this.paths = Set.copyOf(paths);
  }

  /** The fields in the spec of {@code sent} that {@code stored} lacks. */
  public static PrunedFields ofSpec(NodeResource sent, NodeResource stored) {
    return between("spec", CiliumNodeShapes.SPEC, sent, stored);
  }

  /** The fields in the status of {@code sent} that {@code stored} lacks. */
  public static PrunedFields ofStatus(NodeResource sent, NodeResource stored) {
    return between("status", CiliumNodeShapes.STATUS, sent, stored);
  }

  private static PrunedFields between(
      String section, Shape shape, NodeResource sent, NodeResource stored) {
    Set<String> paths = new TreeSet<>();
    JsonValue left = section(stored, section);
    JsonValue kept = left instanceof JsonObject ? left : JsonObject.EMPTY;
    collect(section, shape, section(sent, section), kept, paths);
    return paths.isEmpty() ? NONE : new PrunedFields(paths);
  }

  private static JsonValue section(NodeResource resource, String section) {
    return resource.json().get(section);
  }

  private static void collect(
      String path, Shape shape, JsonValue sent, JsonValue stored, Set<String> paths) {
    if (sent.equals(stored) || (shape instanceof MapOf map && map.byAddress())) {
      return;
    }
    if (sent instanceof JsonObject left && stored instanceof JsonObject right) {
      for (int i = 0; i < left.size(); i++) {
        String key = left.key(i);
        Shape child = childOf(shape, key);
        if (right.has(key)) {
          collect(step(path, shape, key), child, left.value(i), right.get(key), paths);
        } else if (!(shape instanceof MapOf) && !Sameness.saysNothing(child, left.value(i))) {
          paths.add(step(path, shape, key));
        }
      }
      return;
    }
    List<JsonValue> left = sent.asArray().elements();
    List<JsonValue> right = stored.asArray().elements();
    if (left.size() == right.size()) {
      Shape elements = shape instanceof ListOf list ? list.elements() : Leaf.ANY;
      for (int i = 0; i < left.size(); i++) {
        collect(path + '.' + ANY, elements, left.get(i), right.get(i), paths);
      }
    }
  }

  private static Shape childOf(Shape shape, String key) {
    if (shape instanceof Struct struct) {
      return struct.member(key);
    }
    return shape instanceof MapOf map ? map.values() : Leaf.ANY;
  }

  private static String step(String path, Shape shape, String key) {
    return path + '.' + (shape instanceof MapOf ? ANY : key);
  }

  /** These and those. */
  public PrunedFields and(PrunedFields other) {
    if (other.paths.isEmpty() || paths.containsAll(other.paths)) {
      return this;
    }
    Set<String> both = new TreeSet<>(paths);
    both.addAll(other.paths);
    return new PrunedFields(both);
  }

  /** Whether nothing is dropped. */
  public boolean isEmpty() {
    return paths.isEmpty();
  }

  /** The fields for people, such as {@code status.eni.enis.*.public-ip}. */
  public Set<String> paths() {
    return new TreeSet<>(paths);
  }

  /** Those without which no agent gets addresses. */
  public Set<String> essential() {
    Set<String> essential = paths();
    essential.retainAll(ESSENTIAL);
    return essential;
  }

  /** The object without these fields. */
  public NodeResource takenFrom(NodeResource resource) {
    if (paths.isEmpty()) {
      return resource;
    }
    JsonObject json = resource.json();
    JsonObject left = json;
    for (String section : List.of("spec", "status")) {
      Shape shape = section.equals("spec") ? CiliumNodeShapes.SPEC : CiliumNodeShapes.STATUS;
      JsonValue before = json.get(section);
      JsonValue after = without(section, shape, before);
      if (after != before) {
        left = left.with(section, after);
      }
    }
    return left.is(json) ? resource : new NodeResource(left);
  }

  private JsonValue without(String path, Shape shape, JsonValue value) {
    if (paths.stream().noneMatch(it -> it.startsWith(path + '.'))) {
      return value;
    }
    if (value instanceof JsonObject object) {
      JsonObject left = object;
      for (int i = 0; i < object.size(); i++) {
        String key = object.key(i);
        String at = step(path, shape, key);
        if (paths.contains(at)) {
          left = left.without(key);
        } else {
          JsonValue after = without(at, childOf(shape, key), object.value(i));
          left = after == object.value(i) ? left : left.with(key, after);
        }
      }
      return left;
    }
    List<JsonValue> before = value.asArray().elements();
    Shape elements = shape instanceof ListOf list ? list.elements() : Leaf.ANY;
    List<JsonValue> left = new ArrayList<>();
    before.forEach(each -> left.add(without(path + '.' + ANY, elements, each)));
    return left.equals(before) ? value : new JsonArray(left);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PrunedFields that && paths.equals(that.paths);
  }

  @Override
  public int hashCode() {
    return Objects.hash(paths);
  }

  @Override
  public String toString() {
    return paths().toString();
  }
}
