package io.tidemark.nodecidr.ledger;

import io.tidemark.cluster.NodeProblem;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The ranges that blocks for nodes are taken from.
 *
 * @param families one or two, in the order in which a node lists its CIDRs
 * @param exclusions what no node gets, of any family; parts outside the ranges have no effect
 * @param target the objects that hold the CIDRs
 */
public record ClusterCidrs(List<FamilyRanges> families, List<Exclusion> exclusions, Target target) {
  /** The object that holds the CIDRs of a node, and so whether they can change. */
  public enum Target {
    /** A Node: its CIDRs are set at once, and never change. */
    NODE,
    /**
     * A CiliumNode: what it lacks can be added, others can change it, and the next object of its
     * name may have the same CIDRs.
     */
    CILIUM_NODE
  }

  public ClusterCidrs {
    families = List.copyOf(families);
    exclusions = List.copyOf(exclusions);
    Set<IpFamily> seen = new HashSet<>();
    for (FamilyRanges each : families) {
      if (!seen.add(each.family())) {
        throw new IllegalArgumentException(each.family() + " is given twice");
      }
    }
    if (families.isEmpty()) {
      throw new IllegalArgumentException("there is no family");
    }
  }

  public ClusterCidrs(List<FamilyRanges> families, List<Exclusion> exclusions) {
    this(families, exclusions, Target.NODE);
  }

  /**
   * The ranges of one family.
   *
   * @param blockLength prefix length of the block of one node
   * @param ranges in the order in which they are used up; they do not overlap. None: a cloud
   *     assigns the blocks, of any length
   */
  public record FamilyRanges(IpFamily family, int blockLength, List<Cidr> ranges) {
    public FamilyRanges {
      ranges = List.copyOf(ranges);
      for (int i = 0; i < ranges.size(); i++) {
        Cidr range = ranges.get(i);
        if (range.family() != family
            || blockLength < range.prefixLength()
            || blockLength > family.bits()) {
          throw new IllegalArgumentException(
              range + " has no " + family + " blocks of /" + blockLength);
        }
        if (ranges.subList(0, i).stream().anyMatch(range::overlaps)) {
          throw new IllegalArgumentException(range + " overlaps another range");
        }
      }
    }

    public static FamilyRanges ofCloud(IpFamily family) {
      return new FamilyRanges(family, family.bits(), List.of());
    }

    /** Whether a cloud assigns the blocks, so that none is taken from a range. */
    public boolean isOfCloud() {
      return ranges.isEmpty();
    }
  }

  /** Addresses that no node gets, and what they are for, such as the key of the setting. */
  public record Exclusion(Cidr cidr, String reason) {}

  /** The ranges of a family; empty when it has none. */
  public Optional<FamilyRanges> of(IpFamily family) {
    return families.stream().filter(each -> each.family() == family).findFirst();
  }

  boolean areOfCiliumNodes() {
    return target == Target.CILIUM_NODE;
  }

  /** Of a CiliumNode, the same problem, which begins with what the Cilium operator says. */
  NodeProblem says(NodeProblem problem, String reference) {
    return areOfCiliumNodes()
        ? new NodeProblem(problem.code(), problem.value(), reference + ": " + problem.detail())
        : problem;
  }

  /** Whether a block of any family is taken from a range. */
  public boolean haveRanges() {
    return !families.stream().allMatch(FamilyRanges::isOfCloud);
  }

  /** The family whose blocks include exactly this CIDR; empty when it is no block. */
  public Optional<FamilyRanges> blockOf(Cidr cidr) {
    return of(cidr.family())
        .filter(
            family ->
                family.blockLength() == cidr.prefixLength()
                    && family.ranges().stream().anyMatch(range -> range.contains(cidr)));
  }
}
