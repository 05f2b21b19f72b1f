package io.tidemark.emulator.arm.gate;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.network.Configuration;
import io.tidemark.emulator.arm.request.ArmId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The actions on other resources that a write needs because its body names them (Azure permissions
 * for networking). Pure.
 */
public final class LinkedActions {
  private LinkedActions() {}

  /** The action on each resource that the body of a write names. */
  public static Map<ArmId, String> of(Optional<Document> body) {
    Map<ArmId, String> actions = new TreeMap<>();
    Document properties = body.map(each -> each.object("properties")).orElse(Document.EMPTY);
    List<Document> interfaces = new ArrayList<>(List.of(properties));
    properties
        .object("networkProfileConfiguration")
        .objects("networkInterfaceConfigurations")
        .forEach(each -> interfaces.add(each.object("properties")));
    for (Document each : interfaces) {
      each.object("networkSecurityGroup")
          .text("id")
          .flatMap(ArmId::parse)
          .ifPresent(id -> actions.put(id, "Microsoft.Network/networkSecurityGroups/join/action"));
      each.objects("ipConfigurations").stream()
          .map(Configuration::of)
          .forEach(configuration -> add(configuration, actions));
    }
    addPrefix(properties.object("publicIPPrefix"), actions);
    return actions;
  }

  private static void add(Configuration configuration, Map<ArmId, String> actions) {
    configuration
        .subnet()
        .ifPresent(id -> actions.put(id, "Microsoft.Network/virtualNetworks/subnets/join/action"));
    configuration
        .securityGroups()
        .forEach(
            id ->
                actions.put(
                    id, "Microsoft.Network/applicationSecurityGroups/joinIpConfiguration/action"));
    configuration.memberships().forEach(id -> actions.put(id, id.type() + "/join/action"));
    configuration
        .publicAddress()
        .ifPresent(id -> actions.put(id, "Microsoft.Network/publicIPAddresses/join/action"));
    addPrefix(configuration.publicPrefix(), actions);
  }

  private static void addPrefix(Document reference, Map<ArmId, String> actions) {
    reference
        .text("id")
        .flatMap(ArmId::parse)
        .ifPresent(id -> actions.put(id, "Microsoft.Network/publicIPPrefixes/join/action"));
  }
}
