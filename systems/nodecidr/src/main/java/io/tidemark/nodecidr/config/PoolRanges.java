package io.tidemark.nodecidr.config;

import io.tidemark.config.Option;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.nodecidr.ledger.ClusterCidrs.FamilyRanges;
import java.util.ArrayList;
import java.util.List;

/** The settings of the Cilium operator's cluster-pool mode: several ranges of each family. */
final class PoolRanges {
  private PoolRanges() {}

  /** The ranges, IPv4 first; empty when they are not sound. */
  static List<FamilyRanges> families(RangeReader reader) {
    List<FamilyRanges> families = new ArrayList<>();
    boolean given = false;
    for (IpFamily family : IpFamily.values()) {
      given |= add(families, reader, family);
    }
    if (families.isEmpty() && !given) {
      reader.problem(
          NodeCidrKey.POOL_IPV4,
          "is not set, nor is " + NodeCidrKey.POOL_IPV6.key() + ": there are no ranges",
          "Set one of them, for example to 10.0.0.0/8.");
    }
    return families;
  }

  /** Adds the ranges of a family if they are sound; whether one of its settings is given. */
  private static boolean add(List<FamilyRanges> families, RangeReader reader, IpFamily family) {
    boolean ipv4 = family == IpFamily.IPV4;
    Option<String> flag = ipv4 ? NodeCidrKey.ENABLE_IPV4 : NodeCidrKey.ENABLE_IPV6;
    Option<List<String>> list = ipv4 ? NodeCidrKey.POOL_IPV4 : NodeCidrKey.POOL_IPV6;
    Option<Integer> mask = ipv4 ? NodeCidrKey.POOL_IPV4_MASK : NodeCidrKey.POOL_IPV6_MASK;
    int before = reader.found();
    List<Cidr> ranges = new ArrayList<>();
    for (Cidr range : reader.cidrs(list)) {
      if (range.family() == family) {
        ranges.add(range);
      } else {
        String problem = "has " + range + ", which is not " + family;
        reader.problem(list, problem, "Give ranges of " + family + ".");
      }
    }
    boolean given = !reader.read(list).isEmpty();
    String enabled = reader.read(flag);
    boolean on = enabled.isEmpty() ? given : enabled.equals("true");
    if (on != given) {
      reader.contradiction(
          flag, list, on ? "there is no range of " + family : "there are ranges of " + family);
    }
    if (!ranges.isEmpty()) {
      int length = reader.blockLength(mask, family, ranges);
      if (reader.areApart(list, ranges) && reader.found() == before) {
        families.add(new FamilyRanges(family, length, ranges));
      }
    }
    return reader.isGiven(list) || reader.isGiven(flag);
  }
}
