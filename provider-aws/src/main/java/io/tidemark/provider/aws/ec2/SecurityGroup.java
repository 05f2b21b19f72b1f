package io.tidemark.provider.aws.ec2;

import java.util.Map;

/**
 * A security group without its rules.
 *
 * @param vpcId the VPC it was asked for, which for a shared group is not its owner's
 */
public record SecurityGroup(String id, String vpcId, Map<String, String> tags) {
  public SecurityGroup {
    tags = Map.copyOf(tags);
  }
}
