package io.tidemark.provider.aws.ec2;

import java.util.Map;
import java.util.Set;

/**
 * Which subnets to read; an empty criterion matches all.
 *
 * @param tags tags that a subnet must have, with their values
 */
public record SubnetFilter(Set<String> vpcIds, Set<String> ids, Map<String, String> tags) {
  public SubnetFilter {
    vpcIds = Set.copyOf(vpcIds);
    ids = Set.copyOf(ids);
    tags = Map.copyOf(tags);
  }
}
