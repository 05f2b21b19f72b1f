package io.tidemark.emulator.ec2.model;

import io.tidemark.emulator.ec2.protocol.Refusal;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.CidrSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.Ipv6Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How interfaces come to their IPv6 addresses and prefixes, and give them back. */
public final class Ipv6Assignment {
  private final Region region;

  Ipv6Assignment(Region region) {
    this.region = region;
  }

  /** The addresses that an assignment added. */
  public record Assigned(List<Ipv6Address> addresses, List<Cidr> prefixes) {
    public Assigned {
      addresses = List.copyOf(addresses);
      prefixes = List.copyOf(prefixes);
    }
  }

  /**
   * Adds addresses or prefixes.
   *
   * @throws Refusal when the subnet has no IPv6 block, or limit, block or an address refuses
   */
  public Assigned assign(NetworkInterface target, Ipv6Request wanted) {
    return assign(target, wanted, wanted.named());
  }

  /** The same; what EC2 chooses is none of {@code spared}. */
  Assigned assign(NetworkInterface target, Ipv6Request wanted, CidrSet spared) {
    Interfaces.requireAddresses(target);
    requirePlaces(target, wanted);
    SubnetIpv6Addresses books =
        region
            .ipv6Addresses(target.placement().subnetId())
            .orElseThrow(
                () ->
                    Refusal.of(
                        "InvalidParameterValue",
                        "The subnet '"
                            + target.placement().subnetId()
                            + "' does not have an IPv6 CIDR block"));
    Assigned assigned = take(books, wanted, spared);
    NetworkInterface now = region.interfaces().find(target.id()).orElse(target);
    region
        .interfaces()
        .put(
            now.withAddresses(now.addresses().plusIpv6(assigned.addresses(), assigned.prefixes())));
    return assigned;
  }

  /**
   * Gives addresses and prefixes back, all or none.
   *
   * @throws Refusal when one is not on the interface
   */
  public void unassign(NetworkInterface from, List<Ipv6Address> addresses, List<Cidr> prefixes) {
    if (!from.addresses().ipv6().containsAll(addresses)
        || !from.addresses().ipv6Prefixes().containsAll(prefixes)) {
      throw Refusal.of(
          "InvalidParameterValue",
          "Some of the specified addresses are not assigned to interface " + from.id());
    }
    give(from, addresses, prefixes);
    region.interfaces().put(from.withAddresses(from.addresses().minusIpv6(addresses, prefixes)));
  }

  /** Releases all addresses of a deleted interface. */
  void giveAll(NetworkInterface ended) {
    give(ended, ended.addresses().ipv6(), ended.addresses().ipv6Prefixes());
  }

  private void give(NetworkInterface from, List<Ipv6Address> addresses, List<Cidr> prefixes) {
    region
        .ipv6Addresses(from.placement().subnetId())
        .ifPresent(
            books -> {
              addresses.stream().distinct().forEach(books::give);
              prefixes.stream().distinct().forEach(books::givePrefix);
            });
  }

  private void requirePlaces(NetworkInterface target, Ipv6Request wanted) {
    Optional<Instance> instance =
        target.attachment().flatMap(a -> region.instances().find(a.instanceId()));
    if (wanted.wantsPrefixes()) {
      instance.ifPresent(Interfaces::requirePrefixes);
    }
    int limit =
        instance.map(i -> i.type().ipv6PerInterface()).orElse(region.quotas().detachedAddresses());
    if (target.addresses().ipv6Places() + wanted.places() > limit) {
      throw Refusal.of(
          "PrivateIpAddressLimitExceeded", "Number of IPv6 addresses will exceed limit.");
    }
  }

  private static Refusal outside(IpAddress address) {
    return Refusal.of(
        "InvalidParameterValue",
        "Address " + address + " does not fall within the subnet's address range");
  }

  private static Assigned take(SubnetIpv6Addresses books, Ipv6Request wanted, CidrSet spared) {
    List<Ipv6Address> addresses = new ArrayList<>();
    List<Cidr> prefixes = new ArrayList<>();
    for (Ipv6Address address : wanted.addresses()) {
      switch (books.state(address)) {
        case OUTSIDE -> throw outside(address);
        case RESERVED ->
            throw Refusal.of(
                "InvalidParameterValue",
                "Address " + address + " is in subnet's reserved address range");
        case TAKEN ->
            throw Refusal.of("InvalidIPAddress.InUse", "Address " + address + " is in use.");
        case FREE -> books.take(address);
      }
      addresses.add(address);
    }
    for (int i = 0; i < wanted.count(); i++) {
      addresses.add(books.take(spared).orElseThrow(Interfaces::noAddresses));
    }
    for (Cidr prefix : wanted.prefixes()) {
      if (books.state(prefix.first()) == SubnetAddresses.State.OUTSIDE) {
        throw outside(prefix.first());
      }
      if (!books.takePrefix(prefix)) {
        throw Interfaces.noBlocks();
      }
      prefixes.add(prefix);
    }
    for (int i = 0; i < wanted.prefixCount(); i++) {
      prefixes.add(books.takePrefix(spared).orElseThrow(Interfaces::noBlocks));
    }
    return new Assigned(addresses, prefixes);
  }
}
