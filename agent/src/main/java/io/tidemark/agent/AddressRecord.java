package io.tidemark.agent;

import io.tidemark.agent.PoolSnapshot.Held;
import org.jspecify.annotations.Nullable;

/** Why an address is not free. The lock of its shard guards it. */
final class AddressRecord {
  /** Where the allocator has the address; -1 while it does not have it. */
  int position;

  Held state;

  /** Who uses it; empty when nobody does. */
  String owner = "";

  /** Whether it was released, as far as is known; {@link #releasedNanos} says when. */
  boolean wasUsed;

  /** When it was last in use; so long ago that it has cooled when it never was. */
  long releasedNanos;

  /** The neighbours in the chain of an {@link OwnerIndex}, while it is in use. */
  @Nullable AddressRecord next;

  @Nullable AddressRecord previous;

  AddressRecord(int position, Held state) {
    this.position = position;
    this.state = state;
  }
}
