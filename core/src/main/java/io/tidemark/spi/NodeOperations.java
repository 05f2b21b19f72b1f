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
 * The operations of one cloud for one node (node-manager 1.9). The node's lane calls them; a
 * provider implements them.
 *
 * <p>Threads: plain methods never block and can be called while a stage is outstanding; at most one
 * of the methods that return a stage is outstanding per node, different nodes overlap. A stage
 * completes by the context's deadline. Cancelling the context withdraws requests that were not
 * sent; only compensation continues.
 */
public interface NodeOperations {
  /** Takes a new version of the resource; keep only what is needed of its own section. */
  void updatedNode(NodeResource resource);

  /** The resource with the provider's section of the status from the cache, else unchanged. */
  NodeResource withProviderStatus(NodeResource resource);

  /** The cached state; O(1). */
  Inventory inventory();

  /** Plans the next allocation from the cache; core sets the number of addresses. */
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

  /** Plans the release of exactly these CIDRs, an action per interface, without unknown ones. */
  List<ReleaseAction> prepareCidrRelease(Set<Cidr> cidrs);

  /** Adds {@code action.ipv4()} on {@code action.onInterface()}. */
  CompletionStage<AllocationOutcome> allocateIps(AllocationAction action, CallContext context);

  /** Creates and attaches an interface with up to {@code action.ipv4()} addresses. */
  CompletionStage<AllocationOutcome> createInterface(AllocationAction action, CallContext context);

  /** Releases what the action lists. */
  CompletionStage<ReleaseOutcome> release(ReleaseAction action, CallContext context);

  /** Associates one public address selected by tags; idempotent. */
  CompletionStage<AllocationOutcome> allocateStaticAddress(
      Map<String, String> tags, CallContext context);

  /**
   * The facts about the whole cluster, beside the inventory, that {@link #withProviderStatus} uses,
   * such as subnets and their networks: equal until it changes. A node that needs nothing is
   * written anew after a full scan when it has changed.
   */
  default Object networks() {
    return "";
  }

  /** The maximum of pod addresses of the instance; empty when unknown or unlimited. */
  OptionalInt maximumAllocatableIpv4();

  /** Written as pre-allocate where the resource has none (6.4). */
  int minimumAllocatableIpv4();

  /** Whether the node uses blocks now. */
  boolean isPrefixDelegated();

  /**
   * IPv6 prefixes that the settings of the provider promise the node, whatever its agent asks for,
   * and that one of its interfaces has room for. By default none. Never blocks.
   */
  default int ipv6PrefixesMissing() {
    return 0;
  }
}
