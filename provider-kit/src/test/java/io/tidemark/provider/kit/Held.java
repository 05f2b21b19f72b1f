package io.tidemark.provider.kit;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * An interface.
 *
 * @param marked a property that a provider may repair
 */
public record Held(
    InterfaceId id,
    PoolId pool,
    AddressSet singles,
    List<Cidr> prefixes,
    Optional<IpAddress> primaryAddress,
    Optional<IpAddress> publicAddress,
    AddressSet pinned,
    boolean marked)
    implements CachedInterface<Held> {
  /** An interface of {@link Known#POOL} without a primary address. */
  public static Held of(InterfaceId id, AddressSet singles, List<Cidr> prefixes) {
    return new Held(
        id,
        Known.POOL,
        singles,
        prefixes,
        Optional.empty(),
        Optional.empty(),
        AddressSet.of(),
        false);
  }

  /**
   * Interface {@code number} of {@code pool}, with primary address 10.2.0.number, so many singles
   * from 10.0.number.0 and blocks from 10.1.number.0 on.
   */
  public static Held of(int number, String pool, int singles, int blocks) {
    return new Held(
        new InterfaceId("eni-" + number),
        new PoolId(pool),
        AddressSet.ofRange(Cidr.parse("10.0." + number + ".0/24")).first(singles),
        IntStream.range(0, blocks)
            .mapToObj(block -> Cidr.parse("10.1." + number + "." + 16 * block + "/28"))
            .toList(),
        Optional.of(IpAddress.parse("10.2.0." + number)),
        Optional.empty(),
        AddressSet.of(),
        false);
  }

  /** One with the first so many addresses of 10.0.0.0/24. */
  public static Held holding(InterfaceId id, int singles) {
    return of(id, AddressSet.ofRange(Cidr.parse("10.0.0.0/24")).first(singles), List.of());
  }

  /** An interface that holds nothing. */
  public static Held empty(String id) {
    return holding(new InterfaceId(id), 0);
  }

  /** The same with the first so many addresses of 10.0.0.0/24. */
  public Held with(int addresses) {
    return holding(holding(id, addresses).singles, prefixes);
  }

  /** The same with a public address. */
  public Held with(IpAddress address) {
    return new Held(
        id, pool, singles, prefixes, primaryAddress, Optional.of(address), pinned, marked);
  }

  /** The same with addresses that can never be released. */
  public Held pinning(AddressSet addresses) {
    return new Held(id, pool, singles, prefixes, primaryAddress, publicAddress, addresses, marked);
  }

  /** The same, marked. */
  public Held asMarked() {
    return new Held(id, pool, singles, prefixes, primaryAddress, publicAddress, pinned, true);
  }

  @Override
  public int slotsTaken() {
    return singles.size() + prefixes.size();
  }

  @Override
  public Held holding(AddressSet otherSingles, List<Cidr> otherPrefixes) {
    return new Held(
        id, pool, otherSingles, otherPrefixes, primaryAddress, publicAddress, pinned, marked);
  }
}
