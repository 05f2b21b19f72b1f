package io.tidemark.spi;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.resilience.CallKind;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A release from one interface. Never its primary address (NM-C8).
 *
 * @param onInterface empty only when there is nothing to release
 * @param addresses singles
 * @param blocks whole blocks
 * @param firstCall the request that opens it
 */
public record ReleaseAction(
    Optional<InterfaceId> onInterface,
    Optional<PoolId> pool,
    AddressSet addresses,
    List<Cidr> blocks,
    CallKind firstCall) {
  public ReleaseAction {
    Objects.requireNonNull(onInterface, "onInterface");
    Objects.requireNonNull(pool, "pool");
    Objects.requireNonNull(addresses, "addresses");
    blocks = List.copyOf(blocks);
    Objects.requireNonNull(firstCall, "firstCall");
  }

  /** Whether there is nothing to release. */
  public boolean isEmpty() {
    return addresses.isEmpty() && blocks.isEmpty();
  }

  /** All addresses that it removes, blocks expanded. */
  public AddressSet allAddresses() {
    AddressSet all = addresses;
    for (Cidr block : blocks) {
      all = all.plus(AddressSet.ofRange(block));
    }
    return all;
  }

  /** The same action for fewer addresses and blocks. */
  public ReleaseAction only(AddressSet fewer, List<Cidr> fewerBlocks) {
    return new ReleaseAction(onInterface, pool, fewer, fewerBlocks, firstCall);
  }
}
