package io.tidemark.resource;

import io.tidemark.resource.ParsedResource.Invalid;
import io.tidemark.resource.ParsedResource.Valid;
import java.util.Optional;

/** Turns a document tree into a node resource, or into everything that is wrong with it. */
final class NodeResourceReader {
  private static final int NAME_LENGTH_MAX = 253;

  private NodeResourceReader() {}

  /** Reads one object; problems that are known already make it invalid too. */
  static ParsedResource<NodeResource> read(JsonValue tree, Problems problems) {
    if (!(tree instanceof JsonObject root)) {
      problems.add(
          JsonPath.ROOT,
          "the document is " + Problems.shown(tree) + ", expected an object",
          "Write a CiliumNode manifest.");
      return new Invalid<>(Optional.empty(), problems.toList());
    }
    requireText(root, "apiVersion", NodeResource.API_VERSION, problems);
    requireText(root, "kind", NodeResource.KIND, problems);
    Optional<String> name = checkName(root, problems);
    if (!isCiliumNode(root)) {
      return new Invalid<>(name, problems.toList());
    }
    if (root.get("spec").isNull()) {
      problems.add(JsonPath.ROOT.member("spec"), "the field is missing", "Add it; {} will do.");
    }
    JsonValue checked = new ShapeReader(problems).read(CiliumNodeShapes.ROOT, root, JsonPath.ROOT);
    return problems.isEmpty()
        ? new Valid<>(new NodeResource(checked.asObject()))
        : new Invalid<>(name, problems.toList());
  }

  /** Whether the rest is worth a look: not when it says to be something else. */
  private static boolean isCiliumNode(JsonObject root) {
    JsonValue kind = root.get("kind");
    return !(kind instanceof JsonText text) || text.text().equals(NodeResource.KIND);
  }

  private static void requireText(JsonObject root, String key, String expected, Problems problems) {
    JsonValue value = root.get(key);
    JsonPath path = JsonPath.ROOT.member(key);
    if (value.isNull()) {
      problems.add(path, "the field is missing", "Write " + key + ": " + expected + '.');
    } else if (value instanceof JsonText text && !text.text().equals(expected)) {
      problems.add(
          path,
          "the value is " + Problems.shown(value) + ", expected " + expected,
          "Write " + key + ": " + expected + ", or take the document out.");
    }
  }

  private static Optional<String> checkName(JsonObject root, Problems problems) {
    JsonPath path = JsonPath.ROOT.member("metadata").member("name");
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
          "the name " + Problems.shown(value) + " is not a valid Kubernetes name",
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
