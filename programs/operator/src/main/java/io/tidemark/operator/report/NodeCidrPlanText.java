package io.tidemark.operator.report;

import io.tidemark.error.ErrorCode;
import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.nodecidr.ledger.RangeUsage;
import io.tidemark.nodecidr.plan.CapacityPlan;
import io.tidemark.nodecidr.plan.CapacityPlan.FamilyCapacity;
import io.tidemark.nodecidr.plan.NodePlan;
import io.tidemark.program.console.TextTable;
import java.math.BigInteger;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The plan of a cluster's node CIDRs, for people. Stateless. */
public final class NodeCidrPlanText {
  private NodeCidrPlanText() {}

  /** A table of the families, when they end, the nodes that exist, and notes. */
  public static String print(NodeCidrReport report) {
    CapacityPlan plan = report.capacity();
    TextTable table =
        new TextTable(
            "FAMILY",
            "RANGES",
            "BLOCK",
            "BLOCKS",
            "EXCLUDED",
            "USABLE",
            "ADDRESSES",
            "FIRST",
            "LAST");
    for (FamilyCapacity family : plan.families()) {
      table.row(
          family.family(),
          ranges(family),
          "/" + family.blockLength(),
          family.blocks(),
          family.excluded(),
          family.usable(),
          family.addressesPerNode(),
          family.first(),
          family.last());
    }
    StringBuilder text = new StringBuilder(table.text());
    text.append("\nfull at node ").append(plan.nodes());
    text.append(": the next one gets no ").append(plan.scarcest().family()).append(" block\n");
    if (plan.count().isPresent()) {
      text.append(count(plan, plan.count().getAsLong())).append('\n');
    }
    report
        .nodes()
        .ifPresent(nodes -> text.append('\n').append(print(nodes, report.refused().isEmpty())));
    text.append(ReportText.refused(report.refused()));
    report.notes().forEach(note -> text.append("note: ").append(note).append('\n'));
    return text.toString();
  }

  private static String count(CapacityPlan plan, long count) {
    Optional<BigInteger> lacking = plan.lacking();
    return lacking.isPresent()
        ? count + " nodes: no CIDRs for " + lacking.get() + " of them"
        : count
            + " nodes: CIDRs for all of them, room for "
            + plan.nodes().subtract(BigInteger.valueOf(count))
            + " more";
  }

  private static String ranges(FamilyCapacity family) {
    return family.ranges().stream()
        .map(RangeUsage::range)
        .map(Object::toString)
        .collect(Collectors.joining(","));
  }

  /** The usage, who would get what, and the problems, in this order. */
  private static String print(NodePlan plan, boolean complete) {
    StringBuilder text = new StringBuilder();
    text.append(ReportText.count(plan.nodes())).append(" in the dump, ").append(plan.assigned());
    text.append(plan.assigned() == 1 ? " has CIDRs" : " have CIDRs").append('\n');
    for (RangeUsage range : plan.usage()) {
      text.append(range).append('\n');
    }
    if (!complete) {
      text.append("not planned: objects were refused, so blocks that they have are not known\n");
    }
    if (!plan.grants().isEmpty()) {
      text.append('\n').append(grants(plan).text());
    }
    if (plan.without() > 0) {
      text.append('\n').append(ReportText.count(plan.without()));
      text.append(plan.without() == 1 ? " gets" : " get").append(" no CIDRs\n");
    }
    if (!plan.findings().isEmpty()) {
      text.append('\n').append(ReportText.findings(plan.findings()).text());
    }
    plan.leaks().forEach(leak -> text.append("\nleak: ").append(leak).append('\n'));
    Set<ErrorCode> codes = ReportText.codes(plan.findings());
    if (!plan.leaks().isEmpty()) {
      codes.add(NodeCidrError.CIDR_LEAKED);
    }
    return text.append(ReportText.remedies(codes)).toString();
  }

  private static TextTable grants(NodePlan plan) {
    TextTable table = new TextTable("NODE", "GETS");
    plan.grants()
        .forEach(
            each ->
                table.row(
                    each.node(),
                    each.cidrs().stream().map(Cidr::toString).collect(Collectors.joining(" "))));
    return table;
  }
}
