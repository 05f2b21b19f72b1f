package io.tidemark.provider.aws.doctor;

/** The used features of the provider, as far as they decide about permissions (provider-aws 9). */
public enum Feature {
  RELEASE,
  INTERFACE_RELEASE,
  IPV6,
  STATIC_ADDRESSES,
  CLUSTER_FROM_TAG,
  /** VPC and subnets belong to another account than the instances. */
  TWO_ACCOUNTS,
  /** Security groups of interfaces that exist are changed. */
  SECURITY_GROUPS,
  /** The interfaces that instances were launched with serve pods, too. */
  FIRST_INTERFACES
}
