package io.tidemark.provider.mock.cloud;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The properties of a new interface. Singles and blocks exclude each other.
 *
 * @param singles secondary addresses
 * @param prefixes blocks
 * @param clientToken the same token with the same parameters gives the same interface
 */
public record CreateInterfaceRequest(
    String subnetId,
    String description,
    List<String> securityGroups,
    Map<String, String> tags,
    int singles,
    int prefixes,
    String clientToken) {
  public CreateInterfaceRequest {
    Objects.requireNonNull(subnetId, "subnetId");
    Objects.requireNonNull(description, "description");
    securityGroups = List.copyOf(securityGroups);
    tags = Map.copyOf(tags);
    Objects.requireNonNull(clientToken, "clientToken");
  }
}
