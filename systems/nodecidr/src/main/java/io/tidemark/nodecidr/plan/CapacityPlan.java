package io.tidemark.nodecidr.plan;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.CidrSet;
import io.tidemark.ip.IpFamily;
import io.tidemark.nodecidr.ledger.BlockSpace;
import io.tidemark.nodecidr.ledger.CidrLedger;
import io.tidemark.nodecidr.ledger.ClusterCidrs;
import io.tidemark.nodecidr.ledger.ClusterCidrs.Exclusion;
import io.tidemark.nodecidr.ledger.ClusterCidrs.FamilyRanges;
import io.tidemark.nodecidr.ledger.RangeUsage;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * How many nodes the ranges serve, by family in the order of a node's CIDRs, and how many are
 * planned for; empty when nobody said so.
 */
public record CapacityPlan(List<FamilyCapacity> families, OptionalLong count) {
  /**
   * The capacity of the ranges of one family.
   *
   * @param blockLength prefix length of a node's block
   * @param ranges each range, without any node
   * @param exclusions what no node gets, of any family, in the ranges or not
   * @param first the block of the first node
   * @param last the highest block that a node can get
   */
  public record FamilyCapacity(
      IpFamily family,
      int blockLength,
      List<RangeUsage> ranges,
      List<Cidr> exclusions,
      Cidr first,
      Cidr last) {
    public BigInteger blocks() {
      return sum(ranges.stream().map(RangeUsage::range));
    }

    public BigInteger excluded() {
      List<Cidr> whole = new ArrayList<>();
      ranges.forEach(it -> touched(it.range(), blockLength, exclusions).forEach(whole::add));
      return sum(whole.stream());
    }

    private BigInteger sum(Stream<Cidr> whole) {
      return whole
          .map(each -> BigInteger.ONE.shiftLeft(blockLength - each.prefixLength()))
          .reduce(BigInteger.ZERO, BigInteger::add);
    }

    public BigInteger usable() {
      return blocks().subtract(excluded());
    }

    /** Addresses of one block, the first and the last included. */
    public BigInteger addressesPerNode() {
      return BigInteger.ONE.shiftLeft(family.bits() - blockLength);
    }
  }

  /** Without nodes; {@link IllegalArgumentException} when exclusions leave no block of a range. */
  public static CapacityPlan of(ClusterCidrs cidrs, OptionalLong count) {
    List<RangeUsage> usage = new CidrLedger(cidrs, Duration.ZERO).usage();
    List<Cidr> exclusions = cidrs.exclusions().stream().map(Exclusion::cidr).toList();
    List<FamilyCapacity> families = new ArrayList<>();
    for (FamilyRanges family : cidrs.families()) {
      int length = family.blockLength();
      List<RangeUsage> ranges =
          usage.stream().filter(each -> each.range().family() == family.family()).toList();
      Cidr first = first(ranges.get(0).range(), length, exclusions);
      Cidr last = last(ranges.get(ranges.size() - 1).range(), length, exclusions);
      families.add(new FamilyCapacity(family.family(), length, ranges, exclusions, first, last));
    }
    return new CapacityPlan(families, count);
  }

  /** The family whose blocks are used up first. */
  public FamilyCapacity scarcest() {
    return families.stream().min(Comparator.comparing(FamilyCapacity::usable)).orElseThrow();
  }

  /** How many nodes get CIDRs; the next one gets none. */
  public BigInteger nodes() {
    return scarcest().usable();
  }

  /** How many of the planned nodes stay without CIDRs; empty when none does. */
  public Optional<BigInteger> lacking() {
    return count.isEmpty()
        ? Optional.empty()
        : Optional.of(BigInteger.valueOf(count.getAsLong()).subtract(nodes()))
            .filter(missing -> missing.signum() > 0);
  }

  private static Cidr first(Cidr range, int blockLength, List<Cidr> exclusions) {
    BlockSpace space = BlockSpace.of(range, blockLength, exclusions);
    exclusions.stream().filter(range::overlaps).forEach(space::occupy);
    return space
        .allocateNext()
        .orElseThrow(() -> new IllegalArgumentException("exclusions leave nothing of " + range));
  }

  /** The highest block that no exclusion touches. */
  private static Cidr last(Cidr range, int blockLength, List<Cidr> exclusions) {
    CidrSet free = CidrSet.copyOf(List.of(range));
    for (Cidr each : touched(range, blockLength, exclusions)) {
      free = free.minus(each);
    }
    if (free.isEmpty()) {
      throw new IllegalArgumentException("exclusions leave nothing of " + range);
    }
    Cidr last = range;
    for (Cidr each : free) {
      last = each;
    }
    return Cidr.containing(last.last(), blockLength);
  }

  /** The whole blocks of a range that exclusions touch. */
  private static CidrSet touched(Cidr range, int blockLength, List<Cidr> exclusions) {
    List<Cidr> blocks = new ArrayList<>();
    for (Cidr each : exclusions) {
      if (each.overlaps(range)) {
        int length = Math.min(blockLength, each.prefixLength());
        Cidr whole = Cidr.containing(each.network(), length);
        blocks.add(whole.contains(range) ? range : whole);
      }
    }
    return CidrSet.copyOf(blocks);
  }
}
