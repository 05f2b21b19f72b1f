package io.tidemark.agent.eni;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.EniStatus.Eni;
import io.tidemark.resource.NodeResource;
import java.util.Map;
import java.util.Optional;

/**
 * Whether a version of the object says the same about its interfaces everywhere (allocators 6). The
 * operator writes spec and status one after the other, so that one version may not; the next does.
 */
final class EniConsistency {
  private EniConsistency() {}

  /** The first contradiction; empty when there is none. */
  static Optional<String> problem(NodeResource resource) {
    Map<String, Eni> enis =
        resource.eniStatus().map(EniStatus::enis).map(Map::copyOf).orElse(Map.of());
    for (Eni each : enis.values()) {
      if (each.vpc().primaryCidr().isEmpty()) {
        return Optional.of("interface " + each.id() + " has no primary CIDR of its VPC");
      }
    }
    for (Map.Entry<String, AddressSet> entry : resource.pool().byResource().entrySet()) {
      Eni eni = enis.get(entry.getKey());
      AddressSet others =
          eni == null
              ? entry.getValue()
              : entry.getValue().minus(AddressSet.copyOf(eni.addresses()));
      for (IpAddress ip : others) {
        if (eni == null) {
          return Optional.of(
              ip
                  + " of the pool is on interface "
                  + entry.getKey()
                  + ", which is not in the status");
        }
        if (!EniBlocks.holds(eni, ip)) {
          return Optional.of(
              ip + " of the pool is on interface " + entry.getKey() + ", which does not list it");
        }
      }
    }
    return Optional.empty();
  }
}
