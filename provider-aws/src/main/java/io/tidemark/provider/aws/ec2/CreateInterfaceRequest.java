package io.tidemark.provider.aws.ec2;

import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.Map;

/**
 * An interface to be made. Of singles and prefixes at most one kind is asked for.
 *
 * @param tracking how long it shall remember idle connections
 * @param token the same for every repetition of the same creation
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
