package io.tidemark.provider.azure.ipam;

import io.tidemark.provider.azure.network.ConfigurationChange;
import io.tidemark.provider.azure.network.ConfigurationChange.NewConfiguration;
import io.tidemark.provider.azure.network.IpConfiguration;
import io.tidemark.provider.azure.network.NetworkInterface;
import io.tidemark.provider.azure.network.WritableResource;
import io.tidemark.resilience.Failure;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Adds and removes configurations. Fewer are added, from the end of the list, where there are not
 * enough places; those to be removed that are gone already do not matter.
 *
 * @param ghosts names of configurations that the write drops because no interface shows them (Z18)
 */
record ConfigurationEdit(List<NewConfiguration> added, Set<String> removed, Set<String> ghosts)
    implements InterfaceEdit {
  /** Adds these. */
  static ConfigurationEdit adding(List<NewConfiguration> added) {
    return new ConfigurationEdit(added, Set.of(), Set.of());
  }

  /** Removes those of these names. */
  static ConfigurationEdit removing(Set<String> removed) {
    return new ConfigurationEdit(List.of(), removed, Set.of());
  }

  @Override
  public Set<String> names() {
    return added.stream().map(NewConfiguration::name).collect(Collectors.toSet());
  }

  @Override
  public ConfigurationEdit dropping(Set<String> unshown) {
    return new ConfigurationEdit(added, removed, unshown);
  }

  @Override
  public Decision on(WritableResource base, WritableResource.Interface model) {
    List<IpConfiguration> present = model.configurations();
    Set<String> gone = names(present);
    gone.removeIf(name -> !removed.contains(name) && !ghosts.contains(name));
    int places = ConfigurationWrite.PLACES - Math.max(present.size(), base.places()) + gone.size();
    List<NewConfiguration> fitting = added.subList(0, Math.min(added.size(), Math.max(0, places)));
    if (!fitting.isEmpty() || !gone.isEmpty()) {
      return new Decision.Send(
          new ConfigurationChange(model.name(), fitting, gone),
          new ConfigurationEdit(fitting, removed, ghosts));
    }
    return added.isEmpty()
        ? new Decision.Nothing()
        : new Decision.Refuse(
            Failure.of(
                Failure.Kind.CAPACITY,
                "configurationLimit",
                base.id() + " has " + base.places() + " configurations"));
  }

  @Override
  public boolean isDone(WritableResource.Interface model) {
    Set<String> names = names(model.configurations());
    return names.containsAll(names()) && removed.stream().noneMatch(names::contains);
  }

  private static Set<String> names(List<IpConfiguration> configurations) {
    Set<String> names = new HashSet<>();
    configurations.forEach(each -> names.add(each.name()));
    return names;
  }

  @Override
  public boolean shows(NetworkInterface seen) {
    Set<String> ready = new HashSet<>();
    List<String> all = new ArrayList<>();
    for (IpConfiguration each : seen.configurations()) {
      all.add(each.name());
      if (each.succeeded() && each.range().isPresent()) {
        ready.add(each.name());
      }
    }
    return ready.containsAll(names()) && removed.stream().noneMatch(all::contains);
  }
}
