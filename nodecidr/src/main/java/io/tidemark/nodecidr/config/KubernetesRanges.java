package io.tidemark.nodecidr.config;

import io.tidemark.config.Option;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.nodecidr.CidrAllocatorType;
import io.tidemark.nodecidr.ledger.ClusterCidrs.Exclusion;
import io.tidemark.nodecidr.ledger.ClusterCidrs.FamilyRanges;
import java.util.ArrayList;
import java.util.List;

/** The settings of the Kubernetes controller manager: one range of each family. Stateless. */
final class KubernetesRanges {
  private KubernetesRanges() {}

  /** The ranges in the order of the setting; empty when they are not sound. */
  static List<FamilyRanges> families(RangeReader reader, CidrAllocatorType type) {
    List<Cidr> ranges = reader.cidrs(NodeCidrKey.CLUSTER_CIDR);
    String key = NodeCidrKey.CLUSTER_CIDR.key();
    int given = NodeCidrKey.CLUSTER_CIDR.read(reader.config()).size();
    if (given == 0) {
      reader.problem(
          key,
          "is not set: " + type.text() + " takes the blocks of the nodes from it",
          "Set it, for example to 10.244.0.0/16.");
    } else if (given > 2) {
      reader.problem(key, "has " + given + " ranges", "Give one range, or one of each family.");
    } else if (ranges.size() == 2 && ranges.get(0).family() == ranges.get(1).family()) {
      reader.problem(
          key,
          "has two ranges of " + ranges.get(0).family(),
          "Give one range, or one of each family.");
    } else if (ranges.size() == given) {
      return families(reader, ranges);
    }
    return List.of();
  }

  private static List<FamilyRanges> families(RangeReader reader, List<Cidr> ranges) {
    List<FamilyRanges> families = new ArrayList<>();
    for (Cidr range : ranges) {
      Option<Integer> mask = mask(reader, range.family(), ranges.size() == 2);
      int before = reader.config().problems().found().size();
      int length = reader.blockLength(mask, range.family(), List.of(range));
      if (reader.config().problems().found().size() == before) {
        families.add(new FamilyRanges(range.family(), length, List.of(range)));
      }
    }
    return families;
  }

  /** The setting that holds the length of a family's blocks. */
  private static Option<Integer> mask(RangeReader reader, IpFamily family, boolean dual) {
    boolean ipv4 = family == IpFamily.IPV4;
    Option<Integer> own = ipv4 ? NodeCidrKey.IPV4_MASK : NodeCidrKey.IPV6_MASK;
    Option<Integer> other = ipv4 ? NodeCidrKey.IPV6_MASK : NodeCidrKey.IPV4_MASK;
    boolean any = reader.config().isGiven(NodeCidrKey.MASK.key());
    if (dual) {
      if (any && ipv4) {
        reader.contradiction(
            NodeCidrKey.MASK,
            NodeCidrKey.CLUSTER_CIDR,
            "with a range of each family, "
                + NodeCidrKey.IPV4_MASK.key()
                + " and "
                + NodeCidrKey.IPV6_MASK.key()
                + " are set");
      }
      return own;
    }
    if (reader.config().isGiven(other.key())) {
      reader.contradiction(
          other, NodeCidrKey.CLUSTER_CIDR, "a cluster of " + family + " alone has no such blocks");
    }
    if (any && reader.config().isGiven(own.key())) {
      reader.contradiction(NodeCidrKey.MASK, own, "both are the length of the same blocks");
    }
    return any ? NodeCidrKey.MASK : own;
  }

  /** What no node gets: the ranges of services, and what is excluded. */
  static List<Exclusion> exclusions(RangeReader reader) {
    List<Exclusion> exclusions = new ArrayList<>();
    List<Exclusion> services = reader.exclusions(NodeCidrKey.SERVICE_RANGE);
    List<Exclusion> second = reader.exclusions(NodeCidrKey.SECONDARY_SERVICE_RANGE);
    if (services.size() > 2) {
      reader.problem(
          NodeCidrKey.SERVICE_RANGE.key(),
          "has " + services.size() + " ranges",
          "Give one range, or one of each family.");
    } else if (services.size() == 2 && !second.isEmpty()) {
      reader.contradiction(
          NodeCidrKey.SECONDARY_SERVICE_RANGE,
          NodeCidrKey.SERVICE_RANGE,
          "the second range of services is set twice");
    }
    exclusions.addAll(services);
    exclusions.addAll(second);
    if (exclusions.size() == 2
        && exclusions.get(0).cidr().family() == exclusions.get(1).cidr().family()) {
      reader.problem(
          exclusions.get(1).reason(),
          "makes two ranges of services of " + exclusions.get(0).cidr().family(),
          "Give one range of services, or one of each family.");
    }
    exclusions.addAll(reader.exclusions(NodeCidrKey.EXCLUDE));
    return exclusions;
  }
}
