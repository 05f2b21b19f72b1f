package io.tidemark.agent;

import io.tidemark.agent.PoolSnapshot.Held;
import io.tidemark.agent.PoolSnapshot.HeldAddress;
import io.tidemark.ip.IpAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Why an address is not free. The lock of its shard guards it. */
final class AddressRecord {
  /** Where the allocator has the address; -1 while it does not have it. */
  int position;

  Held state;
  String owner = "";
  @Nullable RunningLease lease;

  /** When it was last in use; so long ago that it has cooled when it never was. */
  long releasedNanos;

  AddressRecord(int position, Held state) {
    this.position = position;
    this.state = state;
  }

  /** For people. */
  HeldAddress shown(IpAddress ip, ExcludedAddresses exclusions) {
    String name =
        switch (state) {
          case IN_USE -> owner;
          case COOLING -> PoolSnapshot.COOLING_OWNER;
          case EXCLUDED -> String.valueOf(exclusions.ownerOf(ip));
        };
    return new HeldAddress(
        ip, state, name, Optional.ofNullable(lease).map(each -> each.lease().id()));
  }
}
