package io.tidemark.emulator.arm.request;

import java.util.List;
import java.util.Optional;

/** The requests that the emulator answers, by the names that Azure's REST reference gives them. */
public enum Operation {
  /** C1: the virtual networks of a subscription. */
  VIRTUAL_NETWORKS_LIST_ALL(
      "VirtualNetworks.ListAll",
      "GET",
      "/subscriptions/*/providers/Microsoft.Network/virtualNetworks",
      "Microsoft.Network/virtualNetworks/read"),
  /** C2. */
  SUBNETS_GET(
      "Subnets.Get",
      "GET",
      "/subscriptions/*/resourceGroups/*/providers/Microsoft.Network/virtualNetworks/*/subnets/*",
      "Microsoft.Network/virtualNetworks/subnets/read"),
  /** C3. */
  VIRTUAL_NETWORKS_LIST_USAGE(
      "VirtualNetworks.ListUsage",
      "GET",
      "/subscriptions/*/resourceGroups/*/providers/Microsoft.Network/virtualNetworks/*/usages",
      "Microsoft.Network/virtualNetworks/usages/read"),
  /** C4. */
  INTERFACES_LIST(
      "Interfaces.List",
      "GET",
      "/subscriptions/*/resourceGroups/*/providers/Microsoft.Network/networkInterfaces",
      "Microsoft.Network/networkInterfaces/read"),
  /** C5. */
  SCALE_SETS_LIST(
      "VirtualMachineScaleSets.List",
      "GET",
      "/subscriptions/*/resourceGroups/*/providers/Microsoft.Compute/virtualMachineScaleSets",
      "Microsoft.Compute/virtualMachineScaleSets/read"),
  /** C6. */
  INTERFACES_LIST_SCALE_SET(
      "Interfaces.ListVirtualMachineScaleSetNetworkInterfaces",
      "GET",
      "/subscriptions/*/resourceGroups/*/providers/Microsoft.Compute/virtualMachineScaleSets/*"
          + "/networkInterfaces",
      "Microsoft.Compute/virtualMachineScaleSets/networkInterfaces/read"),
  /** C7. */
  INTERFACES_LIST_SCALE_SET_VM(
      "Interfaces.ListVirtualMachineScaleSetVMNetworkInterfaces",
      "GET",
      "/subscriptions/*/resourceGroups/*/providers/Microsoft.Compute/virtualMachineScaleSets/*"
          + "/virtualMachines/*/networkInterfaces",
      "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/networkInterfaces/read"),
  /** C8. */
  SCALE_SET_VMS_GET(
      "VirtualMachineScaleSetVMs.Get",
      "GET",
      "/subscriptions/*/resourceGroups/*/providers/Microsoft.Compute/virtualMachineScaleSets/*"
          + "/virtualMachines/*",
      "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/read"),
  /** C9. */
  SCALE_SET_VMS_UPDATE(
      "VirtualMachineScaleSetVMs.Update",
      "PUT",
      "/subscriptions/*/resourceGroups/*/providers/Microsoft.Compute/virtualMachineScaleSets/*"
          + "/virtualMachines/*",
      "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/write"),
  /** C10. */
  INTERFACES_GET(
      "Interfaces.Get",
      "GET",
      "/subscriptions/*/resourceGroups/*/providers/Microsoft.Network/networkInterfaces/*",
      "Microsoft.Network/networkInterfaces/read"),
  /** C11. */
  INTERFACES_CREATE_OR_UPDATE(
      "Interfaces.CreateOrUpdate",
      "PUT",
      "/subscriptions/*/resourceGroups/*/providers/Microsoft.Network/networkInterfaces/*",
      "Microsoft.Network/networkInterfaces/write"),
  /** C12. */
  VIRTUAL_MACHINES_GET(
      "VirtualMachines.Get",
      "GET",
      "/subscriptions/*/resourceGroups/*/providers/Microsoft.Compute/virtualMachines/*",
      "Microsoft.Compute/virtualMachines/read"),
  /** C13. */
  PUBLIC_PREFIXES_LIST(
      "PublicIPPrefixes.List",
      "GET",
      "/subscriptions/*/resourceGroups/*/providers/Microsoft.Network/publicIPPrefixes",
      "Microsoft.Network/publicIPPrefixes/read"),
  PUBLIC_ADDRESSES_GET(
      "PublicIPAddresses.Get",
      "GET",
      "/subscriptions/*/resourceGroups/*/providers/Microsoft.Network/publicIPAddresses/*",
      "Microsoft.Network/publicIPAddresses/read"),
  PUBLIC_ADDRESSES_CREATE_OR_UPDATE(
      "PublicIPAddresses.CreateOrUpdate",
      "PUT",
      "/subscriptions/*/resourceGroups/*/providers/Microsoft.Network/publicIPAddresses/*",
      "Microsoft.Network/publicIPAddresses/write"),
  /** C14. */
  PUBLIC_ADDRESSES_LIST_SCALE_SET_VM(
      "PublicIPAddresses.ListVirtualMachineScaleSetVMPublicIPAddresses",
      "GET",
      "/subscriptions/*/resourceGroups/*/providers/Microsoft.Compute/virtualMachineScaleSets/*"
          + "/virtualMachines/*/networkInterfaces/*/ipConfigurations/*/publicIPAddresses",
      "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/networkInterfaces"
          + "/ipConfigurations/publicIPAddresses/read"),
  /** The state of an operation that goes on, as {@code Azure-AsyncOperation} names it. */
  OPERATIONS_GET(
      "Operations.Get",
      "GET",
      "/subscriptions/*/providers/*/locations/*/operations/*",
      "*/locations/operations/read"),
  /** The result of an operation, as {@code Location} names it. */
  OPERATION_RESULTS_GET(
      "OperationResults.Get",
      "GET",
      "/subscriptions/*/providers/*/locations/*/operationResults/*",
      "*/locations/operations/read"),
  /** C15. Its path begins with any scope. */
  PERMISSIONS_LIST("Permissions.List", "GET", "", "Microsoft.Authorization/permissions/read");

  /** What ends the path of C15. */
  static final String PERMISSIONS = "/providers/Microsoft.Authorization/permissions";

  private final String title;
  private final String method;

  @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable
  private final List<String> pattern;

  private final String action;

  Operation(String title, String method, String pattern, String action) {
    this.title = title;
    this.method = method;
    this.pattern = List.of(pattern.split("/", -1));
    this.action = action;
  }

  /** The name in Azure's REST reference. */
  public String title() {
    return title;
  }

  /** The action of Azure's role-based access control that it needs. */
  public String action() {
    return action;
  }

  /** The operation of this name; empty when there is none. */
  public static Optional<Operation> ofTitle(String title) {
    for (Operation each : values()) {
      if (each.title.equals(title)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /** Which operation a method and a path ask for; types and namespaces in any case. */
  public static Optional<Operation> of(String method, ArmId path) {
    for (Operation each : values()) {
      if (each.method.equals(method) && each.fits(path)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  private boolean fits(ArmId path) {
    if (this == PERMISSIONS_LIST) {
      return path.text()
          .regionMatches(
              true,
              Math.max(0, path.text().length() - PERMISSIONS.length()),
              PERMISSIONS,
              0,
              PERMISSIONS.length());
    }
    List<String> segments = path.segments();
    if (segments.size() != pattern.size() - 1) {
      return false;
    }
    for (int i = 0; i < segments.size(); i++) {
      String expected = pattern.get(i + 1);
      if (!expected.equals("*") && !expected.equalsIgnoreCase(segments.get(i))) {
        return false;
      }
    }
    return true;
  }
}
