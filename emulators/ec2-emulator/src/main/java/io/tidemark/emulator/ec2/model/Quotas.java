package io.tidemark.emulator.ec2.model;

import java.util.Locale;

/**
 * The quotas of an account in a region. The defaults are those of "Amazon VPC quotas" (Amazon VPC
 * User Guide) and "Tag your Amazon EC2 resources" (Amazon EC2 User Guide).
 *
 * @param interfaces network interfaces per region
 * @param groupsPerInterface security groups per network interface
 * @param vpcs VPCs per region
 * @param subnetsPerVpc subnets per VPC
 * @param groups security groups per region
 * @param routeTablesPerVpc route tables per VPC
 * @param blocksPerVpc IPv4 CIDR blocks per VPC
 * @param elasticAddresses elastic addresses per region
 * @param tags tags per resource
 * @param unpagedInterfaces interfaces of an account up to which DescribeNetworkInterfaces works
 *     without paging and without one of the filters that its documentation names; no figure is
 *     documented
 * @param detachedAddresses IPv4 places of an interface that no instance type limits yet; the most
 *     that any type has
 */
public record Quotas(
    int interfaces,
    int groupsPerInterface,
    int vpcs,
    int subnetsPerVpc,
    int groups,
    int routeTablesPerVpc,
    int blocksPerVpc,
    int elasticAddresses,
    int tags,
    int unpagedInterfaces,
    int detachedAddresses) {
  public static final Quotas DEFAULT = new Quotas(5000, 5, 5, 200, 2500, 200, 5, 5, 50, 5000, 64);

  public Quotas {
    for (int quota :
        new int[] {
          interfaces,
          groupsPerInterface,
          vpcs,
          subnetsPerVpc,
          groups,
          routeTablesPerVpc,
          blocksPerVpc,
          elasticAddresses,
          tags,
          unpagedInterfaces,
          detachedAddresses
        }) {
      if (quota < 1) {
        throw new IllegalArgumentException(
            String.format(Locale.ROOT, "a quota is %d; expected 1 or more", quota));
      }
    }
  }

  public Quotas withInterfaces(int changed) {
    return new Quotas(
        changed,
        groupsPerInterface,
        vpcs,
        subnetsPerVpc,
        groups,
        routeTablesPerVpc,
        blocksPerVpc,
        elasticAddresses,
        tags,
        Math.max(unpagedInterfaces, 1),
        detachedAddresses);
  }

  public Quotas withVpcs(int changed) {
    return new Quotas(
        interfaces,
        groupsPerInterface,
        changed,
        subnetsPerVpc,
        groups,
        routeTablesPerVpc,
        blocksPerVpc,
        elasticAddresses,
        tags,
        unpagedInterfaces,
        detachedAddresses);
  }

  public Quotas withUnpagedInterfaces(int changed) {
    return new Quotas(
        interfaces,
        groupsPerInterface,
        vpcs,
        subnetsPerVpc,
        groups,
        routeTablesPerVpc,
        blocksPerVpc,
        elasticAddresses,
        tags,
        changed,
        detachedAddresses);
  }
}
