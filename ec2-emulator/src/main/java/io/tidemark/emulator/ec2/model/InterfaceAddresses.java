package io.tidemark.emulator.ec2.model;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.Ipv4Address;
import io.tidemark.ip.Ipv6Address;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The addresses of its subnet that an interface holds. Immutable; an address is in one list only.
 *
 * @param first the private IPv4 address that it keeps for life; empty for an EFA-only interface
 * @param secondary further private IPv4 addresses in the order of assignment
 * @param prefixes delegated /28 blocks
 * @param ipv6 single IPv6 addresses
 * @param ipv6Prefixes delegated /80 blocks
 */
public record InterfaceAddresses(
    Optional<Ipv4Address> first,
    List<Ipv4Address> secondary,
    List<Cidr> prefixes,
    List<Ipv6Address> ipv6,
    List<Cidr> ipv6Prefixes) {
  /** Those of an EFA-only interface. */
  static final InterfaceAddresses NONE =
      new InterfaceAddresses(Optional.empty(), List.of(), List.of(), List.of(), List.of());

  public InterfaceAddresses {
    Objects.requireNonNull(first, "first");
    secondary = List.copyOf(secondary);
    prefixes = List.copyOf(prefixes);
    ipv6 = List.copyOf(ipv6);
    ipv6Prefixes = List.copyOf(ipv6Prefixes);
  }

  public static InterfaceAddresses of(Ipv4Address primary) {
    return new InterfaceAddresses(Optional.of(primary), List.of(), List.of(), List.of(), List.of());
  }

  /**
   * The primary address of an interface that has addresses, as all but EFA-only ones do.
   *
   * @throws IllegalStateException when it has none
   */
  public Ipv4Address primary() {
    return first.orElseThrow(() -> new IllegalStateException("an EFA-only interface"));
  }

  /** The primary address, then the secondary ones. */
  public Stream<Ipv4Address> ipv4() {
    return Stream.concat(first.stream(), secondary.stream());
  }

  /** Places taken of the type's IPv4 limit: every address and every prefix is one. */
  public int ipv4Places() {
    return (first.isPresent() ? 1 : 0) + secondary.size() + prefixes.size();
  }

  /** Places taken of the type's IPv6 limit. */
  public int ipv6Places() {
    return ipv6.size() + ipv6Prefixes.size();
  }

  public InterfaceAddresses plus(Collection<Ipv4Address> addresses, Collection<Cidr> blocks) {
    return new InterfaceAddresses(
        first, joined(secondary, addresses), joined(prefixes, blocks), ipv6, ipv6Prefixes);
  }

  public InterfaceAddresses minus(Collection<Ipv4Address> addresses, Collection<Cidr> blocks) {
    return new InterfaceAddresses(
        first, without(secondary, addresses), without(prefixes, blocks), ipv6, ipv6Prefixes);
  }

  public InterfaceAddresses plusIpv6(Collection<Ipv6Address> addresses, Collection<Cidr> blocks) {
    return new InterfaceAddresses(
        first, secondary, prefixes, joined(ipv6, addresses), joined(ipv6Prefixes, blocks));
  }

  public InterfaceAddresses minusIpv6(Collection<Ipv6Address> addresses, Collection<Cidr> blocks) {
    return new InterfaceAddresses(
        first, secondary, prefixes, without(ipv6, addresses), without(ipv6Prefixes, blocks));
  }

  private static <T> List<T> joined(List<T> first, Collection<T> second) {
    List<T> all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }

  private static <T> List<T> without(List<T> from, Collection<T> gone) {
    return from.stream().filter(t -> !gone.contains(t)).toList();
  }
}
