package io.tidemark.provider.kit;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.Optional;

/**
 * An interface of {@link Known#POOL}.
 *
 * @param marked a property that a provider may repair
 */
public record Held(
    InterfaceId id,
    AddressSet singles,
    List<Cidr> prefixes,
    Optional<IpAddress> publicAddress,
    boolean marked)
    implements CachedInterface<Held> {
  /** An interface that holds nothing. */
  public static Held empty(String id) {
    return new Held(new InterfaceId(id), AddressSet.of(), List.of(), Optional.empty(), false);
  }

  /** The same with the first so many addresses of 10.0.0.0/24. */
  public Held with(int addresses) {
    AddressSet all = AddressSet.ofRange(Cidr.parse("10.0.0.0/24"));
    return new Held(id, all.first(addresses), prefixes, publicAddress, marked);
  }

  /** The same with a public address. */
  public Held with(IpAddress address) {
    return new Held(id, singles, prefixes, Optional.of(address), marked);
  }

  /** The same, marked. */
  public Held asMarked() {
    return new Held(id, singles, prefixes, publicAddress, true);
  }

  @Override
  public PoolId pool() {
    return Known.POOL;
  }

  @Override
  public int slotsTaken() {
    return singles.size() + prefixes.size();
  }

  @Override
  public Held holding(AddressSet otherSingles, List<Cidr> otherPrefixes) {
    return new Held(id, otherSingles, otherPrefixes, publicAddress, marked);
  }
}
