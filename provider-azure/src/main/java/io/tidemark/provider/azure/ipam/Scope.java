package io.tidemark.provider.azure.ipam;

import io.tidemark.provider.azure.network.ArmList;
import io.tidemark.provider.azure.network.AzureNetworkInterface;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.spi.InstanceId;
import java.util.Optional;

/**
 * The scope of one list of interfaces: a Uniform set, or the virtual machines of a resource group
 * (Z36). Its path is in lower case, as the ids of instances are. Ordered by path. Immutable.
 */
record Scope(ArmList<AzureNetworkInterface> interfaces) implements Comparable<Scope> {
  /** The scope of an instance; empty when its id is none of a machine. */
  static Optional<Scope> of(InstanceId instance) {
    return ResourceId.machine(instance.text()).map(ArmList::interfacesWith).map(Scope::new);
  }

  @Override
  public int compareTo(Scope other) {
    return interfaces.path().compareTo(other.interfaces.path());
  }
}
