package io.tidemark.agent.crd;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.AzureStatus;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.EniStatus.Eni;
import io.tidemark.resource.NodeResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Whether a version of the object says the same about its interfaces everywhere (allocators 6). The
 * operator writes spec and status one after the other, so that one version may not; the next does.
 * Pure.
 */
public final class InterfaceConsistency {
  private InterfaceConsistency() {}

  /**
   * A contradiction in one version.
   *
   * @param addresses of the pool, which cannot be used
   * @param text for people
   */
  public record Contradiction(AddressSet addresses, String text) {}

  /** All contradictions; none where addresses belong to no interface. */
  public static List<Contradiction> of(CrdMode mode, NodeResource node) {
    return switch (mode) {
      case CRD -> List.of();
      case ENI -> ofEni(node);
      case AZURE -> ofAzure(node);
    };
  }

  private static List<Contradiction> ofEni(NodeResource node) {
    Map<String, Eni> enis = node.eniStatus().map(EniStatus::enis).map(Map::copyOf).orElse(Map.of());
    List<Contradiction> all = new ArrayList<>();
    new TreeMap<>(enis)
        .forEach(
            (id, eni) -> {
              if (eni.vpc().primaryCidr().isEmpty()) {
                all.add(
                    new Contradiction(
                        node.pool().byResource().getOrDefault(id, AddressSet.of()),
                        "interface " + id + " has no primary CIDR of its VPC"));
              }
            });
    node.pool()
        .byResource()
        .forEach(
            (id, addresses) -> {
              Eni eni = enis.get(id);
              unlisted(
                      id,
                      eni == null ? Optional.empty() : Optional.of(eni.addresses()),
                      eni == null ? addresses : notHeld(eni, addresses))
                  .ifPresent(all::add);
            });
    return all;
  }

  private static AddressSet notHeld(Eni eni, AddressSet addresses) {
    AddressSet others = addresses.minus(AddressSet.copyOf(eni.addresses()));
    AddressSet.Builder left = AddressSet.builder();
    for (IpAddress ip : others) {
      if (!holds(eni, ip)) {
        left.add(ip);
      }
    }
    return left.build();
  }

  /** Whether an address is on an interface, its primary address included. */
  public static boolean holds(Eni eni, IpAddress ip) {
    return eni.ip().filter(ip::equals).isPresent()
        || eni.addresses().contains(ip)
        || Stream.concat(eni.prefixes().stream(), eni.ipv6Prefixes().stream())
            .anyMatch((Cidr each) -> each.contains(ip));
  }

  private static List<Contradiction> ofAzure(NodeResource node) {
    Map<String, AddressSet> usable =
        node.azureStatus().map(AzureStatus::addressesByInterface).orElse(Map.of());
    List<Contradiction> all = new ArrayList<>();
    node.pool()
        .byResource()
        .forEach(
            (id, addresses) -> {
              AddressSet listed = usable.get(id);
              unlisted(
                      id,
                      Optional.ofNullable(listed),
                      listed == null ? addresses : addresses.minus(listed))
                  .ifPresent(all::add);
            });
    return all;
  }

  private static Optional<Contradiction> unlisted(
      String id, Optional<?> inStatus, AddressSet addresses) {
    return addresses
        .first()
        .map(
            ip ->
                new Contradiction(
                    addresses,
                    ip
                        + " of the pool is on interface "
                        + id
                        + (inStatus.isPresent()
                            ? ", which does not list it"
                            : ", which is not in the status")));
  }
}
