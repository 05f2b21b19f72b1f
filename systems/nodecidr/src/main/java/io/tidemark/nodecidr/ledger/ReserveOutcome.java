package io.tidemark.nodecidr.ledger;

import io.tidemark.cluster.NodeProblem;
import io.tidemark.ip.Cidr;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The result for a node without pod CIDRs. */
public sealed interface ReserveOutcome {
  /** The ranges of the family that lacks blocks; empty when none does. */
  default List<RangeUsage> usage() {
    return List.of();
  }

  /** Why the node gets no blocks now; empty when that is no matter for people. */
  default Optional<NodeProblem> shortage() {
    return Optional.empty();
  }

  /** Blocks to write to the node: new ones, or those of its open reservation. */
  record Reserved(Reservation reservation) implements ReserveOutcome {}

  /** Nothing: it has CIDRs already, whatever a late version of the node shows. */
  record Assigned(List<Cidr> cidrs) implements ReserveOutcome {}

  /** Nothing: a family, whose usage this is, has no free block; the next one wakes the node. */
  record Exhausted(List<RangeUsage> usage) implements ReserveOutcome {
    @Override
    public Optional<NodeProblem> shortage() {
      return Optional.of(new NodeProblem(NodeCidrError.CIDR_EXHAUSTED, text(usage)));
    }
  }

  /**
   * Nothing yet: a family, whose usage this is, has no block but those that cool; or, without
   * usage, nothing is given out before a time.
   */
  record Withheld(List<RangeUsage> usage) implements ReserveOutcome {
    @Override
    public Optional<NodeProblem> shortage() {
      String former = "requests of a former leader may still have an effect";
      return Optional.of(
          new NodeProblem(NodeCidrError.CIDR_WITHHELD, usage.isEmpty() ? former : text(usage)));
    }
  }

  /**
   * Nothing yet: a next leader must be able to know first how far blocks are given out, which takes
   * one write of the lease.
   */
  record Unpublished() implements ReserveOutcome {}

  private static String text(List<RangeUsage> usage) {
    return usage.stream().map(RangeUsage::toString).collect(Collectors.joining("; "));
  }
}
