package io.tidemark.provider.azure.network;

import java.util.List;
import java.util.Set;

/**
 * What a write changes on one interface.
 *
 * @param interfaceName of the interface
 * @param added new configurations, in this order
 * @param removed names of configurations that go
 */
public record ConfigurationChange(
    String interfaceName, List<NewConfiguration> added, Set<String> removed) {
  /**
   * A configuration to be made in the interface's subnet.
   *
   * @param block whether it asks for 16 addresses in place of one
   */
  public record NewConfiguration(String name, boolean block) {}

  public ConfigurationChange {
    added = List.copyOf(added);
    removed = Set.copyOf(removed);
  }
}
