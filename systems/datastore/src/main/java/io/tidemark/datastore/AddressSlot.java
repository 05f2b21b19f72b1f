package io.tidemark.datastore;

import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.ip.IpAddress;
import io.tidemark.time.ReleaseTimes;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An address in a {@link StorePool} that is not free. */
final class AddressSlot {
  enum Use {
    /** A sandbox, once that is durable. */
    ASSIGNING,
    ASSIGNED,
    /** A sandbox, until its release is durable. */
    RELEASING,
    /** Nobody, for a while. */
    COOLING
  }

  final CidrState cidr;
  final int position;
  final IpAddress address;
  Use use;

  /** The entry in the file; null while it cools. */
  @Nullable CheckpointEntry entry;

  /** The end of the write that is under way; null when none is. */
  @Nullable CompletableFuture<AssignOutcome> assigning;

  @Nullable CompletableFuture<StoreReleaseOutcome> releasing;

  /** When it was released last, in monotonic time; {@link ReleaseTimes#NEVER} when unknown. */
  long releasedNanos;

  AddressSlot(CidrState cidr, int position, IpAddress address, Use use) {
    this.cidr = cidr;
    this.position = position;
    this.address = address;
    this.use = use;
    this.releasedNanos = position < 0 ? ReleaseTimes.NEVER : cidr.released.at(position);
  }

  @SuppressWarnings("NullAway") // asked of slots in use alone
  CheckpointEntry entry() {
    return entry;
  }

  IpamKey key() {
    return entry().key();
  }

  Assignment assignment() {
    StoreEniSpec eni = cidr.eni.spec;
    return new Assignment(address, eni.id(), eni.deviceNumber(), eni.routeTableId(), cidr.cidr);
  }
}
