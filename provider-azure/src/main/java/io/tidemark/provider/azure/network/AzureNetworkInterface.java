package io.tidemark.provider.azure.network;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A network interface as Azure shows it (provider-azure 1.2).
 *
 * @param name not unique: the interfaces of all instances of a scale set have the same
 * @param mac with colons; empty while Azure has not given one
 * @param state provisioning state in lower case; empty when not told
 * @param machine the machine that it is attached to
 * @param primary whether it is the machine's primary interface
 * @param securityGroup id of its network security group; empty without one
 */
public record AzureNetworkInterface(
    ResourceId id,
    String name,
    String mac,
    String state,
    Optional<ResourceId> machine,
    boolean primary,
    String securityGroup,
    List<IpConfiguration> configurations) {
  public AzureNetworkInterface {
    configurations = List.copyOf(configurations);
  }

  /** The same with those of its configurations alone that the model of its instance names. */
  public AzureNetworkInterface withConfigurationsOf(WritableResource.Interface model) {
    return withConfigurations(IpConfiguration.names(model.configurations()));
  }

  /** The same with those of its configurations alone that have these names. */
  public AzureNetworkInterface withConfigurations(Set<String> names) {
    return new AzureNetworkInterface(
        id,
        name,
        mac,
        state,
        machine,
        primary,
        securityGroup,
        configurations.stream().filter(each -> names.contains(each.name())).toList());
  }

  /** The subnet of its configurations, the primary one included: they are all in one. */
  public Optional<ResourceId> subnet() {
    return configurations.stream().flatMap(each -> each.subnet().stream()).findFirst();
  }
}
