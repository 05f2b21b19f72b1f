package io.tidemark.cluster;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.resource.ParsedResource;
import io.tidemark.resource.ReceivedObject;
import io.tidemark.resource.ResourceProblem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads a {@code v1 Node} as JSON, and prints what a {@link ClusterNode} says of it. Everything
 * else is passed over unread.
 */
public final class ClusterNodeJson {
  /**
   * Names of fields are not remembered: those of {@code managedFields} hold the CIDRs, so a table
   * of them would grow with the cluster, and is copied when a name is added.
   */
  private static final ObjectMapper MAPPER =
      new ObjectMapper(
          JsonFactory.builder().disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES).build());

  private ClusterNodeJson() {}

  /**
   * Reads one object.
   *
   * @param where the file or other place of the object, for problems
   */
  public static ParsedResource<ClusterNode> parse(String text, String where) {
    try {
      return receive(text, where).parsed();
    } catch (JsonProcessingException e) {
      String problem = "the text is not valid JSON: " + e.getOriginalMessage();
      return new ParsedResource.Invalid<>(
          Optional.empty(),
          List.of(new ResourceProblem(where, "", problem, "Mend or replace the text.")));
    } catch (IOException e) {
      throw new UncheckedIOException("a string cannot fail to be read", e);
    }
  }

  /**
   * Reads the text of an answer.
   *
   * @param where the place of the object, for problems
   * @throws IOException when it is no JSON
   */
  public static ReceivedObject<ClusterNode> receive(String text, String where) throws IOException {
    try (JsonParser parser = MAPPER.createParser(text)) {
      return receive(parser, where);
    }
  }

  /**
   * Reads the object at the current position of {@code parser}, or at its next one; ends on its
   * last token.
   *
   * @param where the place of the object, for problems
   * @throws IOException when the stream ends or its text is no JSON
   */
  public static ReceivedObject<ClusterNode> receive(JsonParser parser, String where)
      throws IOException {
    if (parser.currentToken() == null) {
      parser.nextToken();
    }
    return new ClusterNodeFieldsJson(parser, where).read();
  }

  /** The object on one line, with the fields that a {@link ClusterNode} has. */
  public static String print(ClusterNode node) {
    ObjectNode root = MAPPER.createObjectNode().put("apiVersion", "v1").put("kind", "Node");
    ObjectNode metadata = root.putObject("metadata").put("name", node.name());
    put(metadata, "uid", node.uid());
    if (!node.annotations().isEmpty()) {
      ObjectNode annotations = metadata.putObject("annotations");
      new TreeMap<>(node.annotations()).forEach(annotations::put);
    }
    ObjectNode spec = root.putObject("spec");
    put(spec, "podCIDR", node.podCidrs().first());
    if (!node.podCidrs().all().isEmpty()) {
      node.podCidrs().all().forEach(spec.putArray("podCIDRs")::add);
    }
    put(spec, "providerID", node.providerId());
    if (node.unschedulable()) {
      spec.put("unschedulable", true);
    }
    ObjectNode status = root.putObject("status");
    node.podsMax()
        .ifPresent(pods -> status.putObject("allocatable").put("pods", Integer.toString(pods)));
    node.networkUnavailable()
        .ifPresent(
            unavailable ->
                status
                    .putArray("conditions")
                    .addObject()
                    .put("type", "NetworkUnavailable")
                    .put("status", unavailable ? "True" : "False"));
    return root.toString();
  }

  private static void put(ObjectNode object, String key, String text) {
    if (!text.isEmpty()) {
      object.put(key, text);
    }
  }
}
