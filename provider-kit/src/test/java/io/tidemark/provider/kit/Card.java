package io.tidemark.provider.kit;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.List;

/** The least a provider can know of an interface. */
record Card(InterfaceId id, AddressSet singles, List<Cidr> prefixes)
    implements CachedInterface<Card> {

  /** The first so many addresses of 10.0.0.0/24. */
  static Card holding(InterfaceId id, int singles) {
    AddressSet all = AddressSet.ofRange(Cidr.parse("10.0.0.0/24"));
    return new Card(id, all.first(singles), List.of());
  }

  @Override
  public PoolId pool() {
    return new PoolId("pool-" + id.text());
  }

  @Override
  public int slotsTaken() {
    return singles.size() + prefixes.size();
  }

  @Override
  public Card holding(AddressSet otherSingles, List<Cidr> otherPrefixes) {
    return new Card(id, otherSingles, otherPrefixes);
  }
}
