package io.tidemark.nodecidr.controller;

import io.tidemark.nodecidr.ledger.RangeUsage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Why a node has the CIDRs that it has, or has none.
 *
 * @param lines sentences for people, the most important first
 */
public record CidrExplanation(CidrNodeReport node, List<String> lines) {
  public CidrExplanation {
    lines = List.copyOf(lines);
  }

  /**
   * Explains it.
   *
   * @param ranges counts the use of the ranges, which takes long; called for a node that has none
   */
  static CidrExplanation of(CidrNodeReport node, Supplier<List<RangeUsage>> ranges, long now) {
    List<String> lines = new ArrayList<>();
    String cidrs = String.join(", ", node.cidrs().stream().map(Object::toString).toList());
    lines.add(
        "Node "
            + node.node().name()
            + switch (node.state()) {
              case ASSIGNED -> " has " + cidrs;
              case WAITING -> " has no CIDRs yet; " + cidrs + " is being written to it";
              case PARKED -> " has no CIDRs";
              case CONFLICT, FOREIGN -> " has " + cidrs + ", which is not in order";
            }
            + ", for "
            + Duration.ofNanos(now - node.sinceNanos()).toSeconds()
            + " s.");
    node.matters().forEach(each -> lines.add(each.message()));
    if (node.state() == CidrNodeReport.State.PARKED) {
      ranges.get().forEach(each -> lines.add(each + "."));
    }
    return new CidrExplanation(node, lines);
  }
}
