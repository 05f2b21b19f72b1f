package io.tidemark.provider.azure.network;

import io.tidemark.ip.Cidr;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A public IP prefix, of which public IP addresses are made (provider-azure 4.10).
 *
 * @param location its region, which is that of its addresses
 * @param sku its sku, which is that of its addresses
 * @param zones its availability zones, which are those of its addresses
 * @param range its addresses; empty while Azure has not given them
 * @param state provisioning state in lower case
 * @param addresses the public IP addresses that are of it
 */
public record PublicPrefix(
    ResourceId id,
    String location,
    String sku,
    List<String> zones,
    Map<String, String> tags,
    Optional<Cidr> range,
    String state,
    Set<ResourceId> addresses) {
  public PublicPrefix {
    zones = List.copyOf(zones);
    tags = Map.copyOf(tags);
    addresses = Set.copyOf(addresses);
  }

  /** Addresses that nobody has. */
  public long free() {
    return Math.max(0, range.map(Cidr::sizeSaturated).orElse(0L) - addresses.size());
  }
}
