package io.tidemark.provider.mock.cloud;

import io.tidemark.ip.IpAddress;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A static public address of the account.
 *
 * @param interfaceId what it is associated with
 */
public record PublicAddress(
    String allocationId,
    IpAddress address,
    Map<String, String> tags,
    Optional<String> interfaceId) {
  public PublicAddress {
    Objects.requireNonNull(allocationId, "allocationId");
    Objects.requireNonNull(address, "address");
    tags = Map.copyOf(tags);
    Objects.requireNonNull(interfaceId, "interfaceId");
  }
}
