package io.tidemark.datastore;

import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.ip.IpAddress;
import java.util.Optional;

/**
 * An assignment whose address the node does not have. It is kept until the cloud has confirmed
 * that; when the address comes back, its sandbox has it again.
 *
 * @param last where the address was; empty when it was not seen since the start
 * @param sinceNanos when that was found, in monotonic time
 */
public record Orphan(CheckpointEntry entry, Optional<Assignment> last, long sinceNanos) {

  /** The address that the node does not have. */
  public Optional<IpAddress> address() {
    return entry.ipv4().or(entry::ipv6);
  }
}
