package io.tidemark.emulator.arm.network;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A public IP prefix. All of its addresses can be given; each belongs to the public IP address that
 * it was given to. Not thread-safe.
 */
public final class ArmPublicPrefix {
  private final ArmId id;
  private final String location;
  private final Cidr range;
  private final Document labels;
  private final String etag;
  private final SplittableRandom random;
  private final SortedMap<ArmId, IpAddress> given = new TreeMap<>();
  private String provisioningState = "Succeeded";

  /**
   * A prefix with all addresses free.
   *
   * @param labels its {@code tags} and {@code zones}
   */
  public ArmPublicPrefix(
      ArmId id,
      String location,
      Cidr range,
      Document labels,
      String etag,
      SplittableRandom random) {
    this.id = id;
    this.location = location;
    this.range = range;
    this.labels = labels;
    this.etag = etag;
    this.random = random;
  }

  public ArmId id() {
    return id;
  }

  public String location() {
    return location;
  }

  public String etag() {
    return etag;
  }

  /** {@code IPv4} or {@code IPv6}. */
  public String version() {
    return range.family() == IpFamily.IPV4 ? "IPv4" : "IPv6";
  }

  /** The availability zones, as they were given. */
  public List<?> zones() {
    return labels.get("zones") instanceof List<?> zones ? zones : List.of();
  }

  public void setProvisioningState(String changed) {
    provisioningState = changed;
  }

  /** Gives any free address to this public IP address; empty when there is none. */
  public Optional<IpAddress> take(ArmId owner) {
    List<IpAddress> free = new ArrayList<>();
    for (long i = 0; i < range.sizeSaturated(); i++) {
      if (!given.containsValue(range.address(i))) {
        free.add(range.address(i));
      }
    }
    if (free.isEmpty()) {
      return Optional.empty();
    }
    IpAddress taken = free.get(random.nextInt(free.size()));
    given.put(owner, taken);
    return Optional.of(taken);
  }

  /** Takes the address of this public IP address back. */
  public void release(ArmId owner) {
    given.remove(owner);
  }

  /** The refusal of a request for an address that it does not have. */
  public String outOfAddresses() {
    return "IpPrefix "
        + id
        + " can provide "
        + range.sizeSaturated()
        + " public ips at maximum, "
        + given.size()
        + " of them are in use already.";
  }

  /** As {@code PublicIPPrefixes.List} shows it; the list of addresses is left out when empty. */
  public Document document() {
    Document properties =
        Document.of("provisioningState", provisioningState)
            .with("publicIPAddressVersion", version())
            .with("prefixLength", range.prefixLength())
            .with("ipPrefix", range.toString())
            .with("ipTags", List.of());
    if (!given.isEmpty()) {
      properties =
          properties.with(
              "publicIPAddresses",
              given.keySet().stream().map(each -> Document.reference(each.text())).toList());
    }
    return Document.of("name", id.name())
        .with("id", id.text())
        .with("type", "Microsoft.Network/publicIPPrefixes")
        .with("etag", etag)
        .with("location", location)
        .and(labels)
        .with("sku", Document.of("name", "Standard").with("tier", "Regional"))
        .with("properties", properties);
  }

  /** For people. */
  public Document summary() {
    return Document.of("id", id.text()).with("prefix", range.toString()).with("used", given.size());
  }
}
