package io.tidemark.agent;

import io.tidemark.agent.PoolSnapshot.Held;
import io.tidemark.time.ReleaseTimes;
import org.jspecify.annotations.Nullable;

/** Why an address is not free. The lock of its shard guards it. */
final class AddressRecord {
  /** Where the allocator has the address; -1 while it does not have it. */
  int position;

  Held state;

  /** Who uses it; empty when nobody does. */
  String owner = "";

  /** When it was released last; {@link ReleaseTimes#NEVER} when that is not known. */
  long releasedNanos = ReleaseTimes.NEVER;

  /** The neighbours in the chain of an {@link OwnerIndex}, while it is in use. */
  @Nullable AddressRecord next;

  @Nullable AddressRecord previous;

  boolean wasReleased() {
    return releasedNanos != ReleaseTimes.NEVER;
  }

  AddressRecord(int position, Held state) {
    this.position = position;
    this.state = state;
  }
}
