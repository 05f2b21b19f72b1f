package io.tidemark.provider.aws.ec2;

import java.util.Map;

/**
 * A security group without its rules.
 *
 * @param vpcId the VPC of the query, which for a shared group differs from its owner's
 */
public record SecurityGroup(String id, String vpcId, Map<String, String> tags) {}
