package io.tidemark.operator.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.nodecidr.ledger.RangeUsage;
import io.tidemark.nodecidr.plan.CapacityPlan;
import io.tidemark.nodecidr.plan.CapacityPlan.FamilyCapacity;
import io.tidemark.nodecidr.plan.NodePlan;
import io.tidemark.nodecidr.plan.NodePlan.CidrLeak;
import io.tidemark.nodecidr.plan.NodePlan.Grant;
import java.math.BigInteger;

/**
 * The plan of a cluster's node CIDRs, for programs. The schema {@code node-cidr-plan.schema.json}
 * in this package describes it. Stateless.
 */
public final class NodeCidrPlanJson {
  private NodeCidrPlanJson() {}

  /** One document on several lines. */
  public static String print(NodeCidrReport report) {
    CapacityPlan plan = report.capacity();
    ObjectNode root = new ObjectMapper().createObjectNode();
    ArrayNode families = root.putArray("families");
    plan.families().forEach(family -> add(families.addObject(), family));
    root.put("fullAtNode", plan.nodes());
    root.put("scarcest", plan.scarcest().family().toString());
    root.put("count", plan.count().isPresent() ? (Long) plan.count().getAsLong() : null);
    root.put("withoutCidrs", plan.lacking().orElse(BigInteger.ZERO));
    report
        .nodes()
        .ifPresent(
            nodes -> {
              ObjectNode row = root.putObject("nodes");
              add(row, nodes);
              ReportJson.putRefused(row, report.refused());
            });
    report.notes().forEach(root.putArray("notes")::add);
    return ReportJson.text(root);
  }

  private static void add(ObjectNode row, FamilyCapacity family) {
    row.put("family", family.family().toString());
    row.put("blockLength", family.blockLength());
    row.put("blocks", family.blocks());
    row.put("excluded", family.excluded());
    row.put("usable", family.usable());
    row.put("addressesPerNode", family.addressesPerNode());
    row.put("first", family.first().toString());
    row.put("last", family.last().toString());
    ArrayNode ranges = row.putArray("ranges");
    for (RangeUsage range : family.ranges()) {
      ranges
          .addObject()
          .put("range", range.range().toString())
          .put("blocks", range.blocks())
          .put("excluded", range.excluded());
    }
  }

  private static void add(ObjectNode row, NodePlan plan) {
    row.put("count", plan.nodes());
    row.put("withCidrs", plan.assigned());
    row.put("withoutCidrs", plan.without());
    ArrayNode usage = row.putArray("usage");
    for (RangeUsage range : plan.usage()) {
      usage
          .addObject()
          .put("range", range.range().toString())
          .put("blocks", range.blocks())
          .put("excluded", range.excluded())
          .put("used", range.claimed())
          .put("free", range.free());
    }
    ArrayNode grants = row.putArray("grants");
    for (Grant each : plan.grants()) {
      ArrayNode cidrs = grants.addObject().put("node", each.node()).putArray("cidrs");
      each.cidrs().forEach(cidr -> cidrs.add(cidr.toString()));
    }
    ReportJson.put(row, plan.findings());
    ArrayNode leaks = row.putArray("leaks");
    for (CidrLeak each : plan.leaks()) {
      leaks
          .addObject()
          .put("range", each.range().toString())
          .put("code", NodeCidrError.CIDR_LEAKED.label())
          .put("counted", each.counted())
          .put("explained", each.explained())
          .put("remedy", NodeCidrError.CIDR_LEAKED.remedy());
    }
  }
}
