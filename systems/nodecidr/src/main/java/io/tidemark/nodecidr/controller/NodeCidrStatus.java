package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.NodeProblem;
import io.tidemark.nodecidr.controller.CidrNodeReport.State;
import io.tidemark.nodecidr.ledger.RangeUsage;
import java.util.List;
import java.util.Optional;

/**
 * The state of all nodes and ranges at one moment.
 *
 * @param nodes by name
 * @param ranges in the order of the families
 * @param paused why no node gets CIDRs now, such as a second allocator; empty when that is not so
 */
public record NodeCidrStatus(
    List<CidrNodeReport> nodes, List<RangeUsage> ranges, Optional<NodeProblem> paused) {
  public int count(State state) {
    return (int) nodes.stream().filter(each -> each.state() == state).count();
  }
}
