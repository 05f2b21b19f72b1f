package io.tidemark.nodeid.controller;

import io.tidemark.nodeid.SubnetPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Why a node has the id that it has, or has none.
 *
 * @param lines sentences for people, the most important first
 */
public record Explanation(NodeReport node, List<String> lines) {
  public Explanation {
    Objects.requireNonNull(node, "node");
    lines = List.copyOf(lines);
  }

  static Explanation of(NodeReport node, Optional<SubnetPlan> plan, long now) {
    List<String> lines = new ArrayList<>();
    String id = node.id().map(each -> "id " + each).orElse("no id");
    lines.add(
        "Node "
            + node.node()
            + " has "
            + id
            + switch (node.state()) {
              case ASSIGNED -> "";
              case WAITING -> ", which it does not show yet";
              case PARKED -> ", and gets none before something changes";
              case CONFLICT -> ", which is not its own alone";
            }
            + ", for "
            + Duration.ofNanos(now - node.sinceNanos()).toSeconds()
            + " s.");
    plan.ifPresent(
        it ->
            lines.add(
                "Its pod subnet is "
                    + it.podSubnet()
                    + ", its link subnet "
                    + it.linkSubnet()
                    + ", its overlay address "
                    + it.overlayAddress()
                    + "."));
    node.findings().forEach(each -> lines.add(each.message()));
    return new Explanation(node, lines);
  }
}
