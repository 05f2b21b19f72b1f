package io.tidemark.operator.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.nodecidr.ledger.RangeUsage;
import io.tidemark.nodecidr.plan.CapacityPlan;
import io.tidemark.nodecidr.plan.FamilyCapacity;
import java.math.BigInteger;
import java.util.List;

/**
 * The plan of a cluster's node CIDRs, for programs. The schema {@code node-cidr-plan.schema.json}
 * in this package describes it. Stateless.
 */
public final class NodeCidrPlanJson {
  private NodeCidrPlanJson() {}

  /** One document on several lines. */
  public static String print(CapacityPlan plan, List<String> notes) {
    ObjectNode root = new ObjectMapper().createObjectNode();
    ArrayNode families = root.putArray("families");
    plan.families().forEach(family -> add(families.addObject(), family));
    root.put("fullAtNode", plan.nodes());
    root.put("scarcest", plan.scarcest().family().toString());
    root.put("count", plan.count().isPresent() ? (Long) plan.count().getAsLong() : null);
    root.put("withoutCidrs", plan.lacking().orElse(BigInteger.ZERO));
    notes.forEach(root.putArray("notes")::add);
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
}
