package io.tidemark.emulator.arm.request;

import java.util.List;
import java.util.Optional;

/** The requests that the emulator answers, by the names that Azure's REST reference gives them. */
public enum Operation {
  /** C1: the virtual networks of a subscription. */
  VIRTUAL_NETWORKS_LIST_ALL(
      "VirtualNetworks.ListAll",
      "GET",
      Path.NETWORK_OF_ALL + "/virtualNetworks",
      "Microsoft.Network/virtualNetworks/read"),
  VIRTUAL_NETWORKS_LIST(
      "VirtualNetworks.List",
      "GET",
      Path.NETWORK + "/virtualNetworks",
      "Microsoft.Network/virtualNetworks/read"),
  VIRTUAL_NETWORKS_GET(
      "VirtualNetworks.Get",
      "GET",
      Path.NETWORK + "/virtualNetworks/*",
      "Microsoft.Network/virtualNetworks/read"),
  SUBNETS_LIST(
      "Subnets.List",
      "GET",
      Path.NETWORK + "/virtualNetworks/*/subnets",
      "Microsoft.Network/virtualNetworks/subnets/read"),
  /** C2. */
  SUBNETS_GET(
      "Subnets.Get",
      "GET",
      Path.NETWORK + "/virtualNetworks/*/subnets/*",
      "Microsoft.Network/virtualNetworks/subnets/read"),
  /** C3. */
  VIRTUAL_NETWORKS_LIST_USAGE(
      "VirtualNetworks.ListUsage",
      "GET",
      Path.NETWORK + "/virtualNetworks/*/usages",
      "Microsoft.Network/virtualNetworks/usages/read"),
  INTERFACES_LIST_ALL(
      "Interfaces.ListAll",
      "GET",
      Path.NETWORK_OF_ALL + "/networkInterfaces",
      "Microsoft.Network/networkInterfaces/read"),
  /** C4. */
  INTERFACES_LIST(
      "Interfaces.List",
      "GET",
      Path.NETWORK + "/networkInterfaces",
      "Microsoft.Network/networkInterfaces/read"),
  SCALE_SETS_LIST_ALL(
      "VirtualMachineScaleSets.ListAll",
      "GET",
      Path.COMPUTE_OF_ALL + "/virtualMachineScaleSets",
      "Microsoft.Compute/virtualMachineScaleSets/read"),
  /** C5. */
  SCALE_SETS_LIST(
      "VirtualMachineScaleSets.List",
      "GET",
      Path.SETS,
      "Microsoft.Compute/virtualMachineScaleSets/read"),
  SCALE_SETS_GET(
      "VirtualMachineScaleSets.Get",
      "GET",
      Path.SETS + "/*",
      "Microsoft.Compute/virtualMachineScaleSets/read"),
  SCALE_SETS_GET_INSTANCE_VIEW(
      "VirtualMachineScaleSets.GetInstanceView",
      "GET",
      Path.SETS + "/*/instanceView",
      "Microsoft.Compute/virtualMachineScaleSets/instanceView/read"),
  /** C6. */
  INTERFACES_LIST_SCALE_SET(
      "Interfaces.ListVirtualMachineScaleSetNetworkInterfaces",
      "GET",
      Path.SETS + "/*/networkInterfaces",
      "Microsoft.Compute/virtualMachineScaleSets/networkInterfaces/read"),
  /** C7. */
  INTERFACES_LIST_SCALE_SET_VM(
      "Interfaces.ListVirtualMachineScaleSetVMNetworkInterfaces",
      "GET",
      Path.SET_VMS + "/*/networkInterfaces",
      "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/networkInterfaces/read"),
  INTERFACES_GET_SCALE_SET(
      "Interfaces.GetVirtualMachineScaleSetNetworkInterface",
      "GET",
      Path.SET_VMS + "/*/networkInterfaces/*",
      "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/networkInterfaces/read"),
  SCALE_SET_VMS_LIST(
      "VirtualMachineScaleSetVMs.List",
      "GET",
      Path.SET_VMS,
      "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/read"),
  /** C8. */
  SCALE_SET_VMS_GET(
      "VirtualMachineScaleSetVMs.Get",
      "GET",
      Path.SET_VMS + "/*",
      "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/read"),
  SCALE_SET_VMS_GET_INSTANCE_VIEW(
      "VirtualMachineScaleSetVMs.GetInstanceView",
      "GET",
      Path.SET_VMS + "/*/instanceView",
      "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/instanceView/read"),
  /** C9. */
  SCALE_SET_VMS_UPDATE(
      "VirtualMachineScaleSetVMs.Update",
      "PUT",
      Path.SET_VMS + "/*",
      "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/write"),
  /** C10. */
  INTERFACES_GET(
      "Interfaces.Get",
      "GET",
      Path.NETWORK + "/networkInterfaces/*",
      "Microsoft.Network/networkInterfaces/read"),
  /** C11. */
  INTERFACES_CREATE_OR_UPDATE(
      "Interfaces.CreateOrUpdate",
      "PUT",
      Path.NETWORK + "/networkInterfaces/*",
      "Microsoft.Network/networkInterfaces/write"),
  INTERFACES_UPDATE_TAGS(
      "Interfaces.UpdateTags",
      "PATCH",
      Path.NETWORK + "/networkInterfaces/*",
      "Microsoft.Network/networkInterfaces/write"),
  INTERFACES_DELETE(
      "Interfaces.Delete",
      "DELETE",
      Path.NETWORK + "/networkInterfaces/*",
      "Microsoft.Network/networkInterfaces/delete"),
  IP_CONFIGURATIONS_LIST(
      "InterfaceIPConfigurations.List",
      "GET",
      Path.NETWORK + "/networkInterfaces/*/ipConfigurations",
      "Microsoft.Network/networkInterfaces/ipconfigurations/read"),
  IP_CONFIGURATIONS_GET(
      "InterfaceIPConfigurations.Get",
      "GET",
      Path.NETWORK + "/networkInterfaces/*/ipConfigurations/*",
      "Microsoft.Network/networkInterfaces/ipconfigurations/read"),
  VIRTUAL_MACHINES_LIST_ALL(
      "VirtualMachines.ListAll",
      "GET",
      Path.COMPUTE_OF_ALL + "/virtualMachines",
      "Microsoft.Compute/virtualMachines/read"),
  VIRTUAL_MACHINES_LIST(
      "VirtualMachines.List",
      "GET",
      Path.COMPUTE + "/virtualMachines",
      "Microsoft.Compute/virtualMachines/read"),
  /** C12. */
  VIRTUAL_MACHINES_GET(
      "VirtualMachines.Get",
      "GET",
      Path.COMPUTE + "/virtualMachines/*",
      "Microsoft.Compute/virtualMachines/read"),
  VIRTUAL_MACHINES_INSTANCE_VIEW(
      "VirtualMachines.InstanceView",
      "GET",
      Path.COMPUTE + "/virtualMachines/*/instanceView",
      "Microsoft.Compute/virtualMachines/instanceView/read"),
  PUBLIC_PREFIXES_LIST_ALL(
      "PublicIPPrefixes.ListAll",
      "GET",
      Path.NETWORK_OF_ALL + "/publicIPPrefixes",
      "Microsoft.Network/publicIPPrefixes/read"),
  /** C13. */
  PUBLIC_PREFIXES_LIST(
      "PublicIPPrefixes.List",
      "GET",
      Path.NETWORK + "/publicIPPrefixes",
      "Microsoft.Network/publicIPPrefixes/read"),
  PUBLIC_PREFIXES_GET(
      "PublicIPPrefixes.Get",
      "GET",
      Path.NETWORK + "/publicIPPrefixes/*",
      "Microsoft.Network/publicIPPrefixes/read"),
  PUBLIC_ADDRESSES_LIST_ALL(
      "PublicIPAddresses.ListAll",
      "GET",
      Path.NETWORK_OF_ALL + "/publicIPAddresses",
      "Microsoft.Network/publicIPAddresses/read"),
  PUBLIC_ADDRESSES_LIST(
      "PublicIPAddresses.List",
      "GET",
      Path.NETWORK + "/publicIPAddresses",
      "Microsoft.Network/publicIPAddresses/read"),
  PUBLIC_ADDRESSES_GET(
      "PublicIPAddresses.Get",
      "GET",
      Path.NETWORK + "/publicIPAddresses/*",
      "Microsoft.Network/publicIPAddresses/read"),
  PUBLIC_ADDRESSES_CREATE_OR_UPDATE(
      "PublicIPAddresses.CreateOrUpdate",
      "PUT",
      Path.NETWORK + "/publicIPAddresses/*",
      "Microsoft.Network/publicIPAddresses/write"),
  PUBLIC_ADDRESSES_UPDATE_TAGS(
      "PublicIPAddresses.UpdateTags",
      "PATCH",
      Path.NETWORK + "/publicIPAddresses/*",
      "Microsoft.Network/publicIPAddresses/write"),
  PUBLIC_ADDRESSES_DELETE(
      "PublicIPAddresses.Delete",
      "DELETE",
      Path.NETWORK + "/publicIPAddresses/*",
      "Microsoft.Network/publicIPAddresses/delete"),
  PUBLIC_ADDRESSES_LIST_SCALE_SET(
      "PublicIPAddresses.ListVirtualMachineScaleSetPublicIPAddresses",
      "GET",
      Path.SETS + "/*/publicIPAddresses",
      "Microsoft.Compute/virtualMachineScaleSets/publicIPAddresses/read"),
  /** C14. */
  PUBLIC_ADDRESSES_LIST_SCALE_SET_VM(
      "PublicIPAddresses.ListVirtualMachineScaleSetVMPublicIPAddresses",
      "GET",
      Path.SET_VMS + "/*/networkInterfaces/*/ipConfigurations/*/publicIPAddresses",
      "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/networkInterfaces"
          + "/ipConfigurations/publicIPAddresses/read"),
  PUBLIC_ADDRESSES_GET_SCALE_SET(
      "PublicIPAddresses.GetVirtualMachineScaleSetPublicIPAddress",
      "GET",
      Path.SET_VMS + "/*/networkInterfaces/*/ipConfigurations/*/publicIPAddresses/*",
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

  /** How paths begin. */
  private static final class Path {
    static final String NETWORK = "/subscriptions/*/resourceGroups/*/providers/Microsoft.Network";
    static final String NETWORK_OF_ALL = "/subscriptions/*/providers/Microsoft.Network";
    static final String COMPUTE = "/subscriptions/*/resourceGroups/*/providers/Microsoft.Compute";
    static final String COMPUTE_OF_ALL = "/subscriptions/*/providers/Microsoft.Compute";
    static final String SETS = COMPUTE + "/virtualMachineScaleSets";
    static final String SET_VMS = SETS + "/*/virtualMachines";

    private Path() {}
  }

  /** The last segment of the path of C15. */
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
