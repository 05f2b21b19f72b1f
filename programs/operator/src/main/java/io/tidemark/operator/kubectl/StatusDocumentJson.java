package io.tidemark.operator.kubectl;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.error.ErrorCode;
import io.tidemark.kubernetes.leader.LeaderAnswer;
import io.tidemark.kubernetes.leader.ListedNode;
import io.tidemark.kubernetes.leader.OperatorLease;
import io.tidemark.operator.report.Explained;
import io.tidemark.operator.report.MaxPods;
import io.tidemark.operator.report.NodeExplanation;
import io.tidemark.operator.report.NodeRow;
import io.tidemark.operator.report.NodeRow.Column;
import io.tidemark.operator.report.NodeRow.Problem;
import io.tidemark.operator.report.ReportJson;
import io.tidemark.operator.report.StatusSummary;
import io.tidemark.operator.report.StatusText;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.spi.BlockedReason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.StreamSupport;

/**
 * A status as JSON, of an operator of this version or another: fields that are not known are kept,
 * and those that are missing count as empty. Not thread-safe.
 */
final class StatusDocumentJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String UNKNOWN = "unknown";

  private final ObjectNode root;

  private StatusDocumentJson(ObjectNode root) {
    this.root = root;
  }

  /** Of an operator, which was found to be a status. */
  static StatusDocumentJson of(String json) {
    try {
      return new StatusDocumentJson((ObjectNode) MAPPER.readTree(json));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the status was read before", e);
    }
  }

  /**
   * Of objects that no operator explains.
   *
   * @param reason why none does
   */
  static StatusDocumentJson of(ListedNodes listed, String reason) {
    ObjectNode root = MAPPER.createObjectNode();
    ObjectNode summary = root.putObject("summary");
    summary.put("provider", UNKNOWN).put("leading", UNKNOWN).putNull("lease");
    summary.put("healthy", false).putArray("unhealthy").add(reason);
    summary.put("ready", false).putArray("unready").add(reason);
    summary.put("nodes", listed.nodes().size());
    ObjectNode states = summary.putObject("states");
    if (!listed.nodes().isEmpty()) {
      states.put(UNKNOWN, listed.nodes().size());
    }
    summary.putObject("blocked");
    ArrayNode nodes = root.putArray("nodes");
    listed.nodes().forEach(node -> nodes.add(tree(listed, node, reason)));
    root.putArray("refused");
    return new StatusDocumentJson(root);
  }

  private static ObjectNode tree(ListedNodes listed, ListedNode node, String reason) {
    ObjectNode tree = MAPPER.createObjectNode().put("name", node.name());
    ObjectNode numbers = MAPPER.createObjectNode();
    for (Column column : listed.columns(node)) {
      tree.set(column.key(), MAPPER.valueToTree(column.value().orElse(null)));
      numbers.put(column.key(), column.text());
    }
    tree.put("state", UNKNOWN).putNull("reason");
    tree.put("detail", node.error().isEmpty() ? null : node.error());
    tree.put("plan", "not known: " + reason);
    tree.put("advice", "Let an operator answer; it has the plan and the reasons");
    tree.set("numbers", numbers);
    tree.putObject("handshakes");
    return tree;
  }

  /** All of it, as it came, with where it came from. */
  String json(LeaderAnswer source) {
    ObjectNode copy = root.deepCopy();
    Optional<LeaderAnswer.Leader> leader = source.leader();
    copy.putObject("source")
        .put("from", leader.isPresent() ? "leader" : "cluster")
        .put("pod", leader.map(LeaderAnswer.Leader::pod).orElse(null))
        .put(
            "leaseRenewedSecondsAgo",
            leader
                .flatMap(LeaderAnswer.Leader::lease)
                .map(OperatorLease::secondsSinceRenewal)
                .orElse(null))
        .put("reason", leader.isPresent() ? null : source.reason());
    return ReportJson.text(copy);
  }

  /** A document of {@code tidemark explain} or {@code doctor}, with where it came from. */
  static String json(String document, LeaderAnswer source) {
    return of(document).json(source);
  }

  /** The same table as of {@code tidemark status}. */
  String text() {
    return StatusText.print(summary(), nodes(), refused());
  }

  StatusSummary summary() {
    JsonNode summary = root.path("summary");
    return new StatusSummary(
        summary.path("provider").asText(UNKNOWN),
        texts(summary.path("unhealthy")),
        texts(summary.path("unready")),
        summary.path("leading").asText(UNKNOWN),
        Optional.ofNullable(summary.path("lease").textValue()),
        summary.path("nodes").asInt(),
        counts(summary.path("states")),
        counts(summary.path("blocked")));
  }

  List<Explained> nodes() {
    List<Explained> nodes = new ArrayList<>();
    root.path("nodes").forEach(node -> nodes.add(explained(node)));
    return nodes;
  }

  /** One node; empty when there is none of this name. */
  Optional<Explained> node(String name) {
    return nodes().stream().filter(each -> each.row().name().equals(name)).findFirst();
  }

  /** Nothing of an operator that does not publish them. */
  List<MaxPods> podRooms() {
    List<MaxPods> rooms = new ArrayList<>();
    root.path("nodes")
        .forEach(
            each ->
                rooms.add(
                    new MaxPods(
                        each.path("group").asText(),
                        each.path("maxPods").asLong(),
                        each.path("podCapacity").asLong(),
                        each.path("podsWithoutAddress").asLong(),
                        each.path("prefixes").asBoolean())));
    return rooms;
  }

  List<ResourceProblem> refused() {
    List<ResourceProblem> refused = new ArrayList<>();
    root.path("refused")
        .forEach(
            each ->
                refused.add(
                    new ResourceProblem(
                        each.path("object").asText(),
                        each.path("path").asText(),
                        each.path("problem").asText(),
                        each.path("remedy").asText())));
    return refused;
  }

  private static Explained explained(JsonNode node) {
    List<Column> columns = new ArrayList<>();
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      if (field.getKey().equals("state")) {
        break;
      }
      if (!field.getKey().equals("name")) {
        columns.add(new Column(field.getKey(), value(field.getValue())));
      }
    }
    String name = node.path("name").asText();
    String state = node.path("state").asText(UNKNOWN);
    Optional<Problem> problem = problem(node);
    NodeRow row = new NodeRow(name, columns, List.of(), state, problem.isEmpty(), 0, problem);
    if (node.path("plan").isNull() || node.path("plan").isMissingNode()) {
      return new Explained(row, Optional.empty());
    }
    Map<String, String> numbers = new LinkedHashMap<>();
    node.path("numbers")
        .properties()
        .forEach(it -> numbers.put(it.getKey(), it.getValue().asText()));
    return new Explained(
        row,
        Optional.of(
            NodeExplanation.published(
                row,
                numbers,
                counts(node.path("handshakes")),
                node.path("plan").asText(),
                node.path("advice").asText(""))));
  }

  private static Optional<Problem> problem(JsonNode node) {
    if (!node.path("reason").isTextual()) {
      return Optional.empty();
    }
    ErrorCode code = PublishedCode.of(node.path("reason").asText(), node.path("advice").asText(""));
    boolean stops = !(code instanceof BlockedReason reason) || reason.stopsNode();
    return Optional.of(new Problem(code, node.path("detail").asText(""), stops));
  }

  private static Optional<Object> value(JsonNode value) {
    if (value.isNull()) {
      return Optional.empty();
    }
    if (value.isArray()) {
      return Optional.of(texts(value));
    }
    return Optional.of(value.isIntegralNumber() ? (Object) value.asLong() : value.asText());
  }

  private static List<String> texts(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).toList();
  }

  private static SortedMap<String, Integer> counts(JsonNode object) {
    SortedMap<String, Integer> counts = new TreeMap<>();
    object.properties().forEach(it -> counts.put(it.getKey(), it.getValue().asInt()));
    return counts;
  }
}
