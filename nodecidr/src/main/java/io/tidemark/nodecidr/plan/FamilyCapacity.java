package io.tidemark.nodecidr.plan;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.nodecidr.ledger.RangeUsage;
import java.math.BigInteger;
import java.util.List;
import java.util.Objects;

/**
 * What the ranges of one family are good for.
 *
 * @param blockLength prefix length of a node's block
 * @param ranges each range, without any node
 * @param first the block of the first node
 * @param last the highest block that a node can get
 */
public record FamilyCapacity(
    IpFamily family, int blockLength, List<RangeUsage> ranges, Cidr first, Cidr last) {
  public FamilyCapacity {
    Objects.requireNonNull(family, "family");
    ranges = List.copyOf(ranges);
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(last, "last");
  }

  /** All blocks. */
  public BigInteger blocks() {
    return ranges.stream()
        .map(range -> BigInteger.ONE.shiftLeft(blockLength - range.range().prefixLength()))
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  /** Blocks that exclusions touch, counted among the first 2<sup>62</sup> of each range. */
  public BigInteger excluded() {
    return ranges.stream()
        .map(range -> BigInteger.valueOf(range.excluded()))
        .reduce(BigInteger.ZERO, BigInteger::add);
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
