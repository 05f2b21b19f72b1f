package io.tidemark.emulator.ec2.model;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.CidrSet;
import io.tidemark.ip.Ipv4Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The IPv4 addresses that a request specifies. At most one of the last four is used.
 *
 * @param primary the primary address of a new interface; empty for one of EC2's choice
 * @param secondary these addresses
 * @param count so many addresses of EC2's choice
 * @param prefixes these /28 blocks
 * @param prefixCount so many /28 blocks of EC2's choice
 */
public record AddressRequest(
    Optional<Ipv4Address> primary,
    List<Ipv4Address> secondary,
    int count,
    List<Cidr> prefixes,
    int prefixCount) {
  /** Nothing but a primary address of EC2's choice. */
  public static final AddressRequest NONE =
      new AddressRequest(Optional.empty(), List.of(), 0, List.of(), 0);

  public AddressRequest {
    Objects.requireNonNull(primary, "primary");
    secondary = List.copyOf(secondary);
    prefixes = List.copyOf(prefixes);
  }

  /** Places of the type's limit that it takes besides the primary address. */
  public int places() {
    return secondary.size() + count + prefixes.size() + prefixCount;
  }

  /** Every address that it names, itself or as a part of a prefix. */
  public CidrSet named() {
    List<Cidr> named = new ArrayList<>(prefixes);
    primary.ifPresent(address -> named.add(single(address)));
    secondary.forEach(address -> named.add(single(address)));
    return CidrSet.copyOf(named);
  }

  private static Cidr single(Ipv4Address address) {
    return Cidr.of(address, 32);
  }

  public boolean wantsPrefixes() {
    return prefixCount > 0 || !prefixes.isEmpty();
  }

  /** The first half of the request, rounded up. */
  public AddressRequest half() {
    return new AddressRequest(
        primary,
        secondary.subList(0, (secondary.size() + 1) / 2),
        (count + 1) / 2,
        prefixes.subList(0, (prefixes.size() + 1) / 2),
        (prefixCount + 1) / 2);
  }
}
