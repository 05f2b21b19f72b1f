package io.tidemark.provider.mock;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.kit.CachedInterface;
import io.tidemark.provider.mock.cloud.HeldIpv6;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An attached interface as the cache holds it: what plans and the published status need, no more.
 *
 * @param index device index
 * @param pool its subnet
 * @param singles secondary addresses that belong to no block, without the primary one
 * @param prefixes blocks, a /28 each, ascending
 * @param ipv6 its IPv6 part, which nothing here changes
 */
record MockInterface(
    InterfaceId id,
    int index,
    PoolId pool,
    String mac,
    String description,
    IpAddress primary,
    AddressSet singles,
    List<Cidr> prefixes,
    List<String> securityGroups,
    Map<String, String> tags,
    boolean deleteOnTermination,
    Optional<IpAddress> publicAddress,
    HeldIpv6 ipv6)
    implements CachedInterface<MockInterface> {
  MockInterface {
    prefixes = List.copyOf(prefixes);
    securityGroups = List.copyOf(securityGroups);
    tags = Map.copyOf(tags);
  }

  @Override
  public Optional<IpAddress> primaryAddress() {
    return Optional.of(primary);
  }

  @Override
  public List<Cidr> ipv6Prefixes() {
    return ipv6.prefixes();
  }

  @Override
  public int slotsTaken() {
    return singles.size() + prefixes.size();
  }

  @Override
  public MockInterface holding(AddressSet otherSingles, List<Cidr> otherPrefixes) {
    return with(otherSingles, otherPrefixes, deleteOnTermination, publicAddress);
  }

  /** The interface at a device index. */
  static Optional<MockInterface> at(int index, List<MockInterface> interfaces) {
    for (MockInterface each : interfaces) {
      if (each.index() == index) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  MockInterface withDeleteOnTermination(boolean marked) {
    return with(singles, prefixes, marked, publicAddress);
  }

  MockInterface withPublicAddress(IpAddress address) {
    return with(singles, prefixes, deleteOnTermination, Optional.of(address));
  }

  private MockInterface with(
      AddressSet otherSingles,
      List<Cidr> otherPrefixes,
      boolean marked,
      Optional<IpAddress> otherPublicAddress) {
    return new MockInterface(
        id,
        index,
        pool,
        mac,
        description,
        primary,
        otherSingles,
        otherPrefixes,
        securityGroups,
        tags,
        marked,
        otherPublicAddress,
        ipv6);
  }
}
