package io.tidemark.simulation.cloud;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.List;
import java.util.Map;

/**
 * The actual state of an interface in the cloud.
 *
 * @param instanceId the instance it is attached to; empty if detached
 * @param deviceIndex its place on the instance, 0 for the primary interface
 * @param deleteOnTermination whether it is deleted with its instance
 * @param singles addresses, without the primary one, that belong to no block
 * @param blocks delegated blocks
 */
public record CloudInterface(
    String id,
    String subnetId,
    String instanceId,
    int deviceIndex,
    boolean deleteOnTermination,
    IpAddress primary,
    AddressSet singles,
    List<Cidr> blocks,
    Map<String, String> tags) {
  public CloudInterface {
    blocks = List.copyOf(blocks);
    tags = Map.copyOf(tags);
  }

  /** Whether it is plugged in somewhere. */
  public boolean isAttached() {
    return !instanceId.isEmpty();
  }

  /** Places taken, the primary address included; a block takes one. */
  public int places() {
    return 1 + singles.size() + blocks.size();
  }

  /** Addresses for pods, blocks spelled out. */
  public int podAddresses() {
    int count = singles.size();
    for (Cidr block : blocks) {
      count += (int) block.sizeSaturated();
    }
    return count;
  }

  /** Whether it holds the address, not as its primary one. */
  public boolean holds(IpAddress address) {
    if (singles.contains(address)) {
      return true;
    }
    for (Cidr block : blocks) {
      if (block.contains(address)) {
        return true;
      }
    }
    return false;
  }
}
