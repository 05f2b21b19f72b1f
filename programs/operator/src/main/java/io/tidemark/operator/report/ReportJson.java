package io.tidemark.operator.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cluster.NodeProblem;
import io.tidemark.config.ConfigProblem;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.spi.Finding;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reports for programs, keys in a fixed order. The schemas {@code run-report.schema.json}, {@code
 * explanation.schema.json}, {@code findings.schema.json} and {@code settings.schema.json} in this
 * package describe them. Stateless.
 */
public final class ReportJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** A file and a line in it. */
  private static final Pattern PLACE = Pattern.compile("(.+):([0-9]+)");

  private ReportJson() {}

  /** The result of a run, on several lines. */
  public static String print(RunReport report) {
    return print(report, Map.of());
  }

  /** The states of nodes and their next steps, on several lines. */
  public static String print(RunReport report, Map<String, String> plans) {
    ObjectNode root = MAPPER.createObjectNode();
    ArrayNode nodes = root.putArray("nodes");
    for (NodeRow node : report.nodes()) {
      ObjectNode row = tree(node);
      Optional.ofNullable(plans.get(node.name())).ifPresent(plan -> row.put("plan", plan));
      nodes.add(row);
    }
    ObjectNode calls = root.putObject("calls");
    report.calls().forEach(calls::put);
    putRefused(root, report.refused());
    return text(root);
  }

  /** The explanation of a node's state, on several lines. */
  public static String print(NodeExplanation explanation) {
    return text(tree(explanation));
  }

  /** The findings of {@code doctor}, on several lines. */
  public static String print(String provider, List<Finding> findings) {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("provider", provider);
    root.put("wrong", findings.stream().filter(each -> each.verdict().isWrong()).count());
    root.put(
        "unfinished",
        findings.stream().filter(each -> each.verdict() == Finding.Verdict.UNFINISHED).count());
    ArrayNode all = root.putArray("findings");
    for (Finding each : findings) {
      all.addObject()
          .put("area", each.area())
          .put("subject", each.subject())
          .put("result", each.verdict().text())
          .put("detail", each.detail())
          .put("remedy", each.remedy())
          .put("snippet", each.snippet().orElse(null));
    }
    return text(root);
  }

  /** The output of {@code config}, on several lines. */
  public static String print(SettingsReport report) {
    ObjectNode root = MAPPER.createObjectNode();
    root.putObject(report.key()).put("name", report.name()).put("origin", report.chosenBy());
    ArrayNode providers = root.putArray("providers");
    report.providers().forEach(providers::add);
    ArrayNode rows = root.putArray("settings");
    for (SettingsReport.Row row : report.settings()) {
      rows.addObject()
          .put("key", row.key())
          .put("group", row.group())
          .put("value", row.value().orElse(null))
          .put("secret", row.secret())
          .put("origin", row.origin())
          .put("meaning", row.meaning());
    }
    ArrayNode others = root.putArray("ignored");
    for (ConfigProblem each : report.ignored()) {
      others
          .addObject()
          .put("key", each.key())
          .put("origin", each.origin())
          .put("reason", each.problem());
    }
    return text(root);
  }

  static ObjectNode tree(NodeRow node) {
    ObjectNode row = MAPPER.createObjectNode().put("name", node.name());
    node.columns().forEach(column -> put(row, column));
    return row.put("state", node.state())
        .put("reason", node.problem().map(why -> why.code().label()).orElse(null))
        .put("detail", node.problem().map(NodeRow.Problem::detail).orElse(null));
  }

  static void put(ObjectNode row, NodeRow.Column column) {
    row.set(column.key(), MAPPER.valueToTree(column.value().orElse(null)));
  }

  /** A problem of an object or a file. */
  private static ObjectNode tree(ResourceProblem problem) {
    Matcher place = PLACE.matcher(problem.where());
    boolean line = place.matches();
    return MAPPER
        .createObjectNode()
        .put("file", line ? place.group(1) : problem.where())
        .put("path", problem.path())
        .put("problem", (line ? "line " + place.group(2) + ": " : "") + problem.problem())
        .put("remedy", problem.remedy());
  }

  /** Adds what is wrong with nodes. */
  public static void put(ObjectNode tree, List<NodeProblem.At> findings) {
    ArrayNode rows = tree.putArray("findings");
    for (NodeProblem.At each : findings) {
      rows.addObject()
          .put("node", each.node())
          .put("value", each.problem().value())
          .put("code", each.problem().code().label())
          .put("detail", each.problem().detail())
          .put("remedy", each.problem().code().remedy());
    }
  }

  /** Adds problems of objects and files. */
  public static void putRefused(ObjectNode tree, List<ResourceProblem> problems) {
    ArrayNode rows = tree.putArray("refused");
    problems.forEach(problem -> rows.add(tree(problem)));
  }

  private static ObjectNode tree(NodeExplanation explanation) {
    ObjectNode tree = MAPPER.createObjectNode();
    tree.put("node", explanation.node());
    tree.put("state", explanation.state());
    ObjectNode numbers = tree.putObject("numbers");
    explanation.numbers().forEach(numbers::put);
    ObjectNode handshakes = tree.putObject("handshakes");
    explanation.handshakes().forEach(handshakes::put);
    tree.put("plan", explanation.plan());
    tree.put("reason", explanation.problem().map(why -> why.code().label()).orElse(null));
    tree.put("detail", explanation.problem().map(NodeRow.Problem::detail).orElse(null));
    tree.put("advice", explanation.advice());
    return tree;
  }

  /** A tree on several lines. */
  public static String text(JsonNode tree) {
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(tree) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree always prints", e);
    }
  }
}
