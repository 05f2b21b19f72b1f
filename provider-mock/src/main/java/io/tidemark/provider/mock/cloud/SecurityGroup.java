package io.tidemark.provider.mock.cloud;

import java.util.Map;
import java.util.Objects;

/** A security group of a VPC; here only its name matters. */
public record SecurityGroup(String id, String vpcId, Map<String, String> tags) {
  public SecurityGroup {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(vpcId, "vpcId");
    tags = Map.copyOf(tags);
  }
}
