package io.tidemark.spi.inventory;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.spi.InterfaceId;
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
  public int slotsTaken() {
    return singles.size() + prefixes.size();
  }

  @Override
  public Card plus(AddressSet moreSingles, List<Cidr> morePrefixes) {
    return new Card(id, singles.plus(moreSingles), prefixes);
  }

  @Override
  public Card minus(AddressSet goneSingles, List<Cidr> gonePrefixes) {
    return new Card(id, singles.minus(goneSingles), prefixes);
  }
}
