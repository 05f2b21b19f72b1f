package io.tidemark.nodecidr.plan;

import static java.util.stream.Collectors.toSet;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.nodecidr.ledger.RangeUsage;
import java.math.BigInteger;
import java.util.List;
import java.util.Set;

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
  public FamilyCapacity {
    ranges = List.copyOf(ranges);
    exclusions = List.copyOf(exclusions);
  }

  /** All blocks. */
  public BigInteger blocks() {
    return ranges.stream()
        .map(range -> BigInteger.ONE.shiftLeft(blockLength - range.range().prefixLength()))
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  /** Blocks that exclusions touch. */
  public BigInteger excluded() {
    return ranges.stream()
        .map(range -> excluded(range.range()))
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  private BigInteger excluded(Cidr range) {
    Set<Cidr> blocks =
        exclusions.stream()
            .filter(range::overlaps)
            .map(each -> blocks(range, each))
            .collect(toSet());
    return blocks.stream()
        .filter(
            each -> blocks.stream().noneMatch(other -> !other.equals(each) && other.contains(each)))
        .map(each -> BigInteger.ONE.shiftLeft(blockLength - each.prefixLength()))
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  /** The whole blocks that an exclusion touches. */
  private Cidr blocks(Cidr range, Cidr exclusion) {
    int length = Math.min(blockLength, exclusion.prefixLength());
    Cidr whole = Cidr.containing(exclusion.network(), length);
    return whole.contains(range) ? range : whole;
  }

  /** How many nodes it serves. */
  public BigInteger usable() {
    return blocks().subtract(excluded());
  }

  /** Addresses of one block, the first and the last included. */
  public BigInteger addressesPerNode() {
    return BigInteger.ONE.shiftLeft(family.bits() - blockLength);
  }
}
