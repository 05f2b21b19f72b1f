package io.tidemark.provider.aws;

import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigSource;
import io.tidemark.provider.aws.ec2.ConnectionSettings;
import io.tidemark.provider.aws.ec2.ConnectionSettings.Role;
import io.tidemark.provider.aws.ec2.InstanceType;
import io.tidemark.provider.aws.eni.EniSettings;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Settings of the provider {@code aws} (provider-aws 0.3, 17.2).
 *
 * @param region {@code aws-region}; empty to find it in the environment, a profile, the instance's
 *     metadata
 * @param metadata {@code aws-metadata-endpoint}
 * @param apiShare {@code ec2-api-share}
 * @param collectUnnamed {@code eni-gc-allow-unnamed}
 * @param limits {@code aws-instance-limit-mapping}, by type
 * @param eni what the allocation itself needs
 * @param warnings what is accepted and probably not meant, a line each
 */
record AwsConfig(
    Optional<String> region,
    ConnectionSettings connection,
    URI metadata,
    double apiShare,
    boolean collectUnnamed,
    Map<String, InstanceType> limits,
    EniSettings eni,
    List<String> warnings) {

  /**
   * Reads the settings.
   *
   * @throws io.tidemark.error.IpamException naming every wrong one
   */
  static AwsConfig read(ConfigSource source) {
    ConfigProblems problems = new ConfigProblems();
    AwsConfig config = new AwsConfigReader(source, problems).read();
    problems.throwIfAny();
    return config;
  }

  /**
   * The name of buckets and breakers. A process works for one account and region alone, so the
   * account is named after the role that is taken on and not asked of STS.
   */
  String account() {
    return connection.role().map(Role::accountId).orElse("own");
  }
}
