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
import java.util.Locale;
import java.util.Set;

/**
 * Adds and removes configurations. Fewer are added, from the end of the list, where there are not
 * enough places; those to be removed that are gone already do not matter.
 *
 * @param prefixes of the names of configurations that are ours
 * @param shown names that the interface has; what the model has in addition under a name of ours
 *     are ghosts, which the write drops (Z18)
 */
record ConfigurationEdit(
    List<NewConfiguration> added, Set<String> removed, Set<String> prefixes, Set<String> shown)
    implements InterfaceEdit {
  @Override
  public Decision on(WritableResource base, WritableResource.Interface model) {
    List<IpConfiguration> present = model.configurations();
    Set<String> gone = goes(present);
    int places = ConfigurationWrite.PLACES - Math.max(present.size(), base.places()) + gone.size();
    List<NewConfiguration> fitting = added.subList(0, Math.min(added.size(), Math.max(0, places)));
    if (!fitting.isEmpty() || !gone.isEmpty()) {
      return new Decision.Send(
          new ConfigurationChange(model.name(), fitting, gone),
          new ConfigurationEdit(fitting, removed, prefixes, shown));
    }
    return added.isEmpty()
        ? new Decision.Nothing()
        : new Decision.Refuse(
            Failure.of(
                Failure.Kind.CAPACITY,
                "configurationLimit",
                base.id() + " has " + base.places() + " configurations"));
  }

  /** What goes, and ghosts: names of ours that the interface does not show. */
  private Set<String> goes(List<IpConfiguration> present) {
    Set<String> gone = new HashSet<>();
    Set<String> wanted = new HashSet<>();
    added.forEach(each -> wanted.add(each.name()));
    for (String name : names(present)) {
      boolean ghost = isOurs(name) && !shown.contains(name) && !wanted.contains(name);
      if (removed.contains(name) || ghost) {
        gone.add(name);
      }
    }
    return gone;
  }

  private boolean isOurs(String name) {
    return prefixes.stream()
        .anyMatch(
            prefix -> name.toLowerCase(Locale.ROOT).startsWith(prefix.toLowerCase(Locale.ROOT)));
  }

  @Override
  public boolean isDone(WritableResource.Interface model) {
    Set<String> names = names(model.configurations());
    return added.stream().allMatch(each -> names.contains(each.name()))
        && removed.stream().noneMatch(names::contains);
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
    return added.stream().allMatch(each -> ready.contains(each.name()))
        && removed.stream().noneMatch(all::contains);
  }
}
