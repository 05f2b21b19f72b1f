package io.tidemark.provider.aws.doctor;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of the checks.
 *
 * @param region from settings, environment or profile; empty to read it from the metadata
 * @param cluster the cluster's name; empty to find it
 * @param endpoints in place of the region's
 * @param roles to assume
 * @param features the features that the settings enable
 * @param subnetIds the only subnets where interfaces are created; empty for any
 * @param tags on created interfaces, from the settings
 */
public record CheckupSettings(
    Optional<String> region,
    Optional<String> cluster,
    Endpoints endpoints,
    Roles roles,
    Set<Feature> features,
    Set<String> subnetIds,
    Map<String, String> tags) {

  /** As they are shown: empty for the region's own. */
  public record Endpoints(Optional<String> ec2, Optional<String> sts, String metadata) {}

  /** ARNs. */
  public record Roles(Optional<String> own, Optional<String> network) {}

  public CheckupSettings {
    features = Set.copyOf(features);
    subnetIds = Set.copyOf(subnetIds);
    tags = Map.copyOf(tags);
  }
}
