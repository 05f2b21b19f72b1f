package io.tidemark.nodeid;

import io.tidemark.ip.Cidr;

/**
 * Two ranges that share addresses.
 *
 * @param first in the order of {@link NodeIdRange}
 */
public record RangeOverlap(NodeIdRange first, Cidr firstCidr, NodeIdRange second, Cidr secondCidr) {

  /** The two by name; without a full stop. */
  @Override
  public String toString() {
    return first + " " + firstCidr + " and " + second + " " + secondCidr + " overlap";
  }
}
