package io.tidemark.provider.azure.network;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads interfaces and their IP configurations (provider-azure 1.2). Pure. */
final class InterfacesJson {
  private static final int BLOCK_LENGTH = 28;

  /** Lists of others that use a configuration, and references to them. */
  private static final List<String> PINNING =
      List.of(
          "loadBalancerBackendAddressPools",
          "loadBalancerInboundNatRules",
          "applicationGatewayBackendAddressPools",
          "publicIPAddress",
          "publicIPAddressConfiguration",
          "gatewayLoadBalancer");

  private InterfacesJson() {}

  /** The interface of an element; empty when it has no id that could be one. */
  static Optional<AzureNetworkInterface> networkInterface(JsonNode json) {
    return TreeJson.resource(
        json,
        (id, properties) ->
            new AzureNetworkInterface(
                id,
                TreeJson.name(json, id),
                TreeJson.text(properties, "macAddress").replace('-', ':'),
                TreeJson.lower(properties, "provisioningState"),
                TreeJson.reference(properties, "virtualMachine"),
                properties.path("primary").asBoolean(false),
                TreeJson.text(properties.path("networkSecurityGroup"), "id"),
                configurations(properties)));
  }

  /**
   * The configurations of an interface or of its model; elements that are no objects are left out.
   */
  static List<IpConfiguration> configurations(JsonNode properties) {
    List<IpConfiguration> read = new ArrayList<>();
    for (JsonNode each : properties.path("ipConfigurations")) {
      if (each.isObject()) {
        read.add(configuration(each));
      }
    }
    return read;
  }

  private static IpConfiguration configuration(JsonNode json) {
    JsonNode properties = json.path("properties");
    boolean ipv6 = TreeJson.text(properties, "privateIPAddressVersion").equalsIgnoreCase("IPv6");
    return new IpConfiguration(
        TreeJson.text(json, "name"),
        properties.path("primary").asBoolean(false),
        ipv6,
        ipv6 ? Optional.empty() : range(properties),
        !ipv6 && length(properties) == BLOCK_LENGTH,
        TreeJson.reference(properties, "subnet"),
        TreeJson.lower(properties, "provisioningState"),
        isPinned(properties),
        PublicAddressesJson.called(properties));
  }

  /**
   * The address, or the block: {@code 10.0.0.16/28}, or an address of it with a length of 28 (Z30).
   */
  private static Optional<Cidr> range(JsonNode properties) {
    String text = TreeJson.text(properties, "privateIPAddress");
    int slash = text.indexOf('/');
    int length = length(properties);
    return IpAddress.tryParse(slash < 0 ? text : text.substring(0, slash))
        .filter(address -> address.family() == IpFamily.IPV4)
        .filter(address -> length == BLOCK_LENGTH || length == 32)
        .map(address -> Cidr.containing(address, length));
  }

  /** 32 when the answer has none. */
  private static int length(JsonNode properties) {
    String text = TreeJson.text(properties, "privateIPAddress");
    int slash = text.indexOf('/');
    return slash < 0
        ? properties.path("privateIPAddressPrefixLength").asInt(32)
        : number(text.substring(slash + 1));
  }

  private static int number(String text) {
    return text.matches("[0-9]{1,2}") ? Integer.parseInt(text) : -1;
  }

  private static boolean isPinned(JsonNode properties) {
    return PINNING.stream().anyMatch(key -> !properties.path(key).isEmpty());
  }
}
