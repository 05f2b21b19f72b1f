package io.tidemark.resource;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.AzureStatus.Address;
import io.tidemark.resource.AzureStatus.Interface;
import io.tidemark.resource.Shape.Struct;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Wire codec of {@code status.azure}. Addresses and blocks are texts on the wire, because operators
 * in use have written texts that are none; such a text reads as absent.
 */
final class AzureStatusJson {
  private static final String INTERFACES = "interfaces";
  private static final String ADDRESSES = "addresses";
  private static final Struct SUBNET = (Struct) CiliumNodeShapes.AZURE_INTERFACE.member("subnet");

  private AzureStatusJson() {}

  /** The section as a value; {@link AzureStatus#EMPTY} when it says nothing. */
  static AzureStatus read(JsonObject json) {
    SortedMap<String, Interface> read = new TreeMap<>();
    for (JsonValue each : json.get(INTERFACES).asArray().elements()) {
      Interface one = readInterface(each.asObject());
      read.put(one.id(), one);
    }
    return read.isEmpty() ? AzureStatus.EMPTY : new AzureStatus(read);
  }

  /**
   * The section {@code old} with exactly the interfaces of {@code status}, ids ascending. An
   * interface that was there before keeps members that are not known here.
   */
  static JsonObject write(JsonObject old, AzureStatus status) {
    List<JsonValue> before = old.get(INTERFACES).asArray().elements();
    List<JsonValue> after = new ArrayList<>();
    for (Interface each : status.interfaces().values()) {
      after.add(writeInterface(of(before, each.id()), each));
    }
    return old.with(INTERFACES, new JsonArray(after));
  }

  private static JsonObject of(List<JsonValue> interfaces, String id) {
    return interfaces.stream()
        .map(JsonValue::asObject)
        .filter(each -> each.get("id").asText().equalsIgnoreCase(id))
        .findFirst()
        .orElse(JsonObject.EMPTY);
  }

  private static Interface readInterface(JsonObject json) {
    return new Interface(
        json.get("id").asText(),
        json.get("name").asText(),
        json.get("mac").asText(),
        json.get("state").asText(),
        address(json.get("ip")),
        readAddresses(json.get(ADDRESSES)),
        json.get("security-group").asText(),
        address(json.get("gateway")).or(() -> address(json.get("GatewayIP"))),
        Members.text(json, "cidr").flatMap(Cidr::tryParse),
        json.get("subnet").asObject().get("id").asText());
  }

  private static List<Address> readAddresses(JsonValue value) {
    List<Address> addresses = new ArrayList<>();
    for (JsonValue each : value.asArray().elements()) {
      JsonObject json = each.asObject();
      address(json.get("ip"))
          .ifPresent(
              ip ->
                  addresses.add(
                      new Address(ip, json.get("subnet").asText(), json.get("state").asText())));
    }
    return addresses;
  }

  private static JsonObject writeInterface(JsonObject old, Interface each) {
    JsonText gateway = new JsonText(each.gateway().map(IpAddress::toString).orElse(""));
    JsonObject json = stated(old, "GatewayIP", gateway);
    json = set(json, ADDRESSES, writeAddresses(json.get(ADDRESSES), each.addresses()));
    json = set(json, "cidr", Members.printed(each.cidr()));
    json = stated(json, "gateway", gateway);
    json = set(json, "id", new JsonText(each.id()));
    json = set(json, "ip", Members.printed(each.ip()));
    json = set(json, "mac", new JsonText(each.mac()));
    json = set(json, "name", new JsonText(each.name()));
    json = stated(json, "security-group", new JsonText(each.securityGroup()));
    json = set(json, "state", new JsonText(each.state()));
    JsonObject subnet = json.get("subnet").asObject();
    subnet =
        Members.set(
            SUBNET,
            subnet,
            "cidr",
            each.subnetId().isEmpty() ? JsonNull.NULL : Members.printed(each.cidr()));
    return set(json, "subnet", Members.set(SUBNET, subnet, "id", new JsonText(each.subnetId())));
  }

  /** An address that was there before keeps members that are not known here. */
  private static JsonValue writeAddresses(JsonValue old, List<Address> addresses) {
    TreeMap<String, JsonObject> before = new TreeMap<>();
    for (JsonValue each : old.asArray().elements()) {
      before.put(each.asObject().get("ip").asText(), each.asObject());
    }
    List<JsonValue> written = new ArrayList<>(addresses.size());
    for (Address each : addresses) {
      String ip = each.ip().toString();
      JsonObject json = before.getOrDefault(ip, JsonObject.EMPTY);
      json = member(json, "ip", ip);
      json = member(json, "state", each.state());
      written.add(member(json, "subnet", each.subnet()));
    }
    return AddressRecords.compact(new JsonArray(written), "ip");
  }

  private static JsonObject member(JsonObject json, String key, String text) {
    return Members.set(CiliumNodeShapes.AZURE_ADDRESS, json, key, new JsonText(text));
  }

  private static JsonObject set(JsonObject json, String key, JsonValue value) {
    return Members.set(CiliumNodeShapes.AZURE_INTERFACE, json, key, value);
  }

  /** Agents expect these members even when they are empty. */
  private static JsonObject stated(JsonObject json, String key, JsonText text) {
    return json.get(key).equals(text) ? json : json.with(key, text);
  }

  private static Optional<IpAddress> address(JsonValue value) {
    return IpAddress.tryParse(value.asText());
  }
}
