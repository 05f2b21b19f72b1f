package io.tidemark.resource;

import io.tidemark.resource.ParsedResource.Invalid;
import io.tidemark.resource.ParsedResource.Valid;
import java.util.Optional;
import java.util.function.Function;

/** Turns a document tree into a node resource, or into everything that is wrong with it. */
final class NodeResourceReader {
  private static final int NAME_LENGTH_MAX = 253;

  private NodeResourceReader() {}

  /**
   * Reads one object.
   *
   * @param at where the object stands in its document
   * @param listed whether it is an item of a {@code CiliumNodeList}, which need not repeat its kind
   * @param where names the place of a path for people
   */
  static ParsedResource read(
      JsonValue tree, JsonPath at, boolean listed, Function<JsonPath, String> where) {
    Problems problems = new Problems(where);
    if (!(tree instanceof JsonObject root)) {
      problems.add(
          at,
          "the document is " + Shown.value(tree) + ", expected an object",
          "Write a CiliumNode manifest.");
      return new Invalid(Optional.empty(), problems.toList());
    }
    checkKind(root, at, listed, problems);
    Optional<String> name = checkName(root, at, problems);
    if (!problems.isEmpty() && !isCiliumNode(root)) {
      return new Invalid(name, problems.toList());
    }
    if (root.get("spec").isNull()) {
      problems.add(at.member("spec"), "the field is missing", "Add it; {} will do.");
    }
    JsonValue checked = new ShapeReader(problems).read(CiliumNodeShapes.ROOT, root, at);
    return problems.isEmpty()
        ? new Valid(new JsonNodeResource(checked.asObject()))
        : new Invalid(name, problems.toList());
  }

  private static boolean isCiliumNode(JsonObject root) {
    String kind = root.get("kind").asText();
    return kind.isEmpty() || kind.equals(JsonNodeResource.KIND);
  }

  private static void checkKind(JsonObject root, JsonPath at, boolean listed, Problems problems) {
    requireText(root, at, "apiVersion", JsonNodeResource.API_VERSION, listed, problems);
    requireText(root, at, "kind", JsonNodeResource.KIND, listed, problems);
  }

  private static void requireText(
      JsonObject root,
      JsonPath at,
      String key,
      String expected,
      boolean mayBeAbsent,
      Problems problems) {
    JsonValue value = root.get(key);
    if (value.isNull()) {
      if (!mayBeAbsent) {
        problems.add(
            at.member(key), "the field is missing", "Write " + key + ": " + expected + '.');
      }
    } else if (value instanceof JsonText text && !text.text().equals(expected)) {
      problems.add(
          at.member(key),
          "the value is " + Shown.value(value) + ", expected " + expected,
          "Write " + key + ": " + expected + ", or take the document out.");
    }
  }

  private static Optional<String> checkName(JsonObject root, JsonPath at, Problems problems) {
    JsonPath path = at.member("metadata").member("name");
    JsonValue value = root.get("metadata").asObject().get("name");
    String name = value.asText();
    if (value.isNull() || value.equals(JsonText.EMPTY)) {
      problems.add(path, "the name is missing", "Write the Kubernetes node's name.");
      return Optional.empty();
    }
    if (!(value instanceof JsonText)) {
      return Optional.empty();
    }
    if (name.length() > NAME_LENGTH_MAX || !name.chars().allMatch(NodeResourceReader::inName)) {
      problems.add(
          path,
          "the name " + Shown.value(value) + " is no Kubernetes name",
          "Write up to " + NAME_LENGTH_MAX + " letters, digits, dots and dashes.");
      return Optional.empty();
    }
    return Optional.of(name);
  }

  private static boolean inName(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '.'
        || c == '-'
        || c == '_'
        || c == ':';
  }
}
