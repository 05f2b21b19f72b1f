package io.tidemark.emulator.ec2.model;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.CidrSet;
import io.tidemark.ip.Ipv6Address;
import java.util.ArrayList;
import java.util.List;

/**
 * The IPv6 addresses that a request specifies; at most one of the four is used.
 *
 * @param addresses these addresses
 * @param count so many addresses of EC2's choice
 * @param prefixes these /80 blocks
 * @param prefixCount so many /80 blocks of EC2's choice
 */
public record Ipv6Request(
    List<Ipv6Address> addresses, int count, List<Cidr> prefixes, int prefixCount) {
  public static final Ipv6Request NONE = new Ipv6Request(List.of(), 0, List.of(), 0);

  public Ipv6Request {
    addresses = List.copyOf(addresses);
    prefixes = List.copyOf(prefixes);
  }

  /** Places of the type's IPv6 limit that it takes. */
  public int places() {
    return addresses.size() + count + prefixes.size() + prefixCount;
  }

  /** Every address that it names, itself or as a part of a prefix. */
  public CidrSet named() {
    List<Cidr> named = new ArrayList<>(prefixes);
    addresses.forEach(address -> named.add(Cidr.of(address, 128)));
    return CidrSet.copyOf(named);
  }

  public boolean wantsPrefixes() {
    return prefixCount > 0 || !prefixes.isEmpty();
  }
}
