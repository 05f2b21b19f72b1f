package io.tidemark.spi;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.resilience.CallContext;
import io.tidemark.resource.NodeResource;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * What one cloud can do for one node. The node's lane calls; a provider implements (node-manager
 * 1.9).
 *
 * <p>Threads: plain methods never block and may be called while a stage is outstanding; at most one
 * of the methods that answer a stage is outstanding per node, different nodes overlap. A stage ends
 * by the context's deadline. Cancelling the context withdraws what was not sent; only compensation
 * goes on.
 */
public interface NodeOperations {
  /** A new version of the resource; keep only what the provider needs of its own section. */
  void updatedNode(NodeResource resource);

  /** The provider's section of the status filled from the cache; everything else stays as it is. */
  NodeResource withProviderStatus(NodeResource resource);

  /** The cached truth; O(1). */
  Inventory inventory();

  /** Plans the next allocation from the cache alone; core fills in how many are wanted. */
  AllocationAction prepareIpAllocation();

  /**
   * Plans a release of up to {@code excess} addresses of one interface: the one with most
   * releasable addresses, ties by smallest id. One that is {@linkplain AttachedInterface#draining
   * draining} goes before all that are not. Blocks only whole and only when none of their addresses
   * is used.
   *
   * @param excess surplus in addresses, above 0
   * @param used addresses that pods hold
   */
  ReleaseAction prepareIpRelease(int excess, AddressSet used);

  /**
   * Plans the release of exactly these CIDRs, one action per interface; unknown ones are left out.
   */
  List<ReleaseAction> prepareCidrRelease(Set<Cidr> cidrs);

  /** Adds {@code action.ipv4()} on {@code action.onInterface()}. */
  CompletionStage<AllocationOutcome> allocateIps(AllocationAction action, CallContext context);

  /** Creates and attaches an interface with up to {@code action.ipv4()} addresses. */
  CompletionStage<AllocationOutcome> createInterface(AllocationAction action, CallContext context);

  /** Gives back what the action lists. */
  CompletionStage<ReleaseOutcome> release(ReleaseAction action, CallContext context);

  /** Associates one public address chosen by tags; repeating it is harmless. */
  CompletionStage<AllocationOutcome> allocateStaticAddress(
      Map<String, String> tags, CallContext context);

  /** The instance's own ceiling of pod addresses; empty when unknown or unlimited. */
  OptionalInt maximumAllocatableIpv4();

  /** Written as pre-allocate where the resource has none (6.4). */
  int minimumAllocatableIpv4();

  /** Whether the node works with blocks now. */
  boolean isPrefixDelegated();
}
