package io.tidemark.operator.report;

import io.tidemark.config.DurationText;
import io.tidemark.program.console.TextTable;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.PlannedInstance;
import java.time.Duration;

/** The needs of a cluster, for people. Stateless. */
public final class ClusterPlanText {
  private ClusterPlanText() {}

  /** A table of the needs, one of subnets, the time and what does not fit. */
  public static String print(ClusterPlan plan) {
    PlannedInstance has = plan.node();
    TextTable needs = new TextTable("NEEDS", "ONE NODE", plan.nodes() + " NODES");
    row(needs, plan, "pods with an address", plan.served());
    row(needs, plan, "addresses for pods", has.addresses());
    row(needs, plan, "/28 blocks of them", has.blocks());
    row(needs, plan, "interfaces", has.interfaces());
    row(needs, plan, "addresses of subnets", plan.subnetAddresses());
    plan.requests().forEach((kind, count) -> row(needs, plan, kind, count));
    boolean blocks = has.blocks() > 0;
    TextTable subnets =
        new TextTable("SUBNET", "NODES IN ONE", blocks ? "COUNT, AT WORST" : "COUNT");
    for (ClusterPlan.Subnets each : plan.subnets()) {
      String worst = blocks ? ", " + count(each.countScattered()) : "";
      subnets.row("/" + each.prefix(), each.nodes(), count(each.count()) + worst);
    }
    ClusterPlan.Bound bound = plan.bounds().get(0);
    return needs.text()
        + "\n"
        + subnets.text()
        + (blocks ? "at worst: each address outside of blocks takes a /28 of its own\n" : "")
        + "\ntime: at least "
        + DurationText.print(Duration.ofSeconds((long) Math.ceil(bound.seconds())))
        + ", because of "
        + bound.name()
        + "\n"
        + (plan.fits() ? "" : lacking(plan));
  }

  private static String lacking(ClusterPlan plan) {
    BlockedReason code = BlockedReason.ADDRESS_LIMIT;
    return "lacking: a node of "
        + plan.instanceType()
        + " serves "
        + plan.served()
        + " of "
        + plan.pods()
        + " pods, so all serve "
        + (long) plan.served() * plan.nodes()
        + ". "
        + (plan.served() > 0 ? "Use " + plan.nodesNeeded() + " nodes. " : "")
        + (plan.servedWithBlocks() > plan.served()
            ? "With --enable-prefix-delegation a node serves " + plan.servedWithBlocks() + ". "
            : "")
        + code.remedy()
        + " ("
        + code.label()
        + " "
        + code.name()
        + ")\n";
  }

  private static String count(long subnets) {
    return subnets == 0 ? "-" : Long.toString(subnets);
  }

  private static void row(TextTable needs, ClusterPlan plan, String what, long ofNode) {
    needs.row(what, ofNode, ofNode * plan.nodes());
  }
}
