package io.tidemark.provider.azure.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Reads public prefixes and addresses, and makes the bodies that ask for one. Pure. */
final class PublicAddressesJson {
  private static final String OF_INSTANCE = "publicIPAddressConfiguration";
  private static final String OF_INTERFACE = "publicIPAddress";
  private static final String PREFIX = "publicIPPrefix";

  private PublicAddressesJson() {}

  /** The prefix of an element; empty when it has no id. */
  static Optional<PublicPrefix> prefix(JsonNode json) {
    Map<String, String> tags = new TreeMap<>();
    json.path("tags")
        .properties()
        .forEach(each -> tags.put(each.getKey(), each.getValue().asText()));
    return TreeJson.resource(
        json,
        (id, properties) ->
            new PublicPrefix(
                id,
                TreeJson.text(json, "location"),
                TreeJson.text(json.path("sku"), "name"),
                TreeJson.texts(json.path("zones")),
                tags,
                Cidr.tryParse(TreeJson.text(properties, "ipPrefix")),
                TreeJson.lower(properties, "provisioningState"),
                Set.copyOf(TreeJson.references(properties.path("publicIPAddresses")))));
  }

  /** The address of an element; empty when it has no id. */
  static Optional<PublicAddress> address(JsonNode json) {
    return TreeJson.resource(
        json,
        (id, properties) ->
            new PublicAddress(
                id,
                IpAddress.tryParse(TreeJson.text(properties, "ipAddress")),
                TreeJson.lower(properties, "provisioningState")));
  }

  /**
   * The body that makes an address of a prefix. It goes with the virtual machine that uses it, so
   * that nodes that come and go do not use the prefix up.
   */
  static String body(PublicPrefix prefix) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("location", prefix.location());
    body.putObject("sku").put("name", prefix.sku().isEmpty() ? "Standard" : prefix.sku());
    if (!prefix.zones().isEmpty()) {
      ArrayNode zones = body.putArray("zones");
      prefix.zones().forEach(zones::add);
    }
    ObjectNode properties = body.putObject("properties");
    properties.put("publicIPAllocationMethod", "Static");
    properties.put("publicIPAddressVersion", "IPv4");
    properties.put("deleteOption", "Delete");
    properties.putObject(PREFIX).put("id", prefix.id().text());
    return body.toString();
  }

  /**
   * How the public address of a configuration is called: by its id on an interface, by its name in
   * the model of an instance; empty when there is none.
   */
  static String called(JsonNode configuration) {
    JsonNode model = configuration.path(OF_INSTANCE);
    return model.isObject()
        ? TreeJson.text(model, "name")
        : TreeJson.text(configuration.path(OF_INTERFACE), "id");
  }

  /** Changes the properties of a configuration. */
  static void change(ObjectNode configuration, PublicAddressChange change) {
    configuration.remove(List.of(OF_INSTANCE, OF_INTERFACE));
    if (change instanceof PublicAddressChange.OfPrefix asked) {
      ObjectNode model = configuration.putObject(OF_INSTANCE).put("name", asked.name());
      model.putObject("properties").putObject(PREFIX).put("id", asked.prefix().text());
    } else if (change instanceof PublicAddressChange.Existing used) {
      configuration.putObject(OF_INTERFACE).put("id", used.address().text());
    }
  }
}
