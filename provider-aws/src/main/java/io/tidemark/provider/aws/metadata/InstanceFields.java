package io.tidemark.provider.aws.metadata;

/**
 * What an agent publishes of the instance that it runs on (provider-aws 0.4).
 *
 * @param mac of the first interface
 * @param vpcId VPC of that interface
 * @param subnetId subnet of that interface
 */
record InstanceFields(
    String instanceId,
    String instanceType,
    String mac,
    String vpcId,
    String subnetId,
    String availabilityZone) {}
