package io.tidemark.provider.aws.ec2;

import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.Map;

/**
 * A request to create an interface, with either single addresses or prefixes.
 *
 * @param tracking timeouts of idle connections
 * @param token the same for every retry of the same creation
 */
public record CreateInterfaceRequest(
    PoolId subnet,
    String description,
    List<String> securityGroups,
    Map<String, String> tags,
    int singles,
    int prefixes,
    int ipv6Prefixes,
    ConnectionTracking tracking,
    String token) {
  public CreateInterfaceRequest {
    securityGroups = List.copyOf(securityGroups);
    tags = Map.copyOf(tags);
    if (singles < 0 || prefixes < 0 || ipv6Prefixes < 0 || (singles > 0 && prefixes > 0)) {
      throw new IllegalArgumentException(
          singles + " singles, " + prefixes + " prefixes, " + ipv6Prefixes + " IPv6 prefixes");
    }
  }
}
