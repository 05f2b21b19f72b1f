package io.tidemark.spi;

import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An instance of a plan of capacity, filled by its provider's rules from an unlimited subnet.
 *
 * @param addresses for pods
 * @param singles addresses of the subnet outside of blocks, primary ones included
 * @param requests that changed something, in their order
 * @param took their usual duration, one after the other
 * @param policy the limits of requests
 * @param keptInSubnet addresses of each subnet that the cloud or a setting keeps
 * @param largestSubnet its prefix length
 * @param networkMax the most {@link #inNetwork} of all instances of one network
 */
public record PlannedInstance(
    int addresses,
    int interfaces,
    int blocks,
    int singles,
    List<CallKind> requests,
    Duration took,
    CallPolicy policy,
    int keptInSubnet,
    int largestSubnet,
    int networkMax) {
  public PlannedInstance {
    requests = List.copyOf(requests);
  }

  /** Its addresses, blocks and interfaces beside the first, as its network counts them. */
  public int inNetwork() {
    return singles + blocks + interfaces - 1;
  }

  /** The decisions of a node's passes. Pure. */
  @FunctionalInterface
  public interface Passes {
    /**
     * The action of the next pass; empty when the node needs none, or none is possible.
     *
     * @param prepared as {@link NodeOperations#prepareIpAllocation} returns it
     * @param available addresses that the instance has
     * @param ceiling as {@link NodeOperations#maximumAllocatableIpv4} returns it
     * @param preAllocate as {@link NodeOperations#minimumAllocatableIpv4} returns it
     */
    Optional<AllocationAction> next(
        AllocationAction prepared, int available, OptionalInt ceiling, int preAllocate);
  }
}
