package io.tidemark.emulator.arm.network;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A subnet of a virtual network. Not thread-safe. */
public final class ArmSubnet {
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
}
