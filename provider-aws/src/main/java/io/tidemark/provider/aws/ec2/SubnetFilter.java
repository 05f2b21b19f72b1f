package io.tidemark.provider.aws.ec2;

import java.util.Map;
import java.util.Set;

/**
 * Which subnets to read; what is empty restricts nothing.
 *
 * @param tags all of them, with these values
 */
public record SubnetFilter(Set<String> vpcIds, Set<String> ids, Map<String, String> tags) {
  public SubnetFilter {
    vpcIds = Set.copyOf(vpcIds);
    ids = Set.copyOf(ids);
    tags = Map.copyOf(tags);
  }
}
