package io.tidemark.provider.azure.network;

/**
 * A list that Resource Manager gives page by page. Immutable.
 *
 * @param operation the kind of request for a page
 * @param path of the first page
 * @param element reads an element
 */
public record ArmList<T>(ArmOperation operation, String path, AnswersJson.Element<T> element) {
  /** One object, so that lists of the same path are equal. */
  static final AnswersJson.Element<AzureNetworkInterface> INTERFACE =
      InterfacesJson::networkInterface;

  /** Interfaces of the group of a resource, those of Uniform instances left out (C4). */
  public static ArmList<AzureNetworkInterface> interfacesOfGroup(ResourceId any) {
    return new ArmList<>(
        ArmOperation.GROUP_INTERFACES, ofGroup(any, "networkInterfaces"), INTERFACE);
  }

  /** Interfaces of all instances of a Uniform set (C6). */
  public static ArmList<AzureNetworkInterface> interfacesOfSet(ResourceId set) {
    return new ArmList<>(ArmOperation.SET_INTERFACES, set + "/networkInterfaces", INTERFACE);
  }

  /** Interfaces of a Uniform instance (C7). */
  public static ArmList<AzureNetworkInterface> interfacesOfInstance(ResourceId instance) {
    return new ArmList<>(
        ArmOperation.INSTANCE_INTERFACES, instance + "/networkInterfaces", INTERFACE);
  }

  /** The interfaces of a machine, with others: of its set (C6), else of its group (C4). */
  public static ArmList<AzureNetworkInterface> interfacesWith(ResourceId machine) {
    return machine.isUniformInstance()
        ? interfacesOfSet(machine.parent().orElseThrow())
        : interfacesOfGroup(machine);
  }

  /** The links of the interfaces that are listed with those of a machine. */
  public static ArmList<InterfaceLinksJson> links(ResourceId machine) {
    ArmList<AzureNetworkInterface> interfaces = interfacesWith(machine);
    return new ArmList<>(interfaces.operation(), interfaces.path(), InterfaceLinksJson::read);
  }

  /** Public prefixes of the group of a resource (C13). */
  public static ArmList<PublicPrefix> publicPrefixes(ResourceId any) {
    return new ArmList<>(
        ArmOperation.PUBLIC_PREFIXES,
        ofGroup(any, "publicIPPrefixes"),
        PublicAddressesJson::prefix);
  }

  /**
   * Public addresses of a Uniform instance (C14).
   *
   * @param configuration of the interface, by its name
   */
  public static ArmList<PublicAddress> publicAddresses(
      ResourceId networkInterface, String configuration) {
    return new ArmList<>(
        ArmOperation.INSTANCE_PUBLIC_ADDRESSES,
        networkInterface + "/ipConfigurations/" + configuration + "/publicIPAddresses",
        PublicAddressesJson::address);
  }

  /** How much of the subnets of a virtual network is used (C3). */
  public static ArmList<SubnetUsage> usages(ResourceId network) {
    return new ArmList<>(ArmOperation.NETWORK_USAGES, network + "/usages", AnswersJson::usage);
  }

  /**
   * The permissions at a scope by our roles (C15). Deny assignments, locks and policies are not
   * told.
   *
   * @param scope the id of a subscription, a resource group or a resource
   */
  public static ArmList<GrantJson> permissions(String scope) {
    return new ArmList<>(
        ArmOperation.PERMISSIONS,
        scope + "/providers/Microsoft.Authorization/permissions",
        GrantJson::read);
  }

  private static String ofGroup(ResourceId any, String type) {
    return any.groupScope() + "/providers/Microsoft.Network/" + type;
  }
}
