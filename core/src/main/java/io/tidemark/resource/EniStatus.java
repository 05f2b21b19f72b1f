package io.tidemark.resource;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The wire form of {@code status.eni} (1.3): every interface of the instance, by its id. The
 * operator writes it as a whole; unknown fields of an interface survive a read-modify-write while
 * the interface is attached. It is here because several clouds write it and agents read it, and
 * none sees another.
 *
 * @param enis by interface id, ids ascending; unmodifiable
 */
public record EniStatus(SortedMap<String, Eni> enis) {
  public EniStatus {
    enis = Collections.unmodifiableSortedMap(new TreeMap<>(enis));
  }

  /** The usable addresses of each interface, those of blocks included, by its id. */
  public Map<String, AddressSet> addressesByInterface() {
    Map<String, AddressSet> shown = new TreeMap<>();
    enis.forEach(
        (id, eni) -> {
          AddressSet addresses = AddressSet.copyOf(eni.addresses());
          for (Cidr prefix : eni.prefixes()) {
            addresses = addresses.plus(AddressSet.ofRange(prefix));
          }
          shown.put(id, addresses);
        });
    return shown;
  }

  /**
   * One interface.
   *
   * @param ip primary address; empty when not known
   * @param number device index
   * @param addresses usable addresses one by one, those of prefixes included (1.3)
   * @param prefixes delegated blocks
   * @param ipv6Prefixes delegated IPv6 blocks
   * @param publicIp associated public address
   */
  public record Eni(
      String id,
      Optional<IpAddress> ip,
      String mac,
      String availabilityZone,
      String description,
      int number,
      SubnetRef subnet,
      VpcRef vpc,
      List<IpAddress> addresses,
      List<Cidr> prefixes,
      List<Cidr> ipv6Prefixes,
      Optional<IpAddress> publicIp,
      List<String> securityGroups,
      Map<String, String> tags) {
    public Eni {
      addresses = List.copyOf(addresses);
      prefixes = List.copyOf(prefixes);
      ipv6Prefixes = List.copyOf(ipv6Prefixes);
      securityGroups = List.copyOf(securityGroups);
      tags = Collections.unmodifiableSortedMap(new TreeMap<>(tags));
    }
  }

  /** Subnet of an interface; id empty and CIDR absent when not known. */
  public record SubnetRef(String id, Optional<Cidr> cidr) {}

  /** VPC of an interface. */
  public record VpcRef(String id, Optional<Cidr> primaryCidr, List<Cidr> cidrs) {
    public VpcRef {
      cidrs = List.copyOf(cidrs);
    }
  }
}
