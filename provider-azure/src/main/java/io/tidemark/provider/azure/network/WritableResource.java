package io.tidemark.provider.azure.network;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The resource with which a write of configurations begins: an interface of a virtual machine, or a
 * Uniform instance whose model names the configurations of its interfaces (provider-azure 13.4).
 *
 * @param id of the resource that is written
 * @param json the whole answer; members that are not known here survive a write
 * @param etag as it was read, with its quotes
 * @param provisioningState in lower case
 * @param failure the code of what made the last write of a Uniform instance fail; empty when it has
 *     not failed
 * @param machine that the configurations are of: the instance itself, or what the interface is
 *     attached to; empty for an interface that is attached to nothing
 * @param power of a Uniform instance, such as {@code running}; empty when not told
 */
public record WritableResource(
    ResourceId id,
    String json,
    String etag,
    String provisioningState,
    String failure,
    Optional<ResourceId> machine,
    Optional<String> power,
    List<Interface> interfaces) {
  /** One interface; of the model of an instance known by its name alone. */
  public record Interface(String name, List<IpConfiguration> configurations) {
    public Interface {
      configurations = List.copyOf(configurations);
    }
  }

  public WritableResource {
    interfaces = List.copyOf(interfaces);
  }

  /** Whether its last write failed because a public prefix had no free address (4.10). */
  public boolean isOutOfPublicAddresses() {
    return failure.equalsIgnoreCase("PublicIpPrefixOutOfIpAddressesForVMScaleSet");
  }

  /** The interface of this name; empty when the resource has none. */
  public Optional<Interface> find(String name) {
    return interfaces.stream().filter(each -> each.name().equalsIgnoreCase(name)).findFirst();
  }

  /** Whether the last operation failed, so that interfaces may not be what the model says. */
  public boolean hasFailed() {
    return provisioningState.equals("failed");
  }

  /** How its last write ended, where no operation can be asked. */
  public OperationStatus lastWrite() {
    return OperationStatus.ofResource(id, provisioningState, failure, Optional.empty());
  }

  /** Configurations of all its interfaces. */
  public int places() {
    return interfaces.stream().mapToInt(each -> each.configurations().size()).sum();
  }

  /** Names of its configurations that ask for a block. */
  public Set<String> blocks() {
    return interfaces.stream()
        .flatMap(each -> each.configurations().stream())
        .filter(IpConfiguration::block)
        .map(IpConfiguration::name)
        .collect(Collectors.toSet());
  }
}
