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
    TextTable needs = new TextTable("NEEDS", "ONE NODE", "CLUSTER OF " + plan.nodes());
    row(needs, plan, "pods with an address", plan.served());
    row(needs, plan, "addresses for pods", has.addresses());
    row(needs, plan, "/28 blocks of them", has.blocks());
    row(needs, plan, "interfaces", has.interfaces());
    row(needs, plan, "addresses of subnets", plan.subnetAddresses());
    row(needs, plan, "network usage, at most " + has.networkMax(), has.inNetwork());
    plan.requests().forEach((kind, count) -> row(needs, plan, kind, count));
    TextTable subnets = new TextTable("SUBNET", "NODES IN ONE", "COUNT");
    for (ClusterPlan.Subnets each : plan.subnets()) {
      subnets.row("/" + each.prefix(), each.nodes(), each.count() == 0 ? "-" : each.count());
    }
    ClusterPlan.Bound bound = plan.bound();
    return needs.text()
        + "\n"
        + subnets.text()
        + "\ntime: about "
        + DurationText.print(Duration.ofSeconds((long) Math.ceil(bound.seconds())))
        + ", because of "
        + bound.name()
        + "\n"
        + (plan.served() == plan.pods() ? "" : lacking(plan))
        + (plan.networks() == 1 ? "" : tooLarge(plan));
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
        + "Use "
        + (plan.served() > 0 ? plan.nodesNeeded() + " nodes, " : "")
        + (plan.engine().maintenance().prefixDelegation()
            ? ""
            : "--enable-prefix-delegation if the type has prefixes, ")
        + "or a larger instance type ("
        + code.label()
        + " "
        + code.name()
        + ").\n";
  }

  private static String tooLarge(ClusterPlan plan) {
    return "too large: a network has at most "
        + plan.node().networkMax()
        + " addresses and blocks, those of "
        + plan.inOneNetwork()
        + " such nodes. Use "
        + (plan.engine().maintenance().prefixDelegation()
            ? ""
            : "--enable-prefix-delegation if such nodes can have blocks, or ")
        + plan.networks()
        + " networks.\n";
  }

  private static void row(TextTable needs, ClusterPlan plan, String what, long ofNode) {
    needs.row(what, ofNode, ofNode * plan.nodes());
  }
}
