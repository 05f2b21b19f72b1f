package io.tidemark.emulator.arm.network;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.request.ArmId;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The client's request for one IP configuration, as the body of a PUT has it. Immutable.
 *
 * @param name unique on its interface
 * @param properties as they were sent
 */
public record Configuration(String name, Document properties) {
  /** The length of the only blocks that there are. */
  static final int BLOCK = 28;

  private static final String LENGTH = "privateIPAddressPrefixLength";
  private static final String PUBLIC_MODEL = "publicIPAddressConfiguration";

  /** Lists of resources that a configuration can belong to. */
  private static final List<String> MEMBERSHIPS =
      List.of(
          "loadBalancerBackendAddressPools",
          "loadBalancerInboundNatRules",
          "loadBalancerInboundNatPools",
          "applicationGatewayBackendAddressPools");

  /** The configurations of an interface's model. */
  public static List<Configuration> all(Document interfaceModel) {
    return interfaceModel.object("properties").objects("ipConfigurations").stream()
        .map(Configuration::of)
        .toList();
  }

  /** The configuration of an element; its name may be missing. */
  public static Configuration of(Document element) {
    return new Configuration(element.text("name").orElse(""), element.object("properties"));
  }

  /**
   * Without what is the default, what only Azure sets, and whether it is primary: two
   * configurations that say the same are equal then.
   */
  public Configuration normal() {
    Document said = properties.without("provisioningState", "primary", "etag");
    if (staticAddress().isEmpty()) {
      said = said.without("privateIPAddress", "privateIPAllocationMethod");
    }
    if (publicAddress().isPresent()) {
      said = said.with("publicIPAddress", Document.reference(publicAddress().get().text()));
    }
    return new Configuration(name, isIpv6() ? said : said.without("privateIPAddressVersion"));
  }

  /** The element as it is sent. */
  public Document document() {
    return Document.of("name", name).with("properties", properties);
  }

  public Optional<Boolean> primary() {
    return properties.flag("primary");
  }

  public Optional<ArmId> subnet() {
    return properties.object("subnet").text("id").flatMap(ArmId::parse);
  }

  public boolean isIpv6() {
    return properties.text("privateIPAddressVersion").filter("IPv6"::equals).isPresent();
  }

  /** The length of the block that it asks for. */
  public Optional<Integer> blockLength() {
    return properties.number(LENGTH);
  }

  /** Whether it asks for a block of addresses instead of one. */
  public boolean isBlock() {
    return blockLength().filter(length -> length != 32).isPresent();
  }

  /** Whether the client names the address instead of Azure. */
  public boolean isStatic() {
    return properties.text("privateIPAllocationMethod").filter("Static"::equals).isPresent();
  }

  /** The address that it asks for; empty when Azure may choose, and when the client forgot it. */
  public Optional<String> staticAddress() {
    return isStatic() ? properties.text("privateIPAddress") : Optional.empty();
  }

  /** Ids of its application security groups. */
  public Set<ArmId> securityGroups() {
    return references(properties, "applicationSecurityGroups");
  }

  /** Ids of the load balancers' pools and rules that it belongs to. */
  public Set<ArmId> memberships() {
    Set<ArmId> all = new TreeSet<>();
    MEMBERSHIPS.forEach(key -> all.addAll(references(properties, key)));
    return all;
  }

  /** The public IP address that it refers to. */
  public Optional<ArmId> publicAddress() {
    return properties.object("publicIPAddress").text("id").flatMap(ArmId::parse);
  }

  /** The name of the public IP address that the model of an instance asks for. */
  public Optional<String> publicName() {
    return properties.has(PUBLIC_MODEL)
        ? Optional.of(properties.object(PUBLIC_MODEL).text("name").orElse(""))
        : Optional.empty();
  }

  /** The reference to the prefix of that public IP address. */
  public Document publicPrefix() {
    return properties.object(PUBLIC_MODEL).object("properties").object("publicIPPrefix");
  }

  /** The id of that public IP address on this interface. */
  public Optional<ArmId> publicAddressOn(ArmId nic) {
    return publicName()
        .map(each -> nic.child("ipConfigurations", name).child("publicIPAddresses", each));
  }

  /** The configuration of the interface when the model of an instance has this one. */
  public Configuration placedOn(ArmId nic) {
    return publicAddressOn(nic)
        .map(
            id ->
                new Configuration(
                    name,
                    properties
                        .without(PUBLIC_MODEL)
                        .with("publicIPAddress", Document.reference(id.text()))))
        .orElse(this);
  }

  private static Set<ArmId> references(Document properties, String key) {
    Set<ArmId> ids = new TreeSet<>();
    properties
        .objects(key)
        .forEach(each -> each.text("id").flatMap(ArmId::parse).ifPresent(ids::add));
    return ids;
  }

  /** The same without the length of a block, as versions of an API that do not know it see it. */
  public Configuration withoutBlock() {
    return new Configuration(name, properties.without(LENGTH));
  }

  /**
   * The request of clients of an API that does not know blocks: no new block; those that there are
   * stay.
   *
   * @param present the configurations before the write
   */
  public static List<Configuration> withoutNewBlocks(
      List<Configuration> wishes, List<Configuration> present) {
    Set<String> blocks = new HashSet<>();
    for (Configuration each : present) {
      if (each.isBlock()) {
        blocks.add(each.name().toLowerCase(Locale.ROOT));
      }
    }
    return wishes.stream()
        .map(
            each ->
                blocks.contains(each.name().toLowerCase(Locale.ROOT))
                    ? new Configuration(each.name(), each.properties().with(LENGTH, BLOCK))
                    : each.withoutBlock())
        .toList();
  }
}
