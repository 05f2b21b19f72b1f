package io.tidemark.provider.azure.ipam;

import io.tidemark.provider.azure.network.AzureNetworkInterface;
import io.tidemark.provider.azure.network.ConfigurationChange;
import io.tidemark.provider.azure.network.ConfigurationChange.NewConfiguration;
import io.tidemark.provider.azure.network.IpConfiguration;
import io.tidemark.provider.azure.network.WritableResource;
import io.tidemark.resilience.CallResult;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The wanted change of an interface by {@link ConfigurationWrite}. It is decided anew on every
 * model that is read, and recognizes what a write before has done already. Immutable.
 */
interface InterfaceEdit {
  /**
   * The change to send.
   *
   * @param expected the edit that the change is: a part of the whole where not all fits
   */
  record Send(ConfigurationChange change, InterfaceEdit expected) {}

  /** Names of the configurations that it adds; none by default. */
  default Set<String> names() {
    return Set.of();
  }

  /** Names of the configurations that it removes; none by default. */
  default Set<String> gone() {
    return Set.of();
  }

  /**
   * The same for a model that has configurations which no interface shows; by default it leaves
   * them.
   *
   * @param ghosts names of those to drop
   * @param coming those that any write makes Azure complete
   */
  default InterfaceEdit repairing(Set<String> ghosts, List<NewConfiguration> coming) {
    return this;
  }

  /** Names of such configurations that it drops; none by default. */
  default Set<String> ghosts() {
    return Set.of();
  }

  /**
   * The change to send for this interface of {@code base}; nothing where its model is as wanted.
   */
  CallResult<Optional<Send>> on(WritableResource base, WritableResource.Interface model);

  /** Whether the model is as wanted, so that a write before was accepted. */
  boolean isDone(WritableResource.Interface model);

  /** Whether Azure has carried it out. */
  boolean shows(AzureNetworkInterface seen);

  /** The primary configuration; the first one where none is flagged. */
  static Optional<IpConfiguration> primary(List<IpConfiguration> configurations) {
    return configurations.stream()
        .filter(IpConfiguration::primary)
        .findFirst()
        .or(() -> configurations.stream().findFirst());
  }
}
