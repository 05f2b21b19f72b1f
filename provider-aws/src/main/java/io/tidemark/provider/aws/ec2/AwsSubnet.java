package io.tidemark.provider.aws.ec2;

import io.tidemark.ip.Cidr;
import io.tidemark.spi.PoolId;
import java.util.Map;
import java.util.Optional;

/**
 * A subnet as EC2 describes it.
 *
 * @param ipv6 the associated IPv6 block of a dual-stack subnet
 * @param usable state {@code available} and not for IPv6 alone
 * @param availableAddresses EC2's count, which follows our own changes late
 */
public record AwsSubnet(
    PoolId id,
    String vpcId,
    Cidr cidr,
    Optional<Cidr> ipv6,
    boolean usable,
    String availabilityZone,
    String availabilityZoneId,
    String outpostArn,
    int availableAddresses,
    Map<String, String> tags) {}
