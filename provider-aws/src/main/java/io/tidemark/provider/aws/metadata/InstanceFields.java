package io.tidemark.provider.aws.metadata;

import io.tidemark.ip.Cidr;
import java.util.List;

/**
 * What a program on a node needs to know of the instance that it runs on (provider-aws 0.4).
 *
 * @param mac of the first interface
 * @param vpcId VPC of that interface
 * @param subnetId subnet of that interface
 * @param vpcCidrs IPv4 CIDRs of the VPC
 */
public record InstanceFields(
    String instanceId,
    String instanceType,
    String mac,
    String vpcId,
    String subnetId,
    String availabilityZone,
    List<Cidr> vpcCidrs) {
  public InstanceFields {
    vpcCidrs = List.copyOf(vpcCidrs);
  }
}
