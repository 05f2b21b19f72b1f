package io.tidemark.provider.azure.network;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The changes of a write on one interface.
 *
 * @param interfaceName of the interface
 * @param added new configurations, in this order
 * @param removed names of configurations that go
 * @param publicAddress of the primary configuration; empty to leave it as it is
 */
public record ConfigurationChange(
    String interfaceName,
    List<NewConfiguration> added,
    Set<String> removed,
    Optional<PublicAddressChange> publicAddress) {
  /**
   * A configuration to be made in the interface's subnet.
   *
   * @param block whether it asks for 16 addresses in place of one
   */
  public record NewConfiguration(String name, boolean block) {}

  /** A change of configurations alone. */
  public ConfigurationChange(
      String interfaceName, List<NewConfiguration> added, Set<String> removed) {
    this(interfaceName, added, removed, Optional.empty());
  }

  /** The same that also makes these. */
  public ConfigurationChange alsoAdding(List<NewConfiguration> more) {
    List<NewConfiguration> all = new ArrayList<>(more);
    all.addAll(added);
    return new ConfigurationChange(interfaceName, all, removed, publicAddress);
  }

  public ConfigurationChange {
    added = List.copyOf(added);
    removed = Set.copyOf(removed);
  }
}
