package io.tidemark.emulator.ec2.model;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.ip.Ipv4Address;
import io.tidemark.ip.Ipv6Address;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
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
  /** Addresses and prefixes of one family, as one assignment adds or removes them. */
  public record Assigned(List<? extends IpAddress> addresses, List<Cidr> prefixes) {
    public Assigned {
      addresses = List.copyOf(addresses);
      prefixes = List.copyOf(prefixes);
    }
  }

  /** Those of an EFA-only interface. */
  static final InterfaceAddresses NONE =
      new InterfaceAddresses(Optional.empty(), List.of(), List.of(), List.of(), List.of());

  public InterfaceAddresses {
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

  /** Places taken of the type's limit for this family. */
  int places(IpFamily family) {
    return family == IpFamily.IPV4 ? ipv4Places() : ipv6Places();
  }

  /** Whether it holds all of these besides the primary address. */
  boolean holds(IpFamily family, Assigned all) {
    return family == IpFamily.IPV4
        ? secondary.containsAll(all.addresses()) && prefixes.containsAll(all.prefixes())
        : ipv6.containsAll(all.addresses()) && ipv6Prefixes.containsAll(all.prefixes());
  }

  InterfaceAddresses plus(IpFamily family, Assigned more) {
    return family == IpFamily.IPV4
        ? with(joined(secondary, more.addresses()), joined(prefixes, more.prefixes()))
        : withIpv6(joined(ipv6, more.addresses()), joined(ipv6Prefixes, more.prefixes()));
  }

  InterfaceAddresses minus(IpFamily family, Assigned gone) {
    return family == IpFamily.IPV4
        ? with(without(secondary, gone.addresses()), without(prefixes, gone.prefixes()))
        : withIpv6(without(ipv6, gone.addresses()), without(ipv6Prefixes, gone.prefixes()));
  }

  private InterfaceAddresses with(List<Ipv4Address> addresses, List<Cidr> blocks) {
    return new InterfaceAddresses(first, addresses, blocks, ipv6, ipv6Prefixes);
  }

  private InterfaceAddresses withIpv6(List<Ipv6Address> addresses, List<Cidr> blocks) {
    return new InterfaceAddresses(first, secondary, prefixes, addresses, blocks);
  }

  /** The second list holds values of the same type, as every address of one family does. */
  @SuppressWarnings("unchecked")
  private static <T> List<T> joined(List<T> first, Collection<?> second) {
    List<T> all = new ArrayList<>(first);
    all.addAll((Collection<T>) second);
    return all;
  }

  private static <T> List<T> without(List<T> from, Collection<?> gone) {
    return from.stream().filter(t -> !gone.contains(t)).toList();
  }
}
