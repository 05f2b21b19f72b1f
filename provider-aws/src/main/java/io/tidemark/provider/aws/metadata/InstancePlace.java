package io.tidemark.provider.aws.metadata;

import io.tidemark.ip.Cidr;
import io.tidemark.spi.InstanceId;
import java.util.List;

/**
 * An instance and where it is.
 *
 * @param type such as {@code m5.large}
 * @param region such as {@code us-east-1}
 * @param zone name of its availability zone
 * @param vpcCidrs CIDRs of the VPC, those of IPv4 first
 * @param ipv4 its own address; empty when it has none
 * @param ipv6 its own address; empty when it has none
 */
public record InstancePlace(
    InstanceId instance,
    String type,
    String region,
    String vpcId,
    String zone,
    List<Cidr> vpcCidrs,
    String ipv4,
    String ipv6) {}
