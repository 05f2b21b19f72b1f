package io.tidemark.operator.nodeid;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ip.InterfaceAddress;
import io.tidemark.nodeid.NodeIdCapacity;
import io.tidemark.nodeid.NodeIdError;
import io.tidemark.nodeid.NodeIdRange;
import io.tidemark.nodeid.NodeIdRanges.RangeOverlap;
import io.tidemark.nodeid.SubnetPlan;
import io.tidemark.nodeid.plan.NodeIdCheck;
import io.tidemark.operator.report.ReportJson;
import io.tidemark.resource.ResourceProblem;
import java.util.List;
import java.util.Locale;

/**
 * The plan for programs. The schema {@code node-id-plan.schema.json} in this package describes it.
 * Stateless.
 */
final class NodeIdPlanJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private NodeIdPlanJson() {}

  /** One document on several lines. */
  static String print(NodeIdPlan plan) {
    ObjectNode root = MAPPER.createObjectNode();
    root.set("ranges", ranges(plan));
    ObjectNode capacity = root.putObject("capacity");
    capacity.put("nodes", plan.capacity().ids());
    ArrayNode scarcest = capacity.putArray("scarcest");
    plan.capacity().scarcest().forEach(each -> scarcest.add(name(each.range())));
    capacity.put("podsPerNode", plan.podsPerNode());
    root.put("lacking", plan.lacking());
    ArrayNode overlaps = root.putArray("overlaps");
    plan.overlaps().forEach(each -> overlaps.add(tree(each)));
    ArrayNode nodes = root.putArray("nodes");
    plan.nodes().forEach(each -> nodes.add(tree(each)));
    plan.check().ifPresent(check -> root.set("existing", tree(check, plan.refused())));
    ArrayNode notes = root.putArray("notes");
    plan.notes().forEach(notes::add);
    return ReportJson.text(root);
  }

  private static ArrayNode ranges(NodeIdPlan plan) {
    ArrayNode ranges = MAPPER.createArrayNode();
    plan.ranges()
        .all()
        .forEach(
            (range, cidr) -> {
              ObjectNode row = ranges.addObject();
              row.put("name", name(range)).put("cidr", cidr.toString());
              if (range == NodeIdRange.PODS) {
                row.put("prefix", plan.ranges().podPrefix());
              } else if (range == NodeIdRange.LINKS) {
                row.put("prefix", plan.ranges().linkPrefix());
              }
              for (NodeIdCapacity.OfRange each : plan.capacity().ranges()) {
                if (each.range() == range) {
                  row.put("nodes", each.ids());
                }
              }
            });
    return ranges;
  }

  private static ObjectNode tree(RangeOverlap overlap) {
    return MAPPER
        .createObjectNode()
        .put("code", NodeIdError.RANGES_OVERLAP.label())
        .put("first", name(overlap.first()))
        .put("firstCidr", overlap.firstCidr().toString())
        .put("second", name(overlap.second()))
        .put("secondCidr", overlap.secondCidr().toString());
  }

  private static ObjectNode tree(SubnetPlan plan) {
    return MAPPER
        .createObjectNode()
        .put("id", plan.id().number())
        .put("podSubnet", plan.podSubnet().toString())
        .put("gateway", plan.gateway().toString())
        .put("firstPod", plan.firstPod().toString())
        .put("lastPod", plan.lastPod().toString())
        .put("pods", NodeIdPlan.pods(plan.podSubnet()))
        .put("natLoopback", plan.natLoopback().toString())
        .put("linkSubnet", plan.linkSubnet().toString())
        .put("linkSwitchEnd", plan.linkSwitchEnd().toString())
        .put("linkHostEnd", plan.linkHostEnd().toString())
        .put("nodeAddress", plan.nodeAddress().map(InterfaceAddress::toString).orElse(null))
        .put("overlayAddress", plan.overlayAddress().toString());
  }

  private static ObjectNode tree(NodeIdCheck check, List<ResourceProblem> unreadable) {
    ObjectNode tree = MAPPER.createObjectNode();
    tree.put("count", check.nodes());
    tree.put("withoutId", check.without());
    tree.put("lacking", check.lacking());
    ArrayNode plans = tree.putArray("nodes");
    check
        .plans()
        .forEach(each -> plans.addObject().put("node", each.node()).set("plan", tree(each.plan())));
    ReportJson.put(tree, check.findings());
    ReportJson.putRefused(tree, unreadable);
    return tree;
  }

  private static String name(NodeIdRange range) {
    return range.name().toLowerCase(Locale.ROOT);
  }
}
