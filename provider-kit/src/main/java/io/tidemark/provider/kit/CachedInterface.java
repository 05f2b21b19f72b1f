package io.tidemark.provider.kit;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** An attached interface in a provider's cache. Immutable; equal by content. */
public interface CachedInterface<I extends CachedInterface<I>> {
  /** Its id, which matches writes and reads. */
  InterfaceId id();

  /** Where its addresses come from. */
  PoolId pool();

  /** Its primary address; empty when it has none that pods could use. */
  default Optional<IpAddress> primaryAddress() {
    return Optional.empty();
  }

  /** Addresses for pods that belong to no block. */
  AddressSet singles();

  /** Blocks, ascending. */
  List<Cidr> prefixes();

  /**
   * Those of its pod addresses that can never be released, whether pods use them or not; none where
   * the cloud has no such addresses.
   */
  default AddressSet pinned() {
    return AddressSet.of();
  }

  /** IPv6 prefixes; none where the cloud gives none. */
  default List<Cidr> ipv6Prefixes() {
    return List.of();
  }

  /** The public address bound to it; empty when there is none. */
  default Optional<IpAddress> publicAddress() {
    return Optional.empty();
  }

  /** Slots in use except for the primary address; every assignment increases it. */
  int slotsTaken();

  /** This interface with these singles and blocks in place of its own. */
  I holding(AddressSet otherSingles, List<Cidr> otherPrefixes);

  /** This interface with more addresses; addresses that it already has are not added twice. */
  default I plus(AddressSet moreSingles, List<Cidr> morePrefixes) {
    return holding(singles().plus(moreSingles), joined(prefixes(), morePrefixes));
  }

  /** This interface with fewer addresses; unknown ones are ignored. */
  default I minus(AddressSet goneSingles, List<Cidr> gonePrefixes) {
    List<Cidr> left = new ArrayList<>(prefixes());
    left.removeAll(gonePrefixes);
    return holding(singles().minus(goneSingles), left);
  }

  /** Blocks with more of them, each once and ascending. */
  static List<Cidr> joined(List<Cidr> held, List<Cidr> more) {
    if (more.isEmpty()) {
      return held;
    }
    return Stream.concat(held.stream(), more.stream()).distinct().sorted().toList();
  }
}
