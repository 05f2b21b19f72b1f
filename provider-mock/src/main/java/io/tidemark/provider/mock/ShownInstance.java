package io.tidemark.provider.mock;

import io.tidemark.ip.AddressSet;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.InstanceId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A manifest's view of its instance: the provider's sections alone, so an unused address that
 * stands only in the pool is not attached. Pure.
 *
 * @param used addresses that pods hold
 * @param problems what no cloud could hold, a path and a sentence each; with one, nothing of the
 *     manifest is adopted
 */
record ShownInstance(
    InstanceId id,
    String type,
    String vpcId,
    String zone,
    String homeSubnetId,
    List<String> securityGroups,
    boolean deleteOnTermination,
    boolean primaryUsable,
    List<ShownInterface> interfaces,
    AddressSet used,
    List<String> problems) {
  ShownInstance {
    securityGroups = List.copyOf(securityGroups);
    interfaces = List.copyOf(interfaces);
    problems = List.copyOf(problems);
  }

  /** The same instance without these interfaces, and without the pods that were on them. */
  ShownInstance without(Set<String> interfaceIds) {
    AddressSet theirs = AddressSet.of();
    for (ShownInterface each : interfaces) {
      theirs = interfaceIds.contains(each.id()) ? theirs.plus(each.addresses()) : theirs;
    }
    return new ShownInstance(
        id,
        type,
        vpcId,
        zone,
        homeSubnetId,
        securityGroups,
        deleteOnTermination,
        primaryUsable,
        interfaces.stream().filter(each -> !interfaceIds.contains(each.id())).toList(),
        used.minus(theirs),
        problems);
  }

  static ShownInstance of(InstanceId id, NodeResource resource) {
    EniSpec spec = resource.eniSpec().orElse(EniSpec.EMPTY);
    Map<String, EniStatus.Eni> section =
        resource.eniStatus().<Map<String, EniStatus.Eni>>map(EniStatus::enis).orElse(Map.of());
    List<EniStatus.Eni> enis = List.copyOf(section.values());
    String zone =
        first(
            spec.availabilityZone(),
            enis.stream().map(EniStatus.Eni::availabilityZone).toList(),
            MadeNetworks.ZONE);
    String vpcId =
        first(spec.vpcId(), enis.stream().map(eni -> eni.vpc().id()).toList(), MadeNetworks.VPC);
    String home =
        first(
            spec.nodeSubnetId(),
            enis.stream().map(eni -> eni.subnet().id()).toList(),
            MadeNetworks.subnetId(zone));
    List<ShownInterface> interfaces = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    Set<Integer> indexes = new HashSet<>();
    section.forEach(
        (key, eni) -> {
          problems.addAll(ShownInterface.problems(key, eni));
          boolean again = eni.number() != 0 && indexes.contains(eni.number());
          if (again || eni.number() < 0) {
            problems.add(
                ShownInterface.path(key)
                    + ".number: "
                    + eni.number()
                    + (again ? " is another interface's, too" : " is not a device index"));
          }
          interfaces.add(
              ShownInterface.of(eni, freeIndex(eni.number(), indexes), vpcId, zone, home));
        });
    return new ShownInstance(
        id,
        spec.instanceType(),
        vpcId,
        zone,
        home,
        spec.securityGroups(),
        spec.deleteOnTermination().orElse(true),
        spec.usePrimaryAddress().orElse(false),
        interfaces,
        resource.used(),
        problems);
  }

  /** Addresses that pods hold and that are on none of the interfaces, as far as pods may use it. */
  AddressSet usedElsewhere() {
    AddressSet left = used;
    for (ShownInterface each : interfaces) {
      AddressSet theirs = each.podAddresses();
      left =
          left.minus(
              primaryUsable && each.primary().isPresent()
                  ? theirs.plus(each.primary().get())
                  : theirs);
    }
    return left;
  }

  /** The part that two interfaces of this instance both claim; empty when there is nothing. */
  Optional<String> claimedTwice() {
    for (int i = 0; i < interfaces.size(); i++) {
      for (ShownInterface other : interfaces.subList(i + 1, interfaces.size())) {
        Optional<String> clash = interfaces.get(i).clash(other);
        if (clash.isPresent()) {
          return clash;
        }
      }
    }
    return Optional.empty();
  }

  /** The part that this instance and another both claim; empty when there is nothing. */
  Optional<String> clash(ShownInstance other) {
    if (id.equals(other.id)) {
      return Optional.of("instance " + id);
    }
    for (ShownInterface each : interfaces) {
      for (ShownInterface theirs : other.interfaces) {
        Optional<String> clash = each.clash(theirs);
        if (clash.isPresent()) {
          return clash;
        }
      }
    }
    return Optional.empty();
  }

  /** The index shown; where none is, and 0 is taken, the next free one. */
  private static int freeIndex(int shown, Set<Integer> taken) {
    int index = Math.max(0, shown);
    while (!taken.add(index)) {
      index++;
    }
    return index;
  }

  private static String first(String said, List<String> shown, String otherwise) {
    return said.isEmpty()
        ? shown.stream().filter(text -> !text.isEmpty()).findFirst().orElse(otherwise)
        : said;
  }
}
