package io.tidemark.provider.azure.network;

import java.util.List;

/**
 * A read of one resource: the request, and what its response means. Immutable.
 *
 * @param operation its kind
 * @param id of the resource
 * @param meaning reads the response
 */
public record ArmRead<T>(ArmOperation operation, ResourceId id, Meaning<T> meaning) {
  static final Meaning<AzureNetworkInterface> INTERFACE = whole(InterfacesJson::networkInterface);
  static final Meaning<WritableResource> WRITABLE = WritesJson::read;

  /** Makes a value of the body of a response. */
  @FunctionalInterface
  interface Meaning<T> {
    T read(ResourceId id, String body) throws ArmFailure;
  }

  /** An interface of a virtual machine (C10). */
  public static ArmRead<AzureNetworkInterface> networkInterface(ResourceId id) {
    return new ArmRead<>(ArmOperation.INTERFACE_GET, id, INTERFACE);
  }

  /** The links of such an interface. */
  public static ArmRead<InterfaceLinksJson> links(ResourceId id) {
    return new ArmRead<>(ArmOperation.INTERFACE_GET, id, whole(InterfaceLinksJson::read));
  }

  /** The interfaces of a virtual machine (C12). */
  public static ArmRead<List<ResourceId>> interfacesOfMachine(ResourceId machine) {
    return new ArmRead<>(
        ArmOperation.MACHINE_GET, machine, (of, body) -> AnswersJson.interfacesOfMachine(body));
  }

  /** The read with which a write of this interface (C10) or Uniform instance (C8) begins. */
  public static ArmRead<WritableResource> writable(ResourceId id) {
    return new ArmRead<>(
        id.isUniformInstance() ? ArmOperation.INSTANCE_GET : ArmOperation.INTERFACE_GET,
        id,
        WRITABLE);
  }

  /** A subnet (C2). */
  public static ArmRead<AzureSubnet> subnet(ResourceId id) {
    return new ArmRead<>(ArmOperation.SUBNET_GET, id, AnswersJson::subnet);
  }

  /** A public address that is a resource of its own. */
  public static ArmRead<PublicAddress> publicAddress(ResourceId id) {
    return new ArmRead<>(ArmOperation.PUBLIC_ADDRESS_GET, id, whole(PublicAddressesJson::address));
  }

  private static <T> Meaning<T> whole(AnswersJson.Element<T> element) {
    return (id, body) -> AnswersJson.only(id, body, element);
  }
}
