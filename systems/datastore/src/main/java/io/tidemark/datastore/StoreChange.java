package io.tidemark.datastore;

import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.datastore.checkpoint.CheckpointJson;
import io.tidemark.ip.IpAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A change of what the file says. */
sealed interface StoreChange {
  /** An entry and its bytes in the file, which are made by the first write that needs them. */
  final class Written {
    final CheckpointEntry entry;
    private byte @Nullable [] bytes;

    Written(CheckpointEntry entry) {
      this.entry = entry;
    }

    /** Called by one write at a time. */
    byte[] bytes() {
      byte[] made = bytes;
      if (made == null) {
        made = CheckpointJson.entry(entry);
        bytes = made;
      }
      return made;
    }
  }

  /** An address is assigned; its sandbox needs no other one that the node does not have. */
  record Assigned(IpAddress address, Written written) implements StoreChange {}

  /** The node has an address again that this entry assigns. */
  record Reclaimed(IpAddress address, Written written) implements StoreChange {}

  /** Addresses are no longer assigned; by both clocks. */
  record Released(List<IpAddress> addresses, long epochNanos, long nanos) implements StoreChange {}

  /** The node no longer has an address that this entry assigned; by both clocks. */
  record Unplaced(IpAddress address, CheckpointEntry entry, long epochNanos, long nanos)
      implements StoreChange {}

  /** A sandbox has ended whose address the node does not have; by both clocks. */
  record OrphanReleased(CheckpointEntry entry, IpAddress address, long epochNanos, long nanos)
      implements StoreChange {}

  /** Nothing is known any more of an entry whose address the node does not have. */
  record OrphanGone(CheckpointEntry entry) implements StoreChange {}

  /** The file is written anew. */
  record Nothing() implements StoreChange {}
}
