package io.tidemark.spi;

/**
 * Capabilities of a provider. Core never requests what it lacks; if requested, the provider returns
 * {@link AllocationOutcome.Refused} or {@link ReleaseOutcome.NothingReleased} of kind {@link
 * io.tidemark.resilience.Failure.Kind#CONFIGURATION} and sends nothing.
 */
public enum Capability {
  /** Releases single addresses. */
  RELEASE,
  /** Uses blocks that the cloud assigns and unassigns whole. */
  PREFIX_DELEGATION,
  /**
   * Assigns single addresses to a node with blocks if no whole block fits. Without it such a node
   * is blocked: {@link BlockedReason#MAX_ALLOCATE} of core, {@link BlockedReason#SUBNET_FRAGMENTED}
   * of the provider.
   */
  SINGLE_ADDRESSES,
  /** Releases CIDRs that a multi-pool agent dropped (node-manager 4.9). */
  CIDR_RELEASE,
  /** Associates a static public address with a node. */
  STATIC_ADDRESS,
  /** Attaches IPv6 prefixes. */
  IPV6_PREFIX,
  /** Creates and attaches interfaces. */
  NEW_INTERFACE,
  /** Chooses among several subnets. */
  MANY_SUBNETS,
  /** Assigns ranges of pod addresses to instances: {@link NodeAliasRanges}. */
  ALIAS_RANGES
}
