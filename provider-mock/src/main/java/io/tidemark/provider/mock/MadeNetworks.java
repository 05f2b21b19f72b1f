package io.tidemark.provider.mock;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.mock.cloud.Subnet;
import io.tidemark.provider.mock.cloud.Vpc;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * MockNetworks for manifests that do not show any: made from the ids they name, the same at every
 * start. Pure.
 */
final class MadeNetworks {
  static final String VPC = "vpc-mock";
  static final String ZONE = "mock-1a";
  static final Cidr VPC_CIDR = Cidr.parse("10.0.0.0/8");

  private static final int VPC_LENGTH = 16;
  private static final int SUBNET_LENGTH_LEAST = 8;
  private static final int SUBNET_LENGTH_MIN = 16;
  private static final int SUBNET_LENGTH_MAX = 28;
  private static final int RESERVED_FIRST = 4;
  private static final int SUBNETS_PER_VPC_BITS = 8;

  private MadeNetworks() {}

  /** The VPCs of configured subnets: each with the /16s that its subnets lie in. */
  static List<Vpc> vpcs(List<Subnet> subnets) {
    Map<String, TreeSet<Cidr>> cidrs = new TreeMap<>();
    for (Subnet subnet : subnets) {
      int length = Math.min(VPC_LENGTH, subnet.cidr().prefixLength());
      cidrs
          .computeIfAbsent(subnet.vpcId(), id -> new TreeSet<>())
          .add(Cidr.containing(subnet.cidr().network(), length));
    }
    List<Vpc> vpcs = new ArrayList<>();
    cidrs.forEach(
        (id, all) ->
            vpcs.add(new Vpc(id, all.first(), List.copyOf(all.tailSet(all.first(), false)))));
    return vpcs;
  }

  /** The subnet of a zone whose name nobody says. */
  static String subnetId(String zone) {
    return "subnet-" + zone;
  }

  /** Whether a subnet of this CIDR gives the address out: not its first four, not its last. */
  static boolean holds(Cidr subnet, IpAddress address) {
    if (!subnet.contains(address)) {
      return false;
    }
    long index = subnet.indexOf(address);
    return index >= RESERVED_FIRST && index < subnet.sizeSaturated() - 1;
  }

  /**
   * A subnet of this id around addresses that it is known to hold; without any, as {@link #subnet}.
   * Empty when none fits beside the other subnets.
   *
   * @param addresses IPv4
   */
  static Optional<Subnet> around(
      String id,
      String vpcId,
      String zone,
      Cidr vpcCidr,
      AddressSet addresses,
      Collection<Subnet> others) {
    if (addresses.isEmpty()) {
      return subnet(id, vpcId, zone, vpcCidr, others);
    }
    for (int length = lengthIn(vpcCidr); length >= SUBNET_LENGTH_LEAST; length--) {
      Cidr cidr = Cidr.containing(addresses.at(0), length);
      if (addresses.toList().stream().allMatch(address -> holds(cidr, address))) {
        return others.stream()
                .anyMatch(other -> other.vpcId().equals(vpcId) && other.cidr().overlaps(cidr))
            ? Optional.empty()
            : Optional.of(new Subnet(id, vpcId, zone, cidr, Map.of()));
      }
    }
    return Optional.empty();
  }

  private static int lengthIn(Cidr vpcCidr) {
    return Math.min(
        SUBNET_LENGTH_MAX,
        Math.max(SUBNET_LENGTH_MIN, vpcCidr.prefixLength() + SUBNETS_PER_VPC_BITS));
  }

  /**
   * A subnet of this id in a part of its VPC that no other subnet holds: where its id puts it, else
   * the next free part. Empty when the VPC has no room for it.
   */
  static Optional<Subnet> subnet(
      String id, String vpcId, String zone, Cidr vpcCidr, Collection<Subnet> others) {
    int length = lengthIn(vpcCidr);
    if (length < vpcCidr.prefixLength()) {
      return Optional.empty();
    }
    long count = vpcCidr.subnetCountSaturated(length);
    long first = Math.floorMod((long) id.hashCode(), count);
    for (long step = 0; step < count; step++) {
      Cidr cidr = vpcCidr.subnet(length, (first + step) % count);
      boolean taken =
          others.stream()
              .anyMatch(other -> other.vpcId().equals(vpcId) && other.cidr().overlaps(cidr));
      if (!taken) {
        return Optional.of(new Subnet(id, vpcId, zone, cidr, Map.of()));
      }
    }
    return Optional.empty();
  }
}
