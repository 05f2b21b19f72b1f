package io.tidemark.nodeid;

import io.tidemark.ip.Cidr;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How many nodes a cluster can have, by the ranges that nodes take from, in the order of reports.
 */
public record NodeIdCapacity(List<OfRange> ranges) {
  /** How many nodes one range serves: {@code ids} is the highest id that has its part of it. */
  public record OfRange(NodeIdRange range, Cidr cidr, long ids) {
    @Override
    public String toString() {
      return range + " " + cidr;
    }
  }

  /** The highest id that has its part of every range. */
  public long ids() {
    return ranges.stream().mapToLong(OfRange::ids).min().orElseThrow();
  }

  /** The ranges that serve the fewest nodes: to have more nodes, widen all of them. */
  public List<OfRange> scarcest() {
    long least = ids();
    return ranges.stream().filter(each -> each.ids() == least).toList();
  }

  /** The same, for messages. */
  public String scarcestText() {
    return scarcest().stream().map(OfRange::toString).collect(Collectors.joining(" and "));
  }
}
