package io.tidemark.nodeid;

import io.tidemark.config.SharedKey.Profile;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The ranges of a cluster as they are set. {@link #problems()} says what is wrong with them; {@link
 * NodeIdSubnets} takes none that has problems.
 *
 * @param podPrefix prefix length of one node's pod subnet
 * @param linkPrefix prefix length of one node's link subnet
 * @param interconnect empty where main interfaces get their addresses by DHCP
 * @param excluded addresses that no main interface gets, the same for all nodes; sorted
 * @param profile {@code reference} computes as Contiv does, its shifted addresses included
 */
public record NodeIdRanges(
    Cidr pods,
    int podPrefix,
    Cidr links,
    int linkPrefix,
    Optional<Cidr> interconnect,
    Cidr overlay,
    Cidr services,
    List<IpAddress> excluded,
    Profile profile) {
  /** A pod subnet has a network address, a gateway, a NAT loopback and a broadcast address. */
  private static final int POD_HOST_BITS_MIN = 3;

  private static final int LINK_HOST_BITS_MIN = 2;
  private static final int ADDRESS_HOST_BITS_MIN = 2;

  /** Bits that a range for everything needs: two times 2^16 addresses and two times 2^9. */
  private static final int WHOLE_HOST_BITS_MIN = 18;

  private static final int WHOLE_SUBNETS_BITS = 16;
  private static final int WHOLE_ONE_NODE_BITS = 7;
  private static final int WHOLE_ADDRESSES_BITS = 9;

  public enum Part {
    CIDR,
    /** The prefix length of one node's subnet. */
    PREFIX,
    EXCLUDED
  }

  /** A problem of a range, after the name of its setting, and how to solve it in one sentence. */
  public record Problem(NodeIdRange range, Part part, String problem, String remedy) {}

  /** Two ranges that share addresses, in the order of {@link NodeIdRange}. */
  public record RangeOverlap(
      NodeIdRange first, Cidr firstCidr, NodeIdRange second, Cidr secondCidr) {
    /** The two by name; without a full stop. */
    @Override
    public String toString() {
      return first + " " + firstCidr + " and " + second + " " + secondCidr + " overlap";
    }
  }

  public NodeIdRanges {
    excluded = excluded.stream().sorted().distinct().toList();
  }

  /** Whether {@code whole} is wide enough for {@link #splitting}. */
  public static boolean isWholeEnough(Cidr whole) {
    return whole.family().bits() - whole.prefixLength() >= WHOLE_HOST_BITS_MIN;
  }

  /**
   * The four ranges inside one that is {@linkplain #isWholeEnough wide enough}, at fixed places:
   * pod subnets, link subnets, interconnect, overlay. Another interconnect may be computed from its
   * place.
   */
  public static NodeIdRanges splitting(
      Cidr whole,
      UnaryOperator<Optional<Cidr>> interconnect,
      Cidr services,
      List<IpAddress> excluded,
      Profile profile) {
    if (!isWholeEnough(whole)) {
      throw new IllegalArgumentException(whole + " has less than 18 bits for its parts");
    }
    int bits = whole.family().bits();
    int subnets = bits - WHOLE_SUBNETS_BITS;
    int oneNode = bits - WHOLE_ONE_NODE_BITS;
    int addresses = bits - WHOLE_ADDRESSES_BITS;
    int behindSubnets = 2 << (WHOLE_SUBNETS_BITS - WHOLE_ADDRESSES_BITS);
    return new NodeIdRanges(
        whole.subnet(subnets, 0),
        oneNode,
        whole.subnet(subnets, 1),
        oneNode,
        interconnect.apply(Optional.of(whole.subnet(addresses, behindSubnets))),
        whole.subnet(addresses, behindSubnets + 1),
        services,
        excluded,
        profile);
  }

  /** The ranges that are set, in the order of reports. */
  public Map<NodeIdRange, Cidr> all() {
    Map<NodeIdRange, Cidr> all = new EnumMap<>(NodeIdRange.class);
    all.put(NodeIdRange.PODS, pods);
    all.put(NodeIdRange.LINKS, links);
    interconnect.ifPresent(range -> all.put(NodeIdRange.INTERCONNECT, range));
    all.put(NodeIdRange.OVERLAY, overlay);
    all.put(NodeIdRange.SERVICES, services);
    return all;
  }

  /** Every pair of ranges that share addresses. */
  public List<RangeOverlap> overlaps() {
    List<RangeOverlap> found = new ArrayList<>();
    List<Map.Entry<NodeIdRange, Cidr>> ranges = List.copyOf(all().entrySet());
    for (int i = 0; i < ranges.size(); i++) {
      for (int j = i + 1; j < ranges.size(); j++) {
        Cidr first = ranges.get(i).getValue();
        Cidr second = ranges.get(j).getValue();
        if (first.overlaps(second)) {
          found.add(
              new RangeOverlap(ranges.get(i).getKey(), first, ranges.get(j).getKey(), second));
        }
      }
    }
    return List.copyOf(found);
  }

  /** Excluded addresses that exclude nothing, because they are not in the interconnect. */
  public List<IpAddress> excludedOutside() {
    return excluded.stream()
        .filter(address -> interconnect.stream().noneMatch(range -> range.contains(address)))
        .toList();
  }

  /** Everything that is wrong; overlaps are not, they are told apart. */
  public List<Problem> problems() {
    List<Problem> found = new ArrayList<>();
    for (Map.Entry<NodeIdRange, Cidr> each : all().entrySet()) {
      IpFamily family = each.getValue().family();
      if (family != pods.family()) {
        String problem = "is of " + family + ", but the pod subnets are of " + pods.family();
        found.add(new Problem(each.getKey(), Part.CIDR, problem, "Set all ranges to one family."));
      }
    }
    prefix(NodeIdRange.PODS, pods, podPrefix, POD_HOST_BITS_MIN, "no address for pods", found);
    prefix(
        NodeIdRange.LINKS,
        links,
        linkPrefix,
        LINK_HOST_BITS_MIN,
        "less than the two addresses of a link",
        found);
    interconnect.ifPresent(range -> addresses(NodeIdRange.INTERCONNECT, range, found));
    addresses(NodeIdRange.OVERLAY, overlay, found);
    for (IpAddress each : excluded) {
      if (interconnect.isPresent() && each.family() != interconnect.get().family()) {
        Cidr range = interconnect.get();
        found.add(
            new Problem(
                NodeIdRange.INTERCONNECT,
                Part.EXCLUDED,
                "has " + each + ", but the interconnect " + range + " is of " + range.family(),
                "Exclude addresses of the interconnect alone."));
      }
    }
    return List.copyOf(found);
  }

  private static void prefix(
      NodeIdRange range, Cidr parent, int prefix, int hostBits, String lack, List<Problem> found) {
    int shortest = parent.prefixLength() + 1;
    int longest = parent.family().bits() - hostBits;
    if (prefix < shortest || prefix > longest) {
      String tooLong =
          prefix > parent.family().bits() ? "is longer than an address" : "leaves " + lack;
      found.add(
          new Problem(
              range,
              Part.PREFIX,
              prefix < shortest ? "is no longer than the prefix length of " + parent : tooLong,
              "Expected: " + shortest + " to " + longest + "."));
    }
  }

  private void addresses(NodeIdRange range, Cidr cidr, List<Problem> found) {
    if (cidr.family().bits() - cidr.prefixLength() < ADDRESS_HOST_BITS_MIN) {
      found.add(
          new Problem(
              range,
              Part.CIDR,
              "has no address for a node",
              "Expected: a prefix length of " + (cidr.family().bits() - 2) + " or shorter."));
    } else if (range == NodeIdRange.INTERCONNECT
        && new InterconnectAddresses(cidr, excluded, profile).ids() == 0) {
      found.add(
          new Problem(
              range, Part.EXCLUDED, "leaves no address of " + cidr, "Exclude fewer addresses."));
    }
  }
}
