package io.tidemark.provider.kit;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.Optional;

/**
 * An attached interface as a provider keeps it. Immutable; equal when it says the same.
 *
 * @param <I> the provider's own type
 */
public interface CachedInterface<I extends CachedInterface<I>> {
  /** Its id, by which writes and reads are matched. */
  InterfaceId id();

  /** Where its addresses come from. */
  PoolId pool();

  /** The address that it was born with; empty when it has none that pods could use. */
  default Optional<IpAddress> primaryAddress() {
    return Optional.empty();
  }

  /** Addresses that pods may have and that belong to no block. */
  AddressSet singles();

  /** Blocks, ascending. */
  List<Cidr> prefixes();

  /** IPv6 prefixes; none where the cloud gives none. */
  default List<Cidr> ipv6Prefixes() {
    return List.of();
  }

  /** The public address bound to it; empty when there is none. */
  default Optional<IpAddress> publicAddress() {
    return Optional.empty();
  }

  /** Places taken beside the primary address: what grows with every assignment. */
  int slotsTaken();

  /** This interface holding more; what it holds already is no second time in it. */
  I plus(AddressSet moreSingles, List<Cidr> morePrefixes);

  /** This interface holding less; what it does not hold is no error. */
  I minus(AddressSet goneSingles, List<Cidr> gonePrefixes);
}
