package io.tidemark.operator.nodeid;

import io.tidemark.error.ErrorCode;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.InterfaceAddress;
import io.tidemark.nodeid.NodeIdCapacity;
import io.tidemark.nodeid.NodeIdError;
import io.tidemark.nodeid.NodeIdRange;
import io.tidemark.nodeid.SubnetPlan;
import io.tidemark.nodeid.plan.NodeIdCheck;
import io.tidemark.nodeid.plan.NodeIdCheck.Planned;
import io.tidemark.operator.report.ReportText;
import io.tidemark.program.console.TextTable;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The plan for people. Stateless. */
final class NodeIdPlanText {
  private static final String NONE = "-";

  private NodeIdPlanText() {}

  static String print(NodeIdPlan plan) {
    StringBuilder text = new StringBuilder();
    if (plan.check().isPresent()) {
      text.append(check(plan.check().get())).append('\n');
    } else if (plan.table()) {
      text.append(nodes(plan)).append('\n');
    } else if (!plan.nodes().isEmpty()) {
      text.append(node(plan.nodes().get(0))).append('\n');
    } else {
      text.append(ranges(plan)).append('\n');
    }
    text.append(capacity(plan));
    if (plan.lacking() > 0) {
      text.append("lacking: ")
          .append(plan.lacking())
          .append(plan.lacking() == 1 ? " node has" : " nodes have")
          .append(" no id. ")
          .append(remedy(NodeIdError.NODE_ID_EXHAUSTED));
    }
    plan.overlaps()
        .forEach(
            each ->
                text.append("overlap: ")
                    .append(each)
                    .append(". ")
                    .append(remedy(NodeIdError.RANGES_OVERLAP)));
    text.append(ReportText.refused(plan.refused()));
    plan.notes().forEach(note -> text.append("note: ").append(note).append('\n'));
    return text.toString();
  }

  private static String capacity(NodeIdPlan plan) {
    String scarcest =
        plan.capacity().scarcest().stream()
            .map(NodeIdCapacity.OfRange::toString)
            .collect(Collectors.joining(" and "));
    return "capacity: "
        + ReportText.count(plan.capacity().ids())
        + ", limited by "
        + scarcest
        + "; "
        + plan.podsPerNode()
        + " pods per node\n";
  }

  private static String ranges(NodeIdPlan plan) {
    TextTable table = new TextTable("RANGE", "CIDR", "ONE NODE", "NODES");
    for (Map.Entry<NodeIdRange, Cidr> each : plan.ranges().all().entrySet()) {
      NodeIdRange range = each.getKey();
      String part =
          switch (range) {
            case PODS -> "/" + plan.ranges().podPrefix();
            case LINKS -> "/" + plan.ranges().linkPrefix();
            case INTERCONNECT, OVERLAY -> "address";
            case SERVICES -> NONE;
          };
      String nodes =
          plan.capacity().ranges().stream()
              .filter(it -> it.range() == range)
              .map(it -> Long.toString(it.ids()))
              .findFirst()
              .orElse(NONE);
      table.row(range, each.getValue(), part, nodes);
    }
    return table.text();
  }

  private static String node(SubnetPlan plan) {
    TextTable table = new TextTable("NODE", plan.id().toString());
    table.row("pod subnet", plan.podSubnet());
    table.row("gateway", plan.gateway());
    table.row(
        "pods",
        plan.firstPod()
            + " to "
            + plan.lastPod()
            + ", "
            + NodeIdPlan.pods(plan.podSubnet())
            + " addresses");
    table.row("NAT loopback", plan.natLoopback());
    table.row("link subnet", plan.linkSubnet());
    table.row("switch end", plan.linkSwitchEnd());
    table.row("host end", plan.linkHostEnd());
    table.row("node address", address(plan));
    table.row("overlay address", plan.overlayAddress());
    return table.text();
  }

  private static String nodes(NodeIdPlan plan) {
    TextTable table =
        new TextTable(
            "NODE",
            "POD SUBNET",
            "FIRST POD",
            "LAST POD",
            "LINK SUBNET",
            "NODE ADDRESS",
            "OVERLAY ADDRESS");
    for (SubnetPlan each : plan.nodes()) {
      table.row(
          each.id(),
          each.podSubnet(),
          each.firstPod(),
          each.lastPod(),
          each.linkSubnet(),
          address(each),
          each.overlayAddress());
    }
    return table.text();
  }

  private static String address(SubnetPlan plan) {
    return plan.nodeAddress().map(InterfaceAddress::toString).orElse(NONE);
  }

  private static String remedy(NodeIdError code) {
    return code.remedy() + " (" + code.label() + " " + code.name() + ")\n";
  }

  /** The consequences of the ids, how many nodes have one, and what does not fit. */
  private static String check(NodeIdCheck check) {
    StringBuilder text = new StringBuilder();
    if (!check.plans().isEmpty()) {
      text.append(plans(check).text()).append('\n');
    }
    text.append(ReportText.count(check.nodes())).append(" in the dump, ").append(check.without());
    text.append(check.without() == 1 ? " has" : " have").append(" no id\n");
    Set<ErrorCode> codes = ReportText.codes(check.findings());
    if (check.lacking() > 0) {
      text.append(ReportText.count(check.lacking()));
      text.append(check.lacking() == 1 ? " gets" : " get").append(" none: too few are left\n");
      codes.add(NodeIdError.NODE_ID_EXHAUSTED);
    }
    if (!check.findings().isEmpty()) {
      text.append('\n').append(ReportText.findings(check.findings()).text());
    }
    return text.append(ReportText.remedies(codes)).toString();
  }

  private static TextTable plans(NodeIdCheck check) {
    TextTable table =
        new TextTable("NODE", "ID", "POD SUBNET", "LINK SUBNET", "NODE ADDRESS", "OVERLAY ADDRESS");
    for (Planned each : check.plans()) {
      table.row(
          each.node(),
          each.plan().id(),
          each.plan().podSubnet(),
          each.plan().linkSubnet(),
          each.plan().nodeAddress().map(InterfaceAddress::toString).orElse(NONE),
          each.plan().overlayAddress());
    }
    return table;
  }
}
