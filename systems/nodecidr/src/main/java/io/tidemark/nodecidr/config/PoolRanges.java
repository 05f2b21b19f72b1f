package io.tidemark.nodecidr.config;

import io.tidemark.config.Option;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.nodecidr.ledger.ClusterCidrs.FamilyRanges;
import java.util.ArrayList;
import java.util.List;

/**
 * The settings of the Cilium operator's cluster-pool mode: several ranges of each family.
 * Stateless.
 */
final class PoolRanges {
  private PoolRanges() {}

  /** The ranges, IPv4 first; empty when they are not sound. */
  static List<FamilyRanges> families(RangeReader reader) {
    List<FamilyRanges> families = new ArrayList<>();
    add(
        families,
        reader,
        IpFamily.IPV4,
        NodeCidrKey.ENABLE_IPV4,
        NodeCidrKey.POOL_IPV4,
        NodeCidrKey.POOL_IPV4_MASK);
    add(
        families,
        reader,
        IpFamily.IPV6,
        NodeCidrKey.ENABLE_IPV6,
        NodeCidrKey.POOL_IPV6,
        NodeCidrKey.POOL_IPV6_MASK);
    boolean given =
        reader.isGiven(NodeCidrKey.POOL_IPV4)
            || reader.isGiven(NodeCidrKey.POOL_IPV6)
            || reader.isGiven(NodeCidrKey.ENABLE_IPV4)
            || reader.isGiven(NodeCidrKey.ENABLE_IPV6);
    if (families.isEmpty() && !given) {
      reader.problem(
          NodeCidrKey.POOL_IPV4,
          "is not set, nor is " + NodeCidrKey.POOL_IPV6.key() + ": there are no ranges",
          "Set one of them, for example to 10.0.0.0/8.");
    }
    return families;
  }

  private static void add(
      List<FamilyRanges> families,
      RangeReader reader,
      IpFamily family,
      Option<String> flag,
      Option<List<String>> list,
      Option<Integer> mask) {
    int before = reader.found();
    List<Cidr> ranges = new ArrayList<>();
    for (Cidr range : reader.cidrs(list)) {
      if (range.family() == family) {
        ranges.add(range);
      } else {
        reader.problem(
            list.key(),
            "has " + range + ", which is not " + family,
            "Give ranges of " + family + ".");
      }
    }
    boolean given = !reader.read(list).isEmpty();
    String enabled = reader.read(flag);
    boolean on = enabled.isEmpty() ? given : enabled.equals("true");
    if (on != given) {
      reader.contradiction(
          flag, list, on ? "there is no range of " + family : "there are ranges of " + family);
    }
    if (ranges.isEmpty()) {
      return;
    }
    int length = reader.blockLength(mask, family, ranges);
    if (reader.areApart(list, ranges) && reader.found() == before) {
      families.add(new FamilyRanges(family, length, ranges));
    }
  }
}
