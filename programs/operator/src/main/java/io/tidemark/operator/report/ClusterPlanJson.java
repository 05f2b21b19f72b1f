package io.tidemark.operator.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.spi.PlannedInstance;

/**
 * The needs of a cluster, for programs. The schema {@code cluster-plan.schema.json} in this package
 * describes them. Stateless.
 */
public final class ClusterPlanJson {
  private ClusterPlanJson() {}

  /** One document on several lines. */
  public static String print(ClusterPlan plan) {
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.put("provider", plan.provider()).put("instanceType", plan.instanceType());
    root.put("nodes", plan.nodes()).put("podsPerNode", plan.pods()).put("fits", plan.fits());
    root.put("nodesNeeded", plan.nodesNeeded());
    root.put("networks", plan.networks()).put("networkMax", plan.node().networkMax());
    put(root.putObject("node"), plan, 1);
    put(root.putObject("cluster"), plan, plan.nodes());
    ArrayNode subnets = root.putArray("subnets");
    for (ClusterPlan.Subnets each : plan.subnets()) {
      subnets
          .addObject()
          .put("prefix", each.prefix())
          .put("nodes", each.nodes())
          .put("count", each.count());
    }
    ClusterPlan.Bound bound = plan.bound();
    root.put("seconds", (long) Math.ceil(bound.seconds())).put("boundBy", bound.name());
    return ReportJson.text(root);
  }

  private static void put(ObjectNode row, ClusterPlan plan, long nodes) {
    PlannedInstance has = plan.node();
    row.put("served", nodes * plan.served());
    row.put("addresses", nodes * has.addresses());
    row.put("interfaces", nodes * has.interfaces());
    row.put("blocks", nodes * has.blocks());
    row.put("subnetAddresses", nodes * plan.subnetAddresses());
    row.put("inNetwork", nodes * has.inNetwork());
    ObjectNode requests = row.putObject("requests");
    plan.requests().forEach((kind, count) -> requests.put(kind, nodes * count));
  }
}
