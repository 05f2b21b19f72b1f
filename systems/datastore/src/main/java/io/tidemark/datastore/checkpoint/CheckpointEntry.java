package io.tidemark.datastore.checkpoint;

import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.util.Optional;

/**
 * One assignment in the file.
 *
 * @param epochNanos when it was made, in nanoseconds since 1970; 0 in files of older versions
 * @param unknown members that this version does not know, which are written as they were read
 */
public record CheckpointEntry(
    IpamKey key,
    Optional<IpAddress> ipv4,
    Optional<IpAddress> ipv6,
    long epochNanos,
    IpamMetadata metadata,
    UnknownMembers unknown) {

  /** Members as JSON text without braces, such as {@code "a":1,"b":[]}; empty for none. */
  public record UnknownMembers(String ofEntry, String ofMetadata) {
    /** There are none. */
    public static final UnknownMembers NONE = new UnknownMembers("", "");
  }

  /** An assignment of this version. */
  public static CheckpointEntry of(
      IpamKey key, IpAddress address, long epochNanos, IpamMetadata metadata) {
    boolean ipv4 = address.family() == IpFamily.IPV4;
    return new CheckpointEntry(
        key,
        ipv4 ? Optional.of(address) : Optional.empty(),
        ipv4 ? Optional.empty() : Optional.of(address),
        epochNanos,
        metadata,
        UnknownMembers.NONE);
  }

  /** The same assignment under another key. */
  public CheckpointEntry withKey(IpamKey other) {
    return new CheckpointEntry(other, ipv4, ipv6, epochNanos, metadata, unknown);
  }

  /** Its address of a family. */
  public Optional<IpAddress> address(IpFamily family) {
    return family == IpFamily.IPV4 ? ipv4 : ipv6;
  }
}
