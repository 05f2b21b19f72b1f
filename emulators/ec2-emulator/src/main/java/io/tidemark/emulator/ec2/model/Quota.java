package io.tidemark.emulator.ec2.model;

/**
 * A quota of an account in a region, as "Amazon VPC quotas" (Amazon VPC User Guide) and "Tag your
 * Amazon EC2 resources" (Amazon EC2 User Guide) have it by default.
 */
public enum Quota {
  /** Network interfaces per region. */
  INTERFACES(5000),
  GROUPS_PER_INTERFACE(5),
  /** Per region, as those without another word. */
  VPCS(5),
  SUBNETS_PER_VPC(200),
  GROUPS(2500),
  ROUTE_TABLES_PER_VPC(200),
  /** IPv4 CIDR blocks. */
  BLOCKS_PER_VPC(5),
  ELASTIC_ADDRESSES(5),
  /** Per resource. */
  TAGS(50),
  /**
   * Interfaces of an account up to which DescribeNetworkInterfaces works without paging and without
   * one of the filters that its documentation names; no figure is documented.
   */
  UNPAGED_INTERFACES(5000),
  /** IPv4 places of an interface that no instance type limits yet: the most that any type has. */
  DETACHED_ADDRESSES(64);

  private final int usual;

  Quota(int usual) {
    this.usual = usual;
  }

  public int usual() {
    return usual;
  }
}
