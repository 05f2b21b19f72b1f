package io.tidemark.emulator.arm.request;

import java.util.List;
import java.util.Optional;

/** The requests that the emulator answers, by the names that Azure's REST reference gives them. */
public enum Operation {
  VIRTUAL_NETWORKS_LIST_ALL(
      "VirtualNetworks.ListAll", Path.NETWORK_OF_ALL + "/virtualNetworks"), // C1
  VIRTUAL_NETWORKS_LIST("VirtualNetworks.List", Path.NETWORK + "/virtualNetworks"),
  VIRTUAL_NETWORKS_GET("VirtualNetworks.Get", Path.NETWORK + "/virtualNetworks/*"),
  SUBNETS_LIST("Subnets.List", Path.NETWORK + "/virtualNetworks/*/subnets"),
  SUBNETS_GET("Subnets.Get", Path.NETWORK + "/virtualNetworks/*/subnets/*"), // C2
  VIRTUAL_NETWORKS_LIST_USAGE(
      "VirtualNetworks.ListUsage", Path.NETWORK + "/virtualNetworks/*/usages"), // C3
  INTERFACES_LIST_ALL("Interfaces.ListAll", Path.NETWORK_OF_ALL + "/networkInterfaces"),
  INTERFACES_LIST("Interfaces.List", Path.NETWORK + "/networkInterfaces"), // C4
  SCALE_SETS_LIST_ALL(
      "VirtualMachineScaleSets.ListAll", Path.COMPUTE_OF_ALL + "/virtualMachineScaleSets"),
  SCALE_SETS_LIST("VirtualMachineScaleSets.List", Path.SETS), // C5
  SCALE_SETS_GET("VirtualMachineScaleSets.Get", Path.SETS + "/*"),
  SCALE_SETS_GET_INSTANCE_VIEW(
      "VirtualMachineScaleSets.GetInstanceView", Path.SETS + "/*/instanceView"),
  INTERFACES_LIST_SCALE_SET(
      "Interfaces.ListVirtualMachineScaleSetNetworkInterfaces",
      Path.SETS + "/*/networkInterfaces"), // C6
  INTERFACES_LIST_SCALE_SET_VM(
      "Interfaces.ListVirtualMachineScaleSetVMNetworkInterfaces",
      Path.SET_VMS + "/*/networkInterfaces"), // C7
  INTERFACES_GET_SCALE_SET(
      "Interfaces.GetVirtualMachineScaleSetNetworkInterface",
      Path.SET_VMS + "/*/networkInterfaces/*"),
  SCALE_SET_VMS_LIST("VirtualMachineScaleSetVMs.List", Path.SET_VMS),
  SCALE_SET_VMS_GET("VirtualMachineScaleSetVMs.Get", Path.SET_VMS + "/*"), // C8
  SCALE_SET_VMS_GET_INSTANCE_VIEW(
      "VirtualMachineScaleSetVMs.GetInstanceView", Path.SET_VMS + "/*/instanceView"),
  SCALE_SET_VMS_UPDATE("VirtualMachineScaleSetVMs.Update", "PUT", Path.SET_VMS + "/*"), // C9
  INTERFACES_GET("Interfaces.Get", Path.NETWORK + "/networkInterfaces/*"), // C10
  INTERFACES_CREATE_OR_UPDATE(
      "Interfaces.CreateOrUpdate", "PUT", Path.NETWORK + "/networkInterfaces/*"), // C11
  INTERFACES_UPDATE_TAGS("Interfaces.UpdateTags", "PATCH", Path.NETWORK + "/networkInterfaces/*"),
  INTERFACES_DELETE("Interfaces.Delete", "DELETE", Path.NETWORK + "/networkInterfaces/*"),
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
  VIRTUAL_MACHINES_LIST_ALL("VirtualMachines.ListAll", Path.COMPUTE_OF_ALL + "/virtualMachines"),
  VIRTUAL_MACHINES_LIST("VirtualMachines.List", Path.COMPUTE + "/virtualMachines"),
  VIRTUAL_MACHINES_GET("VirtualMachines.Get", Path.COMPUTE + "/virtualMachines/*"), // C12
  VIRTUAL_MACHINES_INSTANCE_VIEW(
      "VirtualMachines.InstanceView", Path.COMPUTE + "/virtualMachines/*/instanceView"),
  PUBLIC_PREFIXES_LIST_ALL("PublicIPPrefixes.ListAll", Path.NETWORK_OF_ALL + "/publicIPPrefixes"),
  PUBLIC_PREFIXES_LIST("PublicIPPrefixes.List", Path.NETWORK + "/publicIPPrefixes"), // C13
  PUBLIC_PREFIXES_GET("PublicIPPrefixes.Get", Path.NETWORK + "/publicIPPrefixes/*"),
  PUBLIC_ADDRESSES_LIST_ALL(
      "PublicIPAddresses.ListAll", Path.NETWORK_OF_ALL + "/publicIPAddresses"),
  PUBLIC_ADDRESSES_LIST("PublicIPAddresses.List", Path.NETWORK + "/publicIPAddresses"),
  PUBLIC_ADDRESSES_GET("PublicIPAddresses.Get", Path.NETWORK + "/publicIPAddresses/*"),
  PUBLIC_ADDRESSES_CREATE_OR_UPDATE(
      "PublicIPAddresses.CreateOrUpdate", "PUT", Path.NETWORK + "/publicIPAddresses/*"),
  PUBLIC_ADDRESSES_UPDATE_TAGS(
      "PublicIPAddresses.UpdateTags", "PATCH", Path.NETWORK + "/publicIPAddresses/*"),
  PUBLIC_ADDRESSES_DELETE(
      "PublicIPAddresses.Delete", "DELETE", Path.NETWORK + "/publicIPAddresses/*"),
  PUBLIC_ADDRESSES_LIST_SCALE_SET(
      "PublicIPAddresses.ListVirtualMachineScaleSetPublicIPAddresses",
      Path.SETS + "/*/publicIPAddresses"),
  PUBLIC_ADDRESSES_LIST_SCALE_SET_VM(
      "PublicIPAddresses.ListVirtualMachineScaleSetVMPublicIPAddresses",
      Path.SET_VMS + "/*/networkInterfaces/*/ipConfigurations/*/publicIPAddresses"), // C14
  PUBLIC_ADDRESSES_GET_SCALE_SET(
      "PublicIPAddresses.GetVirtualMachineScaleSetPublicIPAddress",
      Path.SET_VMS + "/*/networkInterfaces/*/ipConfigurations/*/publicIPAddresses/*"),
  /** The state of an operation that goes on, as {@code Azure-AsyncOperation} names it. */
  OPERATIONS_GET("Operations.Get", "/subscriptions/*/providers/*/locations/*/operations/*"),
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

  Operation(String title, String pattern) {
    this(title, "GET", pattern);
  }

  Operation(String title, String method, String pattern) {
    this(title, method, pattern, action(method, pattern));
  }

  Operation(String title, String method, String pattern, String action) {
    this.title = title;
    this.method = method;
    this.pattern = List.of(pattern.split("/", -1));
    this.action = action;
  }

  /** The provider and the types of a path, and what is done to them. */
  private static String action(String method, String pattern) {
    String types = pattern.substring(pattern.indexOf("/providers/") + "/providers/".length());
    String verb = method.equals("GET") ? "read" : method.equals("DELETE") ? "delete" : "write";
    return types.replace("/*", "") + "/" + verb;
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
