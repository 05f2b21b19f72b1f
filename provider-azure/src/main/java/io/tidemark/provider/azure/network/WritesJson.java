package io.tidemark.provider.azure.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.provider.azure.network.ConfigurationChange.NewConfiguration;
import io.tidemark.provider.azure.network.WritableResource.Interface;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads what a write begins with, and makes its body (Z14). The body of an interface is the whole
 * answer, because what is left out is reset; that of an instance has three sections only, because
 * what is left out is kept. Pure.
 */
final class WritesJson {
  private static final String CONFIGURATIONS = "ipConfigurations";
  private static final String GROUPS = "applicationSecurityGroups";
  private static final String NETWORK = "networkProfileConfiguration";
  private static final String INTERFACES = "networkInterfaceConfigurations";
  private static final String POWER = "PowerState/";
  private static final String FAILED = "ProvisioningState/failed/";

  private WritesJson() {}

  static WritableResource read(ResourceId id, String json) throws ArmFailure {
    ObjectNode tree = TreeJson.body(json);
    JsonNode properties = tree.path("properties");
    List<Interface> interfaces = new ArrayList<>();
    if (id.isUniformInstance()) {
      for (JsonNode each : properties.path(NETWORK).path(INTERFACES)) {
        interfaces.add(
            new Interface(
                TreeJson.text(each, "name"),
                InterfacesJson.configurations(each.path("properties"))));
      }
    } else {
      interfaces.add(
          new Interface(TreeJson.name(tree, id), InterfacesJson.configurations(properties)));
    }
    return new WritableResource(
        id,
        json,
        TreeJson.text(tree, "etag"),
        TreeJson.lower(properties, "provisioningState"),
        status(properties, FAILED).orElse(""),
        id.isUniformInstance() ? Optional.of(id) : TreeJson.reference(properties, "virtualMachine"),
        status(properties, POWER).map(each -> each.toLowerCase(Locale.ROOT)),
        interfaces);
  }

  /** The text behind this one in a status of the instance view. */
  private static Optional<String> status(JsonNode properties, String kind) {
    for (JsonNode each : properties.path("instanceView").path("statuses")) {
      String code = TreeJson.text(each, "code");
      if (code.regionMatches(true, 0, kind, 0, kind.length())) {
        return Optional.of(code.substring(kind.length()));
      }
    }
    return Optional.empty();
  }

  /** The body that changes the configurations of one interface of {@code base}. */
  static String body(WritableResource base, ConfigurationChange change) throws ArmFailure {
    ObjectNode tree = TreeJson.body(base.json());
    if (base.id().isUniformInstance()) {
      return instance(tree, change).toString();
    }
    change((ObjectNode) tree.path("properties"), change, false);
    return tree.toString();
  }

  private static ObjectNode instance(ObjectNode tree, ConfigurationChange change) {
    JsonNode properties = tree.path("properties");
    for (JsonNode each : properties.path(NETWORK).path(INTERFACES)) {
      if (TreeJson.text(each, "name").equalsIgnoreCase(change.interfaceName())) {
        change((ObjectNode) each.path("properties"), change, true);
      }
    }
    ObjectNode sections = JsonNodeFactory.instance.objectNode();
    if (properties.has("hardwareProfile")) {
      sections.set("hardwareProfile", properties.get("hardwareProfile"));
    }
    sections.set(NETWORK, properties.get(NETWORK));
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.set("location", tree.get("location"));
    body.set("properties", sections);
    return body;
  }

  private static void change(ObjectNode properties, ConfigurationChange change, boolean model) {
    ArrayNode old = properties.withArray(CONFIGURATIONS);
    ArrayNode kept = JsonNodeFactory.instance.arrayNode();
    for (JsonNode each : old) {
      if (!change.removed().contains(TreeJson.text(each, "name")) && !isShell(each)) {
        kept.add(each);
      }
    }
    JsonNode first = primary(kept).path("properties");
    if (first instanceof ObjectNode primary) {
      if (!isPrimary(primary)) { // models of one configuration may leave the flag out
        primary.put("primary", true);
      }
      change.publicAddress().ifPresent(each -> PublicAddressesJson.change(primary, each));
    }
    for (NewConfiguration each : change.added()) {
      kept.add(made(each, first, model));
    }
    properties.set(CONFIGURATIONS, kept);
  }

  /**
   * Whether a configuration has neither a subnet nor an address, as a creation that failed leaves
   * it: Azure refuses a whole write that sends it back.
   */
  private static boolean isShell(JsonNode configuration) {
    JsonNode properties = configuration.path("properties");
    return !isPrimary(properties)
        && TreeJson.text(properties.path("subnet"), "id").isEmpty()
        && TreeJson.text(properties, "privateIPAddress").isEmpty();
  }

  /** The one with the flag, which Azure wants exactly one to have; else the first. */
  private static JsonNode primary(ArrayNode configurations) {
    for (JsonNode each : configurations) {
      if (isPrimary(each.path("properties"))) {
        return each;
      }
    }
    return configurations.path(0);
  }

  private static boolean isPrimary(JsonNode properties) {
    return properties.path("primary").asBoolean(false);
  }

  /** In the subnet of the primary configuration and in its groups, in no load balancer (Z24). */
  private static ObjectNode made(NewConfiguration made, JsonNode primary, boolean model) {
    ObjectNode properties = JsonNodeFactory.instance.objectNode();
    properties.set("subnet", idOnly(primary.path("subnet")));
    properties.put("privateIPAddressVersion", "IPv4");
    properties.put("primary", false);
    if (!model) {
      properties.put("privateIPAllocationMethod", "Dynamic");
    }
    if (made.block()) {
      properties.put("privateIPAddressPrefixLength", 28);
    }
    if (!primary.path(GROUPS).isEmpty()) {
      ArrayNode groups = properties.putArray(GROUPS);
      primary.path(GROUPS).forEach(each -> groups.add(idOnly(each)));
    }
    ObjectNode configuration = JsonNodeFactory.instance.objectNode();
    configuration.put("name", made.name());
    configuration.set("properties", properties);
    return configuration;
  }

  private static ObjectNode idOnly(JsonNode reference) {
    return JsonNodeFactory.instance.objectNode().put("id", TreeJson.text(reference, "id"));
  }
}
