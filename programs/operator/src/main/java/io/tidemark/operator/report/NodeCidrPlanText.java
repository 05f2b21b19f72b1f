package io.tidemark.operator.report;

import io.tidemark.nodecidr.ledger.RangeUsage;
import io.tidemark.nodecidr.plan.CapacityPlan;
import io.tidemark.nodecidr.plan.CapacityPlan.FamilyCapacity;
import io.tidemark.program.console.TextTable;
import java.math.BigInteger;
import java.util.Optional;
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
        .ifPresent(
            nodes ->
                text.append('\n').append(NodePlanText.print(nodes, report.refused().isEmpty())));
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
}
