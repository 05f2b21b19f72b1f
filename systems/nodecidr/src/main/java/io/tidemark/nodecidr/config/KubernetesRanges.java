package io.tidemark.nodecidr.config;

import io.tidemark.config.Option;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.nodecidr.CidrAllocatorType;
import io.tidemark.nodecidr.ledger.ClusterCidrs.Exclusion;
import io.tidemark.nodecidr.ledger.ClusterCidrs.FamilyRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The settings of the Kubernetes controller manager: one range of each family. Stateless. */
final class KubernetesRanges {
  private static final String ONE_OF_EACH = "Give one range, or one of each family.";

  private KubernetesRanges() {}

  /** The ranges in the order of the setting; empty when they are not sound. */
  static List<FamilyRanges> families(RangeReader reader, CidrAllocatorType type) {
    List<Cidr> ranges = reader.cidrs(NodeCidrKey.CLUSTER_CIDR);
    Option<?> key = NodeCidrKey.CLUSTER_CIDR;
    int given = reader.read(NodeCidrKey.CLUSTER_CIDR).size();
    if (given == 0) {
      reader.problem(
          key,
          "is not set: " + type.text() + " takes the blocks of the nodes from it",
          "Set it, for example to 10.244.0.0/16.");
    } else if (given > 2) {
      reader.problem(key, "has " + given + " ranges", ONE_OF_EACH);
    } else if (ranges.size() == 2 && ranges.get(0).family() == ranges.get(1).family()) {
      reader.problem(key, "has two ranges of " + ranges.get(0).family(), ONE_OF_EACH);
    } else if (ranges.size() == given) {
      return families(reader, ranges);
    }
    return List.of();
  }

  /** Of a mode that synchronizes with a cloud: the first of the {@code families} alone. */
  static List<FamilyRanges> first(
      RangeReader reader, CidrAllocatorType type, List<FamilyRanges> families) {
    if (families.size() > 1) {
      String key = NodeCidrKey.CLUSTER_CIDR.key();
      Cidr other = families.get(1).ranges().get(0);
      reader.note(key + ": " + type.text() + " has one family, so " + other + " has no effect");
    }
    return families.stream().limit(1).toList();
  }

  /**
   * Of {@code CloudAllocator}: those of the ranges of services, in their order, IPv4 without any.
   * One range of the cluster makes a cluster of two families, of which the other is the cloud's;
   * anything else in that setting has no effect.
   */
  static List<FamilyRanges> ofCloud(RangeReader reader, List<Exclusion> services) {
    List<IpFamily> order = new ArrayList<>();
    services.forEach(each -> order.add(each.cidr().family()));
    Optional<FamilyRanges> ranged = rangeBesideCloud(reader);
    if (ranged.isEmpty()) {
      return (order.isEmpty() ? List.of(IpFamily.IPV4) : order)
          .stream().map(FamilyRanges::ofCloud).toList();
    }
    IpFamily first = order.isEmpty() ? IpFamily.IPV4 : order.get(0);
    return Stream.of(first, other(first))
        .map(each -> ranged.get().family() == each ? ranged.get() : FamilyRanges.ofCloud(each))
        .toList();
  }

  private static Optional<FamilyRanges> rangeBesideCloud(RangeReader reader) {
    List<String> given = reader.read(NodeCidrKey.CLUSTER_CIDR);
    if (given.isEmpty()) {
      return Optional.empty();
    }
    Optional<Cidr> range = given.size() == 1 ? Cidr.tryParse(given.get(0)) : Optional.empty();
    Optional<FamilyRanges> family =
        range.flatMap(
            it -> {
              boolean any = reader.isGiven(NodeCidrKey.MASK);
              int length = reader.read(any ? NodeCidrKey.MASK : mask(it.family()));
              return length >= it.prefixLength() && length <= it.family().bits()
                  ? Optional.of(new FamilyRanges(it.family(), length, List.of(it)))
                  : Optional.empty();
            });
    String key = NodeCidrKey.CLUSTER_CIDR.key() + ": ";
    String text =
        range.filter(it -> family.isPresent()).map(Cidr::toString).orElse(String.join(",", given));
    reader.note(
        family.isPresent()
            ? key + "nodes get a block of " + text + " beside the range of their instance"
            : key + text + " is not one range with blocks, and has no effect: the cloud decides");
    return family;
  }

  private static IpFamily other(IpFamily family) {
    return family == IpFamily.IPV4 ? IpFamily.IPV6 : IpFamily.IPV4;
  }

  private static Option<Integer> mask(IpFamily family) {
    return family == IpFamily.IPV4 ? NodeCidrKey.IPV4_MASK : NodeCidrKey.IPV6_MASK;
  }

  private static List<FamilyRanges> families(RangeReader reader, List<Cidr> ranges) {
    List<FamilyRanges> families = new ArrayList<>();
    for (Cidr range : ranges) {
      Option<Integer> mask = mask(reader, range.family(), ranges.size() == 2);
      int before = reader.found();
      int length = reader.blockLength(mask, range.family(), List.of(range));
      if (reader.found() == before) {
        families.add(new FamilyRanges(range.family(), length, List.of(range)));
      }
    }
    return families;
  }

  /** The setting that holds the length of a family's blocks. */
  private static Option<Integer> mask(RangeReader reader, IpFamily family, boolean dual) {
    Option<Integer> own = mask(family);
    Option<Integer> other = mask(other(family));
    boolean any = reader.isGiven(NodeCidrKey.MASK);
    if (dual) {
      if (any && family == IpFamily.IPV4) {
        String both = NodeCidrKey.IPV4_MASK.key() + " and " + NodeCidrKey.IPV6_MASK.key();
        reader.contradiction(
            NodeCidrKey.MASK,
            NodeCidrKey.CLUSTER_CIDR,
            "with a range of each family, " + both + " are set");
      }
      return own;
    }
    if (reader.isGiven(other)) {
      reader.contradiction(
          other, NodeCidrKey.CLUSTER_CIDR, "a cluster of " + family + " alone has no such blocks");
    }
    if (any && reader.isGiven(own)) {
      reader.contradiction(NodeCidrKey.MASK, own, "both are the length of the same blocks");
    }
    return any ? NodeCidrKey.MASK : own;
  }

  /** The addresses that no node gets: the ranges of services, and what is excluded. */
  static List<Exclusion> exclusions(RangeReader reader) {
    List<Exclusion> exclusions = new ArrayList<>(services(reader));
    exclusions.addAll(reader.exclusions(NodeCidrKey.EXCLUDE));
    return exclusions;
  }

  /** The ranges of services, the first one first. */
  static List<Exclusion> services(RangeReader reader) {
    List<Exclusion> services = reader.exclusions(NodeCidrKey.SERVICE_RANGE);
    List<Exclusion> second = reader.exclusions(NodeCidrKey.SECONDARY_SERVICE_RANGE);
    if (services.size() > 2) {
      reader.problem(NodeCidrKey.SERVICE_RANGE, "has " + services.size() + " ranges", ONE_OF_EACH);
    } else if (services.size() == 2 && !second.isEmpty()) {
      reader.contradiction(
          NodeCidrKey.SECONDARY_SERVICE_RANGE,
          NodeCidrKey.SERVICE_RANGE,
          "the second range of services is set twice");
    }
    List<Exclusion> all = Stream.concat(services.stream(), second.stream()).toList();
    if (all.size() == 2 && all.get(0).cidr().family() == all.get(1).cidr().family()) {
      reader.problem(
          all.get(1).reason(),
          "makes two ranges of services of " + all.get(0).cidr().family(),
          "Give one range of services, or one of each family.");
    }
    return all;
  }
}
