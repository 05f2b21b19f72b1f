package io.tidemark.provider.aws.doctor;

/**
 * What of the provider is used, as far as it decides about permissions (provider-aws 9).
 *
 * @param release addresses are given back
 * @param interfaceRelease whole interfaces are given back
 * @param ipv6 nodes get IPv6 prefixes
 * @param staticAddresses nodes ask for static public addresses
 * @param clusterFromTag the cluster's name is looked for
 * @param twoAccounts VPC and subnets belong to another account than the instances
 * @param groups security groups of interfaces that exist are changed
 * @param firstInterfaces the interfaces that instances were launched with serve pods, too
 */
public record Features(
    boolean release,
    boolean interfaceRelease,
    boolean ipv6,
    boolean staticAddresses,
    boolean clusterFromTag,
    boolean twoAccounts,
    boolean groups,
    boolean firstInterfaces) {

  /** The same where nodes ask for this. */
  Features of(Targets targets) {
    return new Features(
        release,
        interfaceRelease,
        ipv6,
        !targets.staticTags().isEmpty(),
        clusterFromTag,
        twoAccounts,
        groups,
        targets.useFirstInterfaces());
  }
}
