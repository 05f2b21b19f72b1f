package io.tidemark.provider.aws.doctor;

/** The used features of the provider, as far as they decide about permissions (provider-aws 9). */
public enum Feature {
  /** Addresses are released. */
  RELEASE,
  /** Whole interfaces are released. */
  INTERFACE_RELEASE,
  /** Nodes get IPv6 prefixes. */
  IPV6,
  /** Nodes ask for static public addresses. */
  STATIC_ADDRESSES,
  /** The cluster's name is read from tags. */
  CLUSTER_FROM_TAG,
  /** VPC and subnets belong to another account than the instances. */
  TWO_ACCOUNTS,
  /** Security groups of interfaces that exist are changed. */
  SECURITY_GROUPS,
  /** The interfaces that instances were launched with serve pods, too. */
  FIRST_INTERFACES
}
