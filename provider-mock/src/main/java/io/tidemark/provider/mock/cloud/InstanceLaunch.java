package io.tidemark.provider.mock.cloud;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * An instance to start. Its primary interface gets the lowest free address of the subnet and is
 * deleted with the instance.
 *
 * @param subnetId where its primary interface lies
 * @param tags of the primary interface
 */
public record InstanceLaunch(
    String instanceId,
    String type,
    String subnetId,
    List<String> securityGroups,
    Map<String, String> tags) {
  public InstanceLaunch {
    Objects.requireNonNull(instanceId, "instanceId");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(subnetId, "subnetId");
    securityGroups = List.copyOf(securityGroups);
    tags = Map.copyOf(tags);
  }

  /** An instance without groups and tags. */
  public static InstanceLaunch of(String instanceId, String type, String subnetId) {
    return new InstanceLaunch(instanceId, type, subnetId, List.of(), Map.of());
  }
}
