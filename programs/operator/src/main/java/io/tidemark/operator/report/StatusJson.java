package io.tidemark.operator.report;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.resource.ResourceProblem;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The state of an operator and of each of its nodes, for programs; written node by node. The schema
 * {@code status.schema.json} in this package describes it. Stateless.
 */
public final class StatusJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private StatusJson() {}

  /**
   * Writes one document; does not close the stream.
   *
   * @param refused what of the objects cannot be used; a node's last readable version counts
   * @throws IOException if the client disconnected
   */
  public static void write(
      OutputStream out,
      StatusSummary summary,
      Iterator<Explained> nodes,
      List<ResourceProblem> refused,
      CloudFacts cloud)
      throws IOException {
    try (JsonGenerator json = MAPPER.getFactory().createGenerator(out)) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.useDefaultPrettyPrinter();
      json.writeStartObject();
      json.writeObjectField("summary", tree(summary));
      json.writeArrayFieldStart("nodes");
      while (nodes.hasNext()) {
        json.writeTree(tree(nodes.next()));
      }
      json.writeEndArray();
      json.writeArrayFieldStart("refused");
      for (ResourceProblem each : refused) {
        json.writeTree(tree(each));
      }
      json.writeEndArray();
      json.writeObjectField("cloud", CloudJson.tree(cloud));
      json.writeEndObject();
      json.writeRaw('\n');
    }
  }

  static ObjectNode tree(StatusSummary summary) {
    ObjectNode tree = MAPPER.createObjectNode();
    tree.put("provider", summary.provider());
    tree.put("leading", summary.leading());
    tree.put("lease", summary.lease().orElse(null));
    tree.put("healthy", summary.unhealthy().isEmpty());
    summary.unhealthy().forEach(tree.putArray("unhealthy")::add);
    tree.put("ready", summary.unready().isEmpty());
    summary.unready().forEach(tree.putArray("unready")::add);
    tree.put("nodes", summary.nodes());
    summary.states().forEach(tree.putObject("states")::put);
    summary.blocked().forEach(tree.putObject("blocked")::put);
    return tree;
  }

  static ObjectNode tree(ResourceProblem problem) {
    return MAPPER
        .createObjectNode()
        .put("object", problem.where())
        .put("path", problem.path())
        .put("problem", problem.problem())
        .put("remedy", problem.remedy());
  }

  private static ObjectNode tree(Explained node) {
    ObjectNode tree = ReportJson.tree(node.row());
    node.row().details().forEach(detail -> ReportJson.put(tree, detail));
    Optional<NodeExplanation> explained = node.explanation();
    tree.put("plan", explained.map(NodeExplanation::plan).orElse(null));
    tree.put("advice", explained.map(NodeExplanation::advice).orElse(null));
    ObjectNode numbers = tree.putObject("numbers");
    ObjectNode handshakes = tree.putObject("handshakes");
    explained.ifPresent(
        each -> {
          each.numbers().forEach(numbers::put);
          each.handshakes().forEach(handshakes::put);
        });
    return tree;
  }
}
