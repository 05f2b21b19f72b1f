package io.tidemark.spi;

/**
 * What a provider can do. Core never asks for what one lacks; if asked, the provider answers {@link
 * AllocationOutcome.Refused} or {@link ReleaseOutcome.NothingReleased} of kind {@link
 * io.tidemark.resilience.Failure.Kind#CONFIGURATION} and sends nothing.
 */
public enum Capability {
  /** Gives single addresses back. */
  RELEASE,
  /** Works with blocks that the cloud gives and takes whole. */
  PREFIX_DELEGATION,
  /**
   * Gives single addresses to a node that works with blocks, where no whole block fits. Without it
   * such a node waits for a reason: {@link BlockedReason#MAX_ALLOCATE} of core, {@link
   * BlockedReason#SUBNET_FRAGMENTED} of the provider.
   */
  SINGLE_ADDRESSES,
  /** Gives back what a multi-pool agent dropped (node-manager 4.9). */
  CIDR_RELEASE,
  /** Associates a static public address with a node. */
  STATIC_ADDRESS,
  /** Attaches IPv6 prefixes. */
  IPV6_PREFIX,
  /** Creates and attaches interfaces. */
  NEW_INTERFACE,
  /** Chooses among several subnets. */
  MANY_SUBNETS
}
