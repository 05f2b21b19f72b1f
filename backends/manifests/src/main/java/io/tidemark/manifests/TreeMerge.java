package io.tidemark.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * This program's part of an object, and how a change of that part is made on the object in a file.
 * Paths are keys with a dot behind each. Pure.
 *
 * @param owned beginnings of the paths that this program writes
 * @param foreign beginnings of paths inside them that others write
 */
record TreeMerge(List<String> owned, List<String> foreign) {
  /** The change touches a field that this program does not write; the message is its path. */
  static final class NotOwned extends Exception {
    private static final long serialVersionUID = 1L;

    NotOwned(String path) {
      super(path, null, false, false);
    }
  }

  /**
   * Makes the difference {@code before} to {@code after} on {@code now}, which is not changed;
   * fields that neither has stay, and so does their order.
   */
  ObjectNode merge(ObjectNode before, ObjectNode after, ObjectNode now) throws NotOwned {
    return mapping(before, after, now, "");
  }

  /** The entries of {@code now} in their order, then new ones in that of the change. */
  private ObjectNode mapping(
      @Nullable JsonNode before, @Nullable JsonNode after, @Nullable JsonNode now, String path)
      throws NotOwned {
    Set<String> names = new LinkedHashSet<>();
    if (now != null) {
      now.fieldNames().forEachRemaining(names::add);
    }
    if (after != null) {
      after.fieldNames().forEachRemaining(names::add);
    }
    ObjectNode merged = JsonNodeFactory.instance.objectNode();
    for (String name : names) {
      JsonNode value = value(at(before, name), at(after, name), at(now, name), path + name + ".");
      if (value != null) {
        merged.set(name, value);
      }
    }
    return merged;
  }

  private static @Nullable JsonNode at(@Nullable JsonNode node, String name) {
    return node == null ? null : node.get(name);
  }

  private @Nullable JsonNode value(
      @Nullable JsonNode before, @Nullable JsonNode after, @Nullable JsonNode now, String path)
      throws NotOwned {
    if (Objects.equals(before, after) || Objects.equals(after, now)) {
      return now;
    }
    boolean mappings = isMapping(before) && isMapping(after) && isMapping(now);
    boolean own =
        owned.stream().anyMatch(path::startsWith)
            && foreign.stream().noneMatch(it -> path.startsWith(it) || it.startsWith(path));
    if (mappings && (!own || (after != null && !isEmpty(now)))) {
      ObjectNode merged = mapping(before, after, now, path);
      return merged.isEmpty() && isEmpty(now) ? now : merged;
    }
    if (!own) {
      throw new NotOwned(path.substring(0, path.length() - 1));
    }
    return after;
  }

  private static boolean isMapping(@Nullable JsonNode node) {
    return isEmpty(node) || (node != null && node.isObject());
  }

  /** Absent, null, an empty object or list. */
  private static boolean isEmpty(@Nullable JsonNode node) {
    return node == null || node.isNull() || (node.isContainerNode() && node.isEmpty());
  }
}
