package io.tidemark.provider.azure.doctor;

import io.tidemark.provider.azure.network.LinkedType;
import io.tidemark.provider.azure.network.ResourceId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/** Which actions of Azure's role-based access control are needed, and where (Z51). Pure. */
final class RequiredActions {
  private static final String SETS = "Microsoft.Compute/virtualMachineScaleSets/";
  private static final String NETWORK = "Microsoft.Network/";
  private static final String OPERATIONS = "/locations/operations/read";
  private static final String USAGES = NETWORK + "virtualNetworks/usages/read";

  private final Map<String, NavigableSet<String>> scopes = new LinkedHashMap<>();

  private RequiredActions() {}

  /** Scopes by action, in the order to be shown. */
  static Map<String, NavigableSet<String>> of(AzureTargets targets) {
    RequiredActions all = new RequiredActions();
    targets.machines.forEach(each -> all.machine(each, targets.interfacesOf(each)));
    targets.linked.forEach(all::link);
    targets.staticMachines.forEach(each -> all.staticAddress(each, targets.interfacesOf(each)));
    targets.networks().forEach(each -> all.at(each.text(), USAGES));
    for (ResourceId each : targets.machines) {
      String writer = each.isUniformInstance() ? "Microsoft.Compute" : "Microsoft.Network";
      targets
          .interfacesOf(each)
          .forEach(nic -> all.at(nic.subscriptionScope(), writer + OPERATIONS));
    }
    return all.scopes;
  }

  /** The substitute for an action; empty when pods get no addresses then. */
  static Optional<String> fallback(String action) {
    if (action.endsWith(OPERATIONS)) {
      return Optional.of("the end of a write is read from the resource instead");
    }
    return action.equals(USAGES)
        ? Optional.of("free addresses are counted from the subnet instead, where Azure shows them")
        : Optional.empty();
  }

  private void machine(ResourceId machine, NavigableSet<ResourceId> interfaces) {
    if (machine.isUniformInstance()) {
      at(
          machine.groupScope(),
          SETS + "networkInterfaces/read",
          SETS + "virtualMachines/read",
          SETS + "virtualMachines/write",
          SETS + "virtualMachines/networkInterfaces/read");
    } else {
      at(
          machine.groupScope(),
          "Microsoft.Compute/virtualMachines/read",
          NETWORK + "networkInterfaces/read");
      for (ResourceId each : interfaces) {
        at(
            each.groupScope(),
            NETWORK + "networkInterfaces/read",
            NETWORK + "networkInterfaces/write");
      }
    }
  }

  private void link(ResourceId linked) {
    LinkedType type = LinkedType.of(linked).orElseThrow();
    if (type == LinkedType.SUBNET) {
      at(linked.text(), NETWORK + "virtualNetworks/subnets/read");
    }
    at(linked.text(), type.action());
  }

  /**
   * From a prefix of the machine's group; a virtual machine's is a resource of its own, in the
   * group of its interface.
   */
  private void staticAddress(ResourceId machine, NavigableSet<ResourceId> interfaces) {
    String group = machine.groupScope();
    at(group, NETWORK + "publicIPPrefixes/read", NETWORK + "publicIPPrefixes/join/action");
    if (machine.isUniformInstance()) {
      String addresses = "virtualMachines/networkInterfaces/ipConfigurations/publicIPAddresses/";
      at(group, SETS + addresses + "read");
    } else {
      String addresses = NETWORK + "publicIPAddresses/";
      for (ResourceId each : interfaces) {
        at(each.groupScope(), addresses + "read", addresses + "write", addresses + "join/action");
      }
    }
  }

  private void at(String scope, String... actions) {
    for (String action : List.of(actions)) {
      scopes
          .computeIfAbsent(action, key -> new TreeSet<>(String.CASE_INSENSITIVE_ORDER))
          .add(scope);
    }
  }
}
