package example.provider;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.kit.CachedInterface;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.List;

/** The interface of a machine as the provider remembers it; without blocks. */
record FixedInterface(InterfaceId id, PoolId pool, AddressSet singles, int limit)
    implements CachedInterface<FixedInterface> {

  static FixedInterface of(MachineApi.Machine machine) {
    return new FixedInterface(
        new InterfaceId(machine.id() + "-0"),
        new PoolId(machine.networkId()),
        machine.addresses(),
        machine.limit());
  }

  @Override
  public List<Cidr> prefixes() {
    return List.of();
  }

  @Override
  public int slotsTaken() {
    return singles.size();
  }

  @Override
  public FixedInterface holding(AddressSet otherSingles, List<Cidr> otherPrefixes) {
    return new FixedInterface(id, pool, otherSingles, limit);
  }
}
