package io.tidemark.provider.mock;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.provider.mock.cloud.HeldIpv6;
import io.tidemark.resource.EniStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An interface as the status section shows it. Pure.
 *
 * @param subnetCidr empty when not shown
 * @param vpcCidr the VPC's first block, empty when not shown
 * @param vpcCidrs its further blocks
 * @param zoneShown whether the zone is the interface's own, not one that stands elsewhere
 * @param singles IPv4 addresses beside the primary one that belong to no block
 */
record ShownInterface(
    String id,
    int index,
    String subnetId,
    Optional<Cidr> subnetCidr,
    String vpcId,
    Optional<Cidr> vpcCidr,
    List<Cidr> vpcCidrs,
    String zone,
    boolean zoneShown,
    String mac,
    String description,
    Optional<IpAddress> primary,
    AddressSet singles,
    List<Cidr> prefixes,
    HeldIpv6 ipv6,
    Optional<IpAddress> publicAddress,
    List<String> securityGroups,
    Map<String, String> tags) {

  static ShownInterface of(EniStatus.Eni eni, int index, String vpcId, String zone, String home) {
    List<Cidr> prefixes =
        eni.prefixes().stream().filter(ShownInterface::isBlock).distinct().toList();
    AddressSet.Builder singles = AddressSet.builder();
    AddressSet.Builder ipv6 = AddressSet.builder();
    for (IpAddress address : eni.addresses()) {
      if (address.family() == IpFamily.IPV6) {
        ipv6.add(address);
      } else if (prefixes.stream().noneMatch(block -> block.contains(address))
          && !eni.ip().equals(Optional.of(address))) {
        singles.add(address);
      }
    }
    return new ShownInterface(
        eni.id(),
        index,
        or(eni.subnet().id(), home),
        eni.subnet().cidr(),
        or(eni.vpc().id(), vpcId),
        eni.vpc().primaryCidr(),
        eni.vpc().cidrs(),
        or(eni.availabilityZone(), zone),
        !eni.availabilityZone().isEmpty(),
        eni.mac(),
        eni.description(),
        eni.ip().filter(address -> address.family() == IpFamily.IPV4),
        singles.build(),
        prefixes,
        new HeldIpv6(ipv6.build(), eni.ipv6Prefixes()),
        eni.publicIp(),
        eni.securityGroups(),
        eni.tags());
  }

  /** Impossible properties of an interface. */
  static List<String> problems(String key, EniStatus.Eni eni) {
    List<String> problems = new ArrayList<>();
    if (key.isEmpty() || !key.equals(eni.id())) {
      problems.add(path(key) + ".id: '" + eni.id() + "' is not the key");
    }
    eni.ip()
        .filter(address -> address.family() != IpFamily.IPV4)
        .ifPresent(address -> problems.add(path(key) + ".ip: " + address + " is not IPv4"));
    for (Cidr prefix : eni.prefixes()) {
      if (!isBlock(prefix)) {
        problems.add(path(key) + ".prefixes: " + prefix + " is not an IPv4 /28");
      }
    }
    for (Cidr prefix : eni.ipv6Prefixes()) {
      if (prefix.family() != IpFamily.IPV6) {
        problems.add(path(key) + ".ipv6-prefixes: " + prefix + " is not IPv6");
      }
    }
    return problems;
  }

  static String path(String key) {
    return "status.eni.enis." + key;
  }

  /** Where it stands in the object. */
  String path() {
    return path(id);
  }

  /** The IPv4 addresses it holds, the primary one included. */
  AddressSet ipv4() {
    AddressSet all = primary.isPresent() ? singles.plus(primary.get()) : singles;
    for (Cidr block : prefixes) {
      all = all.plus(AddressSet.ofRange(block));
    }
    return all;
  }

  /** The addresses that pods may use, the primary one apart. */
  AddressSet podAddresses() {
    AddressSet all = singles.plus(ipv6.addresses());
    for (Cidr block : prefixes) {
      all = all.plus(AddressSet.ofRange(block));
    }
    return all;
  }

  /** All addresses of its subnets, the primary one included. */
  AddressSet addresses() {
    return ipv4().plus(ipv6.addresses());
  }

  /** The part that this interface and another both claim; empty when there is nothing. */
  Optional<String> clash(ShownInterface other) {
    if (id.equals(other.id)) {
      return Optional.of("interface " + id);
    }
    if (vpcId.equals(other.vpcId)) {
      Optional<IpAddress> both = ipv4().intersect(other.ipv4()).first();
      if (both.isPresent()) {
        return Optional.of("address " + both.get());
      }
    }
    return clash(other.ipv6, other.publicAddress);
  }

  /** The part that this interface and one with these both claim; empty when there is nothing. */
  Optional<String> clash(HeldIpv6 theirs, Optional<IpAddress> theirPublicAddress) {
    if (ipv6.overlaps(theirs)) {
      return Optional.of("an IPv6 address of interface " + id);
    }
    return publicAddress.isPresent() && publicAddress.equals(theirPublicAddress)
        ? Optional.of("public address " + publicAddress.get())
        : Optional.empty();
  }

  private static boolean isBlock(Cidr prefix) {
    return prefix.family() == IpFamily.IPV4 && prefix.prefixLength() == 28;
  }

  private static String or(String text, String otherwise) {
    return text.isEmpty() ? otherwise : text;
  }
}
