package io.tidemark.provider.aws.ec2;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How to connect to EC2, and with which identity.
 *
 * @param endpoint in place of the region's; a loopback address if it is plain http
 * @param stsEndpoint in place of the region's
 * @param caBundle certificates that are trusted instead of those of the Java runtime, PEM
 * @param role assumed with the credentials of the default chain; empty to use them directly
 * @param networkRole role in the account that owns VPC and subnets, if it is another one (7.2)
 * @param pageSize items per answer; 0 for ours
 */
public record ConnectionSettings(
    Optional<URI> endpoint,
    Optional<URI> stsEndpoint,
    boolean fips,
    boolean dualStack,
    Optional<Path> caBundle,
    Optional<Role> role,
    Optional<Role> networkRole,
    int pageSize,
    Duration connectTimeout,
    Duration attemptTimeout) {
  public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

  /**
   * A role to assume.
   *
   * @param externalId the external ID that the other account requires; empty for none
   */
  public record Role(String arn, Optional<String> externalId) {

    /** The account that the role is of. */
    public String accountId() {
      String[] parts = arn.split(":", -1);
      return parts.length > 4 ? parts[4] : "";
    }
  }
}
