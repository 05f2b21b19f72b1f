package io.tidemark.provider.aws.metadata;

import io.tidemark.ip.Cidr;
import java.util.List;

/**
 * The facts about its instance that a program on a node needs (provider-aws 0.4).
 *
 * @param mac of the first interface
 * @param vpcId VPC of that interface
 * @param subnetId subnet of that interface
 * @param vpcCidrs CIDRs of the VPC, those of IPv4 first
 * @param ipv4 primary address of the first interface; empty when it has none
 * @param ipv6 its first IPv6 address; empty when it has none
 */
public record InstanceFields(
    String instanceId,
    String instanceType,
    String mac,
    String vpcId,
    String subnetId,
    String availabilityZone,
    List<Cidr> vpcCidrs,
    String ipv4,
    String ipv6) {
  public InstanceFields {
    vpcCidrs = List.copyOf(vpcCidrs);
  }
}
