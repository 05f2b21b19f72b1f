package io.tidemark.spi;

/** What a provider can do; what it lacks is refused by configuration or skipped with a reason. */
public enum Capability {
  /** Gives single addresses back. */
  RELEASE,
  /** Works with blocks that the cloud gives and takes whole. */
  PREFIX_DELEGATION,
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
