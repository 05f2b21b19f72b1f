package io.tidemark.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes the difference between two states of an object on a third one. Where the third one is as
 * the first, or already as the second, the difference fits; elsewhere somebody else changed the
 * same place, and theirs stays. Pure.
 */
final class TreeMerge {
  /** The difference cannot be made. */
  static final class Misfit extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean clash;

    Misfit(String path, boolean clash) {
      super(path, null, false, false);
      this.clash = clash;
    }

    /** Whether the third state differs from the first; else this program does not write there. */
    boolean isClash() {
      return clash;
    }

    String path() {
      return String.valueOf(getMessage());
    }
  }

  /**
   * Depth of the entries of address and interface tables, such as {@code spec.ipam.pool.10.0.0.1}:
   * an entry there says something by being there, even when its value is empty.
   */
  private static final int TABLE_DEPTH = 4;

  private final OwnedPaths owned;

  private TreeMerge(OwnedPaths owned) {
    this.owned = owned;
  }

  /**
   * Makes the difference {@code original} to {@code changed}, as far as owned, on {@code current},
   * which is not changed.
   */
  static ObjectNode merge(
      OwnedPaths owned, ObjectNode original, ObjectNode changed, ObjectNode current) throws Misfit {
    String root = owned.root();
    @Nullable JsonNode value =
        new TreeMerge(owned)
            .value(original.get(root), changed.get(root), current.get(root), List.of(root));
    ObjectNode merged = current.deepCopy();
    if (value != null) {
      merged.set(root, value);
    }
    return merged;
  }

  private @Nullable JsonNode value(
      @Nullable JsonNode before,
      @Nullable JsonNode after,
      @Nullable JsonNode now,
      List<String> path)
      throws Misfit {
    int depth = path.size();
    if (same(before, after, depth) || same(after, now, depth)) {
      return now;
    }
    boolean mappings = isMapping(before) && isMapping(after) && isMapping(now);
    boolean known = before != null && after != null && now != null && !isEmpty(now);
    if (mappings && (owned.leadTo(path) || known)) {
      ObjectNode merged = mapping(before, after, now, path);
      return merged.isEmpty() && isEmpty(now) ? now : merged;
    }
    if (!owned.own(path)) {
      throw new Misfit(ObjectPath.of(path), false);
    }
    if (!same(before, now, depth)) {
      throw new Misfit(ObjectPath.of(path), true);
    }
    return after;
  }

  /** The entries of {@code now} in their order, then new ones in that of the change. */
  private ObjectNode mapping(
      @Nullable JsonNode before,
      @Nullable JsonNode after,
      @Nullable JsonNode now,
      List<String> path)
      throws Misfit {
    Set<String> names = new LinkedHashSet<>();
    if (now != null) {
      now.fieldNames().forEachRemaining(names::add);
    }
    if (after != null) {
      after.fieldNames().forEachRemaining(names::add);
    }
    ObjectNode merged = JsonNodeFactory.instance.objectNode();
    for (String name : names) {
      List<String> inner = new ArrayList<>(path);
      inner.add(name);
      JsonNode value = value(at(before, name), at(after, name), at(now, name), inner);
      if (value != null) {
        merged.set(name, value);
      }
    }
    return merged;
  }

  private static @Nullable JsonNode at(@Nullable JsonNode node, String name) {
    return node == null ? null : node.get(name);
  }

  private static boolean isMapping(@Nullable JsonNode node) {
    return isEmpty(node) || (node != null && node.isObject());
  }

  /** Absent, null, an empty object or list. */
  private static boolean isEmpty(@Nullable JsonNode node) {
    return node == null || node.isNull() || (node.isContainerNode() && node.isEmpty());
  }

  /**
   * By the rules of the wire format (NM-J4, NM-J7): absent, null and empty are the same, the order
   * of keys and of plain items does not count.
   */
  private static boolean same(@Nullable JsonNode one, @Nullable JsonNode other, int depth) {
    if (one == null || other == null) {
      boolean absent = one == null && other == null;
      return absent || (depth != TABLE_DEPTH && isEmpty(one) && isEmpty(other));
    }
    return meaning(one, depth).equals(meaning(other, depth));
  }

  private static String meaning(JsonNode node, int depth) {
    if (isEmpty(node)) {
      return "";
    }
    if (node.isObject()) {
      Map<String, String> entries = new TreeMap<>();
      node.properties()
          .forEach(
              each -> {
                String text = meaning(each.getValue(), depth + 1);
                if (depth + 1 == TABLE_DEPTH || !text.isEmpty()) {
                  entries.put(each.getKey(), text);
                }
              });
      return entries.toString();
    }
    if (node.isNumber()) {
      return node.decimalValue().stripTrailingZeros().toString();
    }
    if (!node.isArray()) {
      return node.toString();
    }
    List<String> items = new ArrayList<>();
    boolean plain = true;
    for (JsonNode each : node) {
      items.add(meaning(each, depth + TABLE_DEPTH));
      plain &= each.isValueNode();
    }
    return (plain ? items.stream().sorted().toList() : items).toString();
  }
}
