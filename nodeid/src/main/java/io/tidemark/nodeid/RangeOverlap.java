package io.tidemark.nodeid;

import io.tidemark.ip.Cidr;
import java.util.Objects;

/**
 * Two ranges that share addresses.
 *
 * @param first in the order of {@link NodeIdRange}
 */
public record RangeOverlap(NodeIdRange first, Cidr firstCidr, NodeIdRange second, Cidr secondCidr) {
  public RangeOverlap {
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(firstCidr, "firstCidr");
    Objects.requireNonNull(second, "second");
    Objects.requireNonNull(secondCidr, "secondCidr");
  }

  /** The two by name; without a full stop. */
  @Override
  public String toString() {
    return first + " " + firstCidr + " and " + second + " " + secondCidr + " overlap";
  }
}
