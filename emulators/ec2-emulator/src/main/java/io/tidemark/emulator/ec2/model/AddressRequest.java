package io.tidemark.emulator.ec2.model;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.CidrSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.Ipv4Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The addresses of one family that a request specifies. At most one of the last four is used.
 *
 * @param primary the primary address of a new interface; empty for one of EC2's choice
 * @param addresses these addresses
 * @param count so many addresses of EC2's choice
 * @param prefixes these delegated blocks, /28 or /80
 * @param prefixCount so many delegated blocks of EC2's choice
 */
public record AddressRequest(
    Optional<Ipv4Address> primary,
    List<? extends IpAddress> addresses,
    int count,
    List<Cidr> prefixes,
    int prefixCount) {
  public AddressRequest {
    addresses = List.copyOf(addresses);
    prefixes = List.copyOf(prefixes);
  }

  /** Nothing but a primary address. */
  public static AddressRequest ofPrimary(Optional<Ipv4Address> primary) {
    return new AddressRequest(primary, List.of(), 0, List.of(), 0);
  }

  /** Places of the type's limit that it takes besides the primary address. */
  public int places() {
    return addresses.size() + count + prefixes.size() + prefixCount;
  }

  /** Every address that it names, itself or as a part of a prefix. */
  public CidrSet named() {
    List<Cidr> named = new ArrayList<>(prefixes);
    primary.ifPresent(address -> named.add(Cidr.single(address)));
    addresses.forEach(address -> named.add(Cidr.single(address)));
    return CidrSet.copyOf(named);
  }

  public boolean wantsPrefixes() {
    return prefixCount > 0 || !prefixes.isEmpty();
  }

  /** The first half of the request, rounded up. */
  public AddressRequest half() {
    return new AddressRequest(
        primary,
        addresses.subList(0, (addresses.size() + 1) / 2),
        (count + 1) / 2,
        prefixes.subList(0, (prefixes.size() + 1) / 2),
        (prefixCount + 1) / 2);
  }
}
