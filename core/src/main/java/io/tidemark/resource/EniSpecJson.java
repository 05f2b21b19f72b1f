package io.tidemark.resource;

import java.util.OptionalInt;

/** Wire codec of {@code spec.eni} (1.2). */
final class EniSpecJson {
  private EniSpecJson() {}

  /** The section as a value; {@link EniSpec#EMPTY} when it says nothing. */
  static EniSpec read(JsonObject json) {
    if (Sameness.saysNothing(CiliumNodeShapes.ENI_SPEC, json)) {
      return EniSpec.EMPTY;
    }
    return new EniSpec(
        json.get("instance-type").asText(),
        json.get("first-interface-index") instanceof JsonNumber number
            ? number.toInt()
            : OptionalInt.empty(),
        Members.texts(json, "security-groups"),
        Members.textMap(json, "security-group-tags"),
        Members.texts(json, "subnet-ids"),
        Members.textMap(json, "subnet-tags"),
        json.get("node-subnet-id").asText(),
        json.get("vpc-id").asText(),
        json.get("availability-zone").asText(),
        Members.textMap(json, "exclude-interface-tags"),
        Members.flag(json, "delete-on-termination"),
        Members.flag(json, "use-primary-address"),
        Members.flag(json, "disable-prefix-delegation"));
  }

  /** The section {@code old} with the members of {@code eni}; other members stay. */
  static JsonObject write(JsonObject old, EniSpec eni) {
    JsonObject json = old;
    json = set(json, "availability-zone", new JsonText(eni.availabilityZone()));
    json = set(json, "delete-on-termination", Members.flag(eni.deleteOnTermination()));
    json = set(json, "disable-prefix-delegation", Members.flag(eni.disablePrefixDelegation()));
    json = set(json, "exclude-interface-tags", Members.objectOf(eni.excludeInterfaceTags()));
    json = set(json, "first-interface-index", number(eni.firstInterfaceIndex()));
    json = set(json, "instance-type", new JsonText(eni.instanceType()));
    json = set(json, "node-subnet-id", new JsonText(eni.nodeSubnetId()));
    json = set(json, "security-group-tags", Members.objectOf(eni.securityGroupTags()));
    json = set(json, "security-groups", Members.arrayOf(eni.securityGroups()));
    json = set(json, "subnet-ids", Members.arrayOf(eni.subnetIds()));
    json = set(json, "subnet-tags", Members.objectOf(eni.subnetTags()));
    json = set(json, "use-primary-address", Members.flag(eni.usePrimaryAddress()));
    return set(json, "vpc-id", new JsonText(eni.vpcId()));
  }

  private static JsonObject set(JsonObject json, String key, JsonValue value) {
    return Members.set(CiliumNodeShapes.ENI_SPEC, json, key, value);
  }

  private static JsonValue number(OptionalInt value) {
    return value.isPresent() ? JsonNumber.of(value.getAsInt()) : JsonNull.NULL;
  }
}
