package io.tidemark.operator.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.resource.ResourceProblem;
import java.util.List;
import java.util.Optional;

/** The content of the page at {@code /}, as JSON without line ends. Stateless. */
public final class PageJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static final int REFUSED_MOST = 50;

  private PageJson() {}

  /**
   * All but the nodes.
   *
   * @param cluster its name; empty when nothing names it
   * @param summary its numbers of nodes are left out: the page adds them up
   * @param lacking what is missing to nodes, plural
   * @param recording of a recorded run: the times of its states, and which one this is
   */
  public static String facts(
      Optional<String> cluster,
      StatusSummary summary,
      String kind,
      String lacking,
      CloudFacts cloud,
      List<ResourceProblem> refused,
      Optional<Timeline> recording) {
    ObjectNode tree = MAPPER.createObjectNode();
    ObjectNode head = StatusJson.tree(summary).put("kind", kind).put("lacking", lacking);
    head.remove(List.of("nodes", "states", "blocked"));
    head.put("cluster", cluster.orElse(null));
    tree.set("summary", head);
    tree.set("cloud", CloudJson.tree(cloud));
    tree.put("refusedCount", refused.size());
    ArrayNode listed = tree.putArray("refused");
    refused.stream().limit(REFUSED_MOST).map(StatusJson::tree).forEach(listed::add);
    tree.set("recording", MAPPER.valueToTree(recording.orElse(null)));
    return text(tree);
  }

  /**
   * Which state of a recorded run is shown.
   *
   * @param millis virtual time of each state
   * @param shown index in {@code millis}
   */
  public record Timeline(List<Long> millis, int shown) {}

  /** One node: as in {@code /status}, without plan and explanation. */
  public static String node(NodeRow node) {
    ObjectNode row = ReportJson.tree(node);
    node.details().forEach(detail -> ReportJson.put(row, detail));
    row.put("problem", node.problem().map(why -> why.code().name()).orElse(null));
    row.put("remedy", node.problem().map(why -> why.code().remedy()).orElse(null));
    row.put("stops", node.problem().map(NodeRow.Problem::stops).orElse(false));
    row.put("missing", node.missing());
    ArrayNode shown = row.putArray("columns");
    node.columns().forEach(column -> shown.add(column.key()));
    return text(row.put("settled", node.settled()));
  }

  /** A node that is gone. */
  public static String gone(String name) {
    return text(MAPPER.createObjectNode().put("name", name).put("gone", true));
  }

  private static String text(JsonNode tree) {
    try {
      return MAPPER.writeValueAsString(tree);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree always prints", e);
    }
  }
}
