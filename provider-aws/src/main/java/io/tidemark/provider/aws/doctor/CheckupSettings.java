package io.tidemark.provider.aws.doctor;

import io.tidemark.provider.aws.ec2.ConnectionSettings;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of the checks.
 *
 * @param region from settings, environment or profile; empty to read it from the metadata
 * @param cluster the cluster's name; empty to find it
 * @param metadata endpoint of the instance metadata
 * @param features the features that the settings enable
 * @param subnetIds the only subnets where interfaces are created; empty for any
 * @param tags on created interfaces, from the settings
 */
public record CheckupSettings(
    Optional<String> region,
    Optional<String> cluster,
    ConnectionSettings connection,
    URI metadata,
    Set<Feature> features,
    Set<String> subnetIds,
    Map<String, String> tags) {

  /** ARN of the role that is assumed. */
  Optional<String> role() {
    return connection.role().map(ConnectionSettings.Role::arn);
  }

  /** ARN of the role in the account that owns VPC and subnets, if it is another one. */
  Optional<String> networkRole() {
    return connection.networkRole().map(ConnectionSettings.Role::arn);
  }
}
