package io.tidemark.resource;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.resource.ParsedResource.Invalid;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Reads and prints a node resource as JSON, the form of the Kubernetes API (1.4). Reading never
 * throws; it reports all problems of a document at once.
 */
public final class NodeResourceJson {
  /** Longest text that is read, in characters. */
  public static final int LENGTH_MAX = 16 << 20;

  private NodeResourceJson() {}

  /**
   * Reads one object.
   *
   * @param where the file or other place of the object, for problems
   */
  public static ParsedResource<NodeResource> parse(String text, String where) {
    if (text.length() > LENGTH_MAX) {
      return invalid(
          where,
          "the text has " + text.length() + " characters, more than " + LENGTH_MAX,
          "Split the document; a CiliumNode is never that big.");
    }
    Problems problems = new Problems(where);
    try {
      return NodeResourceReader.read(JsonTreeJson.read(withoutMark(text), problems), problems);
    } catch (JsonTreeJson.SyntaxException e) {
      String place = e.line() > 0 ? where + ':' + e.line() : where;
      return invalid(
          place, "the text is not valid JSON: " + e.getMessage(), "Mend or replace the text.");
    }
  }

  /**
   * Reads the text of an answer.
   *
   * @throws IOException when it is no JSON
   */
  public static ReceivedObject<NodeResource> receive(String text) throws IOException {
    try (JsonParser parser = JsonTreeJson.parser(text)) {
      return receive(parser);
    }
  }

  /**
   * Reads the object at the current position of {@code parser}, or at its next one; ends on its
   * last token.
   *
   * @throws IOException when the stream ends or its text is no JSON
   */
  public static ReceivedObject<NodeResource> receive(JsonParser parser) throws IOException {
    Problems syntax = new Problems("");
    JsonValue tree = JsonTreeJson.read(parser, syntax);
    JsonObject metadata = tree.asObject().get("metadata").asObject();
    String name = metadata.get("name").asText();
    return new ReceivedObject<>(
        name,
        metadata.get("uid").asText(),
        metadata.get("resourceVersion").asText(),
        NodeResourceReader.read(tree, syntax.at(("CiliumNode " + name).strip())));
  }

  /** The object on one line. */
  public static String print(NodeResource resource) {
    return TreePrinter.compact(resource.json());
  }

  /** The object for people, on many lines, two spaces per level. */
  public static String printPretty(NodeResource resource) {
    return TreePrinter.pretty(resource.json());
  }

  private static ParsedResource<NodeResource> invalid(String where, String problem, String remedy) {
    return new Invalid<>(
        Optional.empty(), List.of(new ResourceProblem(where, "", problem, remedy)));
  }

  private static String withoutMark(String text) {
    return text.startsWith("\ufeff") ? text.substring(1) : text;
  }
}
