package io.tidemark.datastore.checkpoint;

/**
 * The owner of an assignment: one interface of one sandbox in one network, as the CNI specification
 * identifies it. Some parts may be empty, but not all.
 */
public record IpamKey(String networkName, String containerId, String ifName) {
  /** The network of an entry that was read from the container runtime. */
  public static final String MIGRATED_NETWORK = "_migrated-from-cri";

  /** The interface of an entry that was read from the container runtime. */
  public static final String MIGRATED_INTERFACE = "unknown";

  /** The key of a sandbox whose network and interface the container runtime did not tell. */
  public static IpamKey migrated(String containerId) {
    return new IpamKey(MIGRATED_NETWORK, containerId, MIGRATED_INTERFACE);
  }

  /** Whether all parts are empty: then it is the key of nothing. */
  public boolean isEmpty() {
    return networkName.isEmpty() && containerId.isEmpty() && ifName.isEmpty();
  }

  /** The key that the same sandbox has when it was read from the container runtime. */
  public IpamKey asMigrated() {
    return migrated(containerId);
  }

  /** Whether an entry of this key is of a sandbox: by all parts, or by its container alone. */
  public boolean isOf(IpamKey sandbox) {
    return equals(sandbox) || equals(sandbox.asMigrated());
  }

  /** The parts with slashes between. */
  @Override
  public String toString() {
    return networkName + "/" + containerId + "/" + ifName;
  }
}
