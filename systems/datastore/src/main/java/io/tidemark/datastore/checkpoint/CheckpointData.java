package io.tidemark.datastore.checkpoint;

import io.tidemark.ip.IpAddress;
import java.util.List;
import java.util.Optional;

/**
 * The content of a checkpoint. The AWS VPC CNI reads and writes the assignments alone; the rest
 * stands in a member of its own, that it ignores.
 *
 * @param extension empty in a file of another program
 * @param unknown members of the document that this version does not know, as JSON text without
 *     braces; empty for none
 */
public record CheckpointData(
    List<CheckpointEntry> allocations, Optional<Extension> extension, String unknown) {
  /** The version that every file has. */
  public static final String VERSION = "vpc-cni-ipam/1";

  /** Nothing is assigned and nothing else is known. */
  public static final CheckpointData EMPTY = new CheckpointData(List.of(), Optional.empty(), "");

  /**
   * This project's addition to the file.
   *
   * @param bootId the boot of the machine during which it was written; empty when unknown
   * @param generation grows with every write
   * @param cooldown addresses that were released not long ago
   * @param orphans assignments whose addresses the node does not have
   */
  public record Extension(
      String bootId, long generation, List<Released> cooldown, List<CheckpointEntry> orphans) {}

  /** An address and when it was released, in nanoseconds since 1970. */
  public record Released(IpAddress ip, long unassignedEpochNanos) {}
}
