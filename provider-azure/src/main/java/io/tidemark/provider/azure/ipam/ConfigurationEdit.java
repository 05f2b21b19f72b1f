package io.tidemark.provider.azure.ipam;

import io.tidemark.ip.AddressSet;
import io.tidemark.provider.azure.network.AzureNetworkInterface;
import io.tidemark.provider.azure.network.ConfigurationChange;
import io.tidemark.provider.azure.network.ConfigurationChange.NewConfiguration;
import io.tidemark.provider.azure.network.IpConfiguration;
import io.tidemark.provider.azure.network.WritableResource;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Adds and removes configurations. Fewer are added, from the end of the list, where there are not
 * enough places; those to be removed that are gone already do not matter.
 *
 * <p>What an earlier write was to add and Azure did not complete comes with the next one, whatever
 * that adds: it is all taken, in place of as many new ones; where it is more than was wanted, or
 * singles where a block was wanted, nothing new is added (N49). An instance of a set whose model
 * has more than was wanted waits until that is shown, or is a ghost.
 *
 * @param ghosts names of configurations that the write drops because no interface shows them (Z18)
 * @param coming configurations of ours that no interface shows either, and that may not be ghosts
 * @param usable addresses that pods can use already, though they may be shown as failed
 */
record ConfigurationEdit(
    List<NewConfiguration> added,
    Set<String> removed,
    Set<String> ghosts,
    List<NewConfiguration> coming,
    AddressSet usable)
    implements InterfaceEdit {
  /**
   * Adds these.
   *
   * @param usable addresses that pods can use already
   */
  static ConfigurationEdit adding(List<NewConfiguration> added, AddressSet usable) {
    return new ConfigurationEdit(added, Set.of(), Set.of(), List.of(), usable);
  }

  static ConfigurationEdit removing(Set<String> removed) {
    return new ConfigurationEdit(List.of(), removed, Set.of(), List.of(), AddressSet.of());
  }

  @Override
  public Set<String> names() {
    return added.stream().map(NewConfiguration::name).collect(Collectors.toSet());
  }

  @Override
  public Set<String> gone() {
    return removed;
  }

  @Override
  public ConfigurationEdit repairing(Set<String> unshown, List<NewConfiguration> expected) {
    return new ConfigurationEdit(added, removed, unshown, expected, usable);
  }

  @Override
  public CallResult<Optional<Send>> on(WritableResource base, WritableResource.Interface model) {
    List<IpConfiguration> present = model.configurations();
    Set<String> gone = IpConfiguration.names(present);
    gone.removeIf(name -> !removed.contains(name) && !ghosts.contains(name));
    Set<String> there = IpConfiguration.names(present);
    List<NewConfiguration> mine = new ArrayList<>();
    List<NewConfiguration> missing = new ArrayList<>();
    added.forEach(each -> (there.contains(each.name()) ? mine : missing).add(each));
    boolean others = false;
    for (NewConfiguration each : incomplete(base, present)) {
      Optional<NewConfiguration> like =
          missing.stream().filter(wanted -> wanted.block() == each.block()).findFirst();
      like.ifPresent(missing::remove);
      others |= like.isEmpty();
      mine.add(each);
    }
    int places = AzureSlots.PLACES - Math.max(present.size(), base.places()) + gone.size();
    if (others && base.id().isUniformInstance()) {
      return new CallResult.Failed<>(places > 0 ? unshown(base) : full(base));
    }
    if (others) {
      missing.clear(); // whether more is needed is decided anew, with what came
    }
    List<NewConfiguration> fitting =
        missing.subList(0, Math.min(missing.size(), Math.max(0, places)));
    if (!fitting.isEmpty() || !gone.isEmpty() || !mine.isEmpty()) {
      List<NewConfiguration> expected = new ArrayList<>(mine);
      expected.addAll(fitting);
      return new CallResult.Answered<>(
          Optional.of(
              new Send(
                  new ConfigurationChange(model.name(), fitting, gone),
                  new ConfigurationEdit(expected, removed, ghosts, coming, usable))));
    }
    return added.isEmpty()
        ? new CallResult.Answered<>(Optional.empty())
        : new CallResult.Failed<>(full(base));
  }

  private static Failure full(WritableResource base) {
    return Failure.of(
        Failure.Kind.CAPACITY,
        "configurationLimit",
        base.id() + " has " + base.places() + " configurations");
  }

  private static Failure unshown(WritableResource base) {
    return Failure.of(
        Failure.Kind.TRANSIENT,
        "unshown",
        base.id() + " has more configurations than its interfaces show");
  }

  /** The configurations that pods cannot use and that Azure has not completed. */
  private List<NewConfiguration> incomplete(WritableResource base, List<IpConfiguration> present) {
    Set<String> own = names();
    if (base.id().isUniformInstance() && !added.isEmpty()) {
      return coming.stream().filter(each -> !own.contains(each.name())).toList();
    }
    if (!base.hasFailed() || added.isEmpty()) {
      return List.of();
    }
    return present.stream()
        .filter(IpConfiguration::isIncomplete)
        .filter(each -> !own.contains(each.name()))
        .filter(each -> !usable.containsAny(each.range().orElseThrow()))
        .map(each -> new NewConfiguration(each.name(), !each.range().orElseThrow().isSingle()))
        .toList();
  }

  @Override
  public boolean isDone(WritableResource.Interface model) {
    Set<String> names = IpConfiguration.names(model.configurations());
    return names.containsAll(names()) && removed.stream().noneMatch(names::contains);
  }

  @Override
  public boolean shows(AzureNetworkInterface seen) {
    List<IpConfiguration> given =
        seen.configurations().stream()
            .filter(each -> each.succeeded() && each.range().isPresent())
            .toList();
    Set<String> ready = IpConfiguration.names(given);
    Set<String> all = IpConfiguration.names(seen.configurations());
    return ready.containsAll(names()) && removed.stream().noneMatch(all::contains);
  }
}
