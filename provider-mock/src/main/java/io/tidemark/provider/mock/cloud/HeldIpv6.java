package io.tidemark.provider.mock.cloud;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import java.util.List;
import java.util.Objects;

/**
 * The IPv6 part of a network interface. It comes with the interface and goes with it; no request
 * adds to it or takes from it. Immutable.
 *
 * @param addresses assigned one by one
 * @param prefixes delegated blocks
 */
public record HeldIpv6(AddressSet addresses, List<Cidr> prefixes) {
  /** No IPv6. */
  public static final HeldIpv6 NONE = new HeldIpv6(AddressSet.of(), List.of());

  public HeldIpv6 {
    Objects.requireNonNull(addresses, "addresses");
    prefixes = List.copyOf(prefixes);
  }

  /** Whether both hold the same address. */
  public boolean overlaps(HeldIpv6 other) {
    return addresses.intersects(other.addresses)
        || prefixes.stream().anyMatch(each -> other.addresses.containsAny(each))
        || other.prefixes.stream().anyMatch(each -> addresses.containsAny(each))
        || prefixes.stream().anyMatch(each -> other.prefixes.stream().anyMatch(each::overlaps));
  }
}
