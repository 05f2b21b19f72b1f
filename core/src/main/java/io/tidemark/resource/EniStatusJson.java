package io.tidemark.resource;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.EniStatus.Eni;
import io.tidemark.resource.EniStatus.SubnetRef;
import io.tidemark.resource.EniStatus.VpcRef;
import io.tidemark.resource.Shape.Struct;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Wire codec of {@code status.eni} (1.3). */
final class EniStatusJson {
  private static final String ENIS = "enis";
  private static final Struct SUBNET = (Struct) CiliumNodeShapes.ENI.member("subnet");
  private static final Struct VPC = (Struct) CiliumNodeShapes.ENI.member("vpc");

  private EniStatusJson() {}

  /** The section as a value; without interfaces when it says nothing. */
  static EniStatus read(JsonObject json) {
    JsonObject enis = json.get(ENIS).asObject();
    SortedMap<String, Eni> read = new TreeMap<>();
    for (int i = 0; i < enis.size(); i++) {
      read.put(enis.key(i), readEni(enis.key(i), enis.value(i).asObject()));
    }
    return new EniStatus(read);
  }

  /**
   * The section {@code old} with exactly the interfaces of {@code status}. An interface that was
   * there before keeps members that are not known here, and its place; one that says the same as in
   * {@code read}, which is what {@code old} says, is left alone.
   */
  static JsonObject write(JsonObject old, EniStatus read, EniStatus status) {
    JsonObject before = old.get(ENIS).asObject();
    JsonObject after = before;
    for (int i = 0; i < before.size(); i++) {
      if (!status.enis().containsKey(before.key(i))) {
        after = after.without(before.key(i));
      }
    }
    for (Map.Entry<String, Eni> each : status.enis().entrySet()) {
      String key = each.getKey();
      Eni known = read.enis().get(key);
      if (!each.getValue().equals(known)) {
        after = after.with(key, writeEni(after.get(key).asObject(), known, each.getValue()));
      }
    }
    return Members.set(CiliumNodeShapes.ENI_STATUS, old, ENIS, after);
  }

  private static Eni readEni(String key, JsonObject json) {
    JsonObject subnet = json.get("subnet").asObject();
    JsonObject vpc = json.get("vpc").asObject();
    return new Eni(
        Members.text(json, "id").orElse(key),
        address(json, "ip"),
        json.get("mac").asText(),
        json.get("availability-zone").asText(),
        json.get("description").asText(),
        json.get("number").asInt(),
        new SubnetRef(subnet.get("id").asText(), block(subnet, "cidr")),
        new VpcRef(vpc.get("id").asText(), block(vpc, "primary-cidr"), blocks(vpc, "cidrs")),
        AddressList.read(json.get("addresses")),
        blocks(json, "prefixes"),
        blocks(json, "ipv6-prefixes"),
        address(json, "public-ip"),
        Members.texts(json, "security-groups"),
        Members.textMap(json, "tags"));
  }

  /** The interface in place of {@code old}, which says {@code known}; mostly addresses change. */
  private static JsonObject writeEni(JsonObject old, @Nullable Eni known, Eni eni) {
    JsonObject json = old;
    if (known == null || !known.addresses().equals(eni.addresses())) {
      json = set(json, "addresses", AddressList.of(eni.addresses()));
    }
    if (known != null && differsInAddressesAlone(known, eni)) {
      return json;
    }
    json = set(json, "availability-zone", new JsonText(eni.availabilityZone()));
    json = set(json, "description", new JsonText(eni.description()));
    json = set(json, "id", new JsonText(eni.id()));
    json = set(json, "ip", Members.printed(eni.ip()));
    json = set(json, "ipv6-prefixes", Members.arrayOf(eni.ipv6Prefixes()));
    json = set(json, "mac", new JsonText(eni.mac()));
    json = set(json, "number", JsonNumber.of(eni.number()));
    json = set(json, "prefixes", Members.arrayOf(eni.prefixes()));
    json = set(json, "public-ip", Members.printed(eni.publicIp()));
    json = set(json, "security-groups", Members.arrayOf(eni.securityGroups()));
    json = set(json, "subnet", writeSubnet(json.get("subnet").asObject(), eni.subnet()));
    json = set(json, "tags", Members.objectOf(eni.tags()));
    return set(json, "vpc", writeVpc(json.get("vpc").asObject(), eni.vpc()));
  }

  private static boolean differsInAddressesAlone(Eni a, Eni b) {
    return a.id().equals(b.id())
        && a.ip().equals(b.ip())
        && a.mac().equals(b.mac())
        && a.availabilityZone().equals(b.availabilityZone())
        && a.description().equals(b.description())
        && a.number() == b.number()
        && a.subnet().equals(b.subnet())
        && a.vpc().equals(b.vpc())
        && a.prefixes().equals(b.prefixes())
        && a.ipv6Prefixes().equals(b.ipv6Prefixes())
        && a.publicIp().equals(b.publicIp())
        && a.securityGroups().equals(b.securityGroups())
        && a.tags().equals(b.tags());
  }

  private static JsonObject writeSubnet(JsonObject old, SubnetRef subnet) {
    JsonObject json = Members.set(SUBNET, old, "cidr", Members.printed(subnet.cidr()));
    return Members.set(SUBNET, json, "id", new JsonText(subnet.id()));
  }

  private static JsonObject writeVpc(JsonObject old, VpcRef vpc) {
    JsonObject json = Members.set(VPC, old, "cidrs", Members.arrayOf(vpc.cidrs()));
    json = Members.set(VPC, json, "id", new JsonText(vpc.id()));
    return Members.set(VPC, json, "primary-cidr", Members.printed(vpc.primaryCidr()));
  }

  private static JsonObject set(JsonObject json, String key, JsonValue value) {
    return Members.set(CiliumNodeShapes.ENI, json, key, value);
  }

  private static Optional<IpAddress> address(JsonObject json, String key) {
    return Members.text(json, key).map(IpAddress::parse);
  }

  private static Optional<Cidr> block(JsonObject json, String key) {
    return Members.text(json, key).map(Cidr::parse);
  }

  private static List<Cidr> blocks(JsonObject json, String key) {
    return Members.texts(json, key).stream().map(Cidr::parse).toList();
  }
}
