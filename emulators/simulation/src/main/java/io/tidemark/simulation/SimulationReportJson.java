package io.tidemark.simulation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Prints a report as JSON, keys in a fixed order (docs/simulation.md). Stateless. */
public final class SimulationReportJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private SimulationReportJson() {}

  /** The report for programs, on several lines. */
  public static String print(SimulationReport report) {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("nodes", report.nodes());
    root.put("virtualSeconds", report.virtualSeconds());
    root.put("wallSeconds", report.wallSeconds());
    SimulationReport.TimeToWatermark times = report.timeToWatermark();
    root.putObject("timeToWatermarkSeconds")
        .put("first", times.first())
        .put("p50", times.p50())
        .put("p90", times.p90())
        .put("p99", times.p99())
        .put("last", times.last());
    ObjectNode calls = root.putObject("calls");
    report.calls().forEach(calls::put);
    root.put("throttled", report.throttled());
    root.put("addresses", report.addresses());
    root.put("interfaces", report.interfaces());
    ArrayNode violations = root.putArray("violations");
    for (Violation each : report.violations()) {
      violations
          .addObject()
          .put("invariant", each.invariant())
          .put("node", each.node())
          .put("atSeconds", each.atSeconds())
          .put("detail", each.detail());
    }
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(root);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree always prints", e);
    }
  }
}
