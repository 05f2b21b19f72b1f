package io.tidemark.provider.aws.ec2;

import io.tidemark.ip.IpAddress;

/**
 * An elastic address.
 *
 * @param associated whether it is associated
 */
public record ElasticAddress(String allocationId, IpAddress address, boolean associated) {}
