package io.tidemark.provider.kit.plan;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.kit.CachedInterface;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** An interface with a primary address, of a pool. */
record Port(InterfaceId id, PoolId pool, AddressSet singles, List<Cidr> prefixes)
    implements CachedInterface<Port> {
  /** Interface {@code number} of {@code pool}, with so many singles and blocks. */
  static Port of(int number, String pool, int singles, int blocks) {
    return new Port(
        new InterfaceId("eni-" + number),
        new PoolId(pool),
        AddressSet.ofRange(Cidr.parse("10.0." + number + ".0/24")).first(singles),
        IntStream.range(0, blocks)
            .mapToObj(block -> Cidr.parse("10.1." + number + "." + 16 * block + "/28"))
            .toList());
  }

  @Override
  public Optional<IpAddress> primaryAddress() {
    return Optional.of(IpAddress.parse("10.2.0." + id.text().substring(4)));
  }

  @Override
  public int slotsTaken() {
    return singles.size() + prefixes.size();
  }

  @Override
  public Port holding(AddressSet otherSingles, List<Cidr> otherPrefixes) {
    throw new UnsupportedOperationException("no plan changes an interface");
  }
}
