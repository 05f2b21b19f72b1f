package io.tidemark.provider.aws;

import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigSource;
import io.tidemark.provider.aws.ec2.ConnectionSettings;
import io.tidemark.provider.aws.ec2.ConnectionSettings.Role;
import io.tidemark.provider.aws.ec2.Ec2CallLimits;
import io.tidemark.provider.aws.ec2.InstanceType;
import io.tidemark.provider.aws.eni.EniSettings;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Settings of the provider {@code aws} (provider-aws 0.3, 17.2).
 *
 * @param region {@code aws-region}; empty to find it in the environment, a profile, the instance's
 *     metadata
 * @param endpoints where EC2 and STS are
 * @param principals as whom they are asked
 * @param apiShare {@code ec2-api-share}
 * @param pageSize {@code aws-max-results-per-call}
 * @param collectUnnamed {@code eni-gc-allow-unnamed}
 * @param limits {@code aws-instance-limit-mapping}, by type
 * @param eni what the allocation itself needs
 * @param warnings what is accepted and probably not meant, a line each
 */
record AwsConfig(
    Optional<String> region,
    Endpoints endpoints,
    Principals principals,
    double apiShare,
    int pageSize,
    boolean collectUnnamed,
    Map<String, InstanceType> limits,
    EniSettings eni,
    List<String> warnings) {

  /**
   * Where the services are.
   *
   * @param ec2 {@code ec2-api-endpoint}
   * @param sts {@code sts-api-endpoint}
   * @param metadata {@code aws-metadata-endpoint}
   * @param fips {@code aws-use-fips-endpoint}
   * @param dualStack {@code aws-use-dualstack-endpoint}
   * @param caBundle {@code aws-ca-bundle}
   */
  public record Endpoints(
      Optional<URI> ec2,
      Optional<URI> sts,
      URI metadata,
      boolean fips,
      boolean dualStack,
      Optional<Path> caBundle) {}

  /**
   * As whom the services are asked.
   *
   * @param role {@code aws-assume-role-arn} with {@code aws-assume-role-external-id}
   * @param networkRole {@code aws-network-role-arn} with {@code aws-network-role-external-id}
   */
  public record Principals(Optional<Role> role, Optional<Role> networkRole) {}

  public AwsConfig {
    limits = Map.copyOf(limits);
    warnings = List.copyOf(warnings);
  }

  /**
   * Reads the settings.
   *
   * @throws io.tidemark.error.IpamException naming every wrong one
   */
  public static AwsConfig read(ConfigSource source) {
    ConfigProblems problems = new ConfigProblems();
    AwsConfig config = new AwsConfigReader(source, problems).read();
    problems.throwIfAny();
    return config;
  }

  /** How EC2 is reached in that region, by so many workers. */
  public ConnectionSettings connection(String inRegion, int workers) {
    return new ConnectionSettings(
        inRegion,
        endpoints.ec2(),
        endpoints.sts(),
        endpoints.fips(),
        endpoints.dualStack(),
        endpoints.caBundle(),
        principals.role(),
        principals.networkRole(),
        workers,
        pageSize,
        ConnectionSettings.CONNECT_TIMEOUT,
        Ec2CallLimits.ATTEMPT_TIMEOUT);
  }
}
