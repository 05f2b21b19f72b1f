package io.tidemark.emulator.arm.network;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.emulator.arm.request.Refusal;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A subnet of a virtual network. Not thread-safe. */
public final class ArmSubnet {
  private static final int IPV4_LONGEST = 29;
  private static final int IPV6_ONLY = 64;

  private final ArmId id;
  private final List<Cidr> prefixes;
  private final boolean busy;
  private final String etag;
  private final SubnetAddresses addresses;
  private final Set<String> configurations = new TreeSet<>();

  /**
   * A subnet without resources.
   *
   * @param busy whether Azure leaves its list of configurations out, as it does for large subnets
   */
  public ArmSubnet(
      ArmId id, List<Cidr> prefixes, boolean busy, String etag, SubnetAddresses addresses) {
    this.id = id;
    this.prefixes = List.copyOf(prefixes);
    this.busy = busy;
    this.etag = etag;
    this.addresses = addresses;
  }

  public ArmId id() {
    return id;
  }

  public List<Cidr> prefixes() {
    return prefixes;
  }

  public String etag() {
    return etag;
  }

  public SubnetAddresses addresses() {
    return addresses;
  }

  public boolean hasIpv6() {
    return prefixes.stream().anyMatch(each -> each.family() == IpFamily.IPV6);
  }

  /** Notes that a configuration is in it. */
  public void add(String configurationId) {
    configurations.add(configurationId);
  }

  /** Notes that a configuration has left it. */
  public void remove(String configurationId) {
    configurations.remove(configurationId);
  }

  /** As {@code Subnets.Get} shows it. */
  public Document document() {
    Document properties = Document.of("provisioningState", "Succeeded");
    properties =
        prefixes.size() == 1
            ? properties.with("addressPrefix", prefixes.get(0).toString())
            : properties.with("addressPrefixes", prefixes.stream().map(Cidr::toString).toList());
    if (!busy && !configurations.isEmpty()) {
      List<Document> references = new ArrayList<>();
      configurations.forEach(each -> references.add(Document.reference(each)));
      properties = properties.with("ipConfigurations", references);
    }
    properties =
        properties
            .with("delegations", List.of())
            .with("privateEndpointNetworkPolicies", "Disabled")
            .with("privateLinkServiceNetworkPolicies", "Enabled");
    return Document.of("name", id.name())
        .with("id", id.text())
        .with("etag", etag)
        .with("properties", properties)
        .with("type", "Microsoft.Network/virtualNetworks/subnets");
  }

  /** Its entry among the usages of its virtual network. */
  public Document usage() {
    boolean countable = prefixes.stream().anyMatch(each -> each.family() == IpFamily.IPV4);
    return Document.of("currentValue", countable ? addresses.used() : -1)
        .with("id", id.text())
        .with("limit", countable ? addresses.limit() : -1)
        .with(
            "name",
            Document.of("localizedValue", "Subnet size and usage").with("value", "SubnetSpace"))
        .with("unit", "Count");
  }

  /** For people. */
  public Document summary() {
    return Document.of("id", id.text())
        .with("limit", addresses.limit())
        .with("used", addresses.used());
  }

  /**
   * Refuses blocks that Azure would not accept (Virtual network FAQ).
   *
   * @param others the other subnets of the network
   */
  public static void requireValid(ArmId id, List<Cidr> prefixes, Collection<ArmSubnet> others) {
    for (int i = 0; i < prefixes.size(); i++) {
      Cidr each = prefixes.get(i);
      boolean fits =
          each.family() == IpFamily.IPV4
              ? each.prefixLength() <= IPV4_LONGEST
              : each.prefixLength() == IPV6_ONLY;
      Refusal.when(
          !fits,
          "NetcfgInvalidSubnet",
          "Subnet %s has the block %s; a block is a /29 or larger, or an IPv6 /64.",
          id,
          each);
      for (Cidr before : prefixes.subList(0, i)) {
        requireApart(id, each, before);
      }
      others.forEach(other -> other.prefixes().forEach(block -> requireApart(id, each, block)));
    }
  }

  private static void requireApart(ArmId id, Cidr block, Cidr other) {
    Refusal.when(
        block.overlaps(other),
        "NetcfgSubnetRangesOverlap",
        "Subnet %s has the block %s, which overlaps with %s.",
        id,
        block,
        other);
  }
}
