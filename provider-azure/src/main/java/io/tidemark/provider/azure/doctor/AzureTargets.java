package io.tidemark.provider.azure.doctor;

import io.tidemark.provider.azure.network.InterfaceLinksJson;
import io.tidemark.provider.azure.network.LinkedType;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.resource.AzureStatus;
import io.tidemark.resource.NodeResource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The cluster's own resources, which the checks are about. Filled once; not thread-safe. */
final class AzureTargets {
  /** Azure takes four writes of an instance a minute (Z24). */
  static final int STEP = 8;

  /** That the nodes name. */
  final NavigableSet<ResourceId> machines = new TreeSet<>();

  /** Of nodes that ask for a static public address. */
  final NavigableSet<ResourceId> staticMachines = new TreeSet<>();

  /** Nodes on scale sets that ask for few addresses at a time. */
  final NavigableSet<String> smallSteps = new TreeSet<>();

  /** The resources that the interfaces of the machines name. */
  final NavigableSet<ResourceId> linked = new TreeSet<>();

  /** Of each machine; those of virtual machines can be in other groups than they. */
  private final Map<ResourceId, NavigableSet<ResourceId>> interfaces = new TreeMap<>();

  /** By machine, those that a node's status names. */
  private final Map<ResourceId, List<ResourceId>> shown = new TreeMap<>();

  /** The targets that the nodes name, before Azure was asked. */
  AzureTargets(Collection<NodeResource> nodes) {
    nodes.forEach(this::add);
  }

  private void add(NodeResource node) {
    node.instanceId()
        .map(text -> text.replaceFirst("^azure://", "")) // left over by some agents (Z40)
        .flatMap(ResourceId::machine)
        .ifPresent(machine -> add(node, machine));
  }

  private void add(NodeResource node, ResourceId machine) {
    machines.add(machine);
    shown.put(
        machine,
        node.azureStatus().orElse(AzureStatus.EMPTY).interfaces().keySet().stream()
            .flatMap(id -> ResourceId.parse(id).stream())
            .toList());
    if (!node.ipam().staticIpTags().isEmpty()) {
      staticMachines.add(machine);
    }
    if (machine.isUniformInstance() && node.ipam().maxAboveWatermark() < STEP) {
      smallSteps.add(node.name());
    }
  }

  /** Adds what those of these interfaces name that are the machines'. */
  void addLinked(Collection<InterfaceLinksJson> found) {
    for (InterfaceLinksJson each : found) {
      each.machine()
          .filter(machines::contains)
          .ifPresent(
              machine -> {
                addInterfaces(machine, List.of(each.id()));
                linked.addAll(each.linked());
              });
    }
  }

  void addInterfaces(ResourceId machine, Collection<ResourceId> found) {
    interfaces.computeIfAbsent(machine, key -> new TreeSet<>()).addAll(found);
  }

  /** Virtual machines with interfaces that no list shows, because they are in another group. */
  List<ResourceId> unlisted() {
    return machines.stream()
        .filter(each -> !each.isUniformInstance())
        .filter(
            each ->
                !interfaces.containsKey(each)
                    || !interfacesOf(each).containsAll(shown.getOrDefault(each, List.of())))
        .toList();
  }

  /** The interfaces of a machine; the machine itself while none is known. */
  NavigableSet<ResourceId> interfacesOf(ResourceId machine) {
    return interfaces.getOrDefault(machine, new TreeSet<>(List.of(machine)));
  }

  /** A machine of each list of interfaces: of each set, and of each group with single machines. */
  NavigableSet<ResourceId> lists() {
    Map<String, ResourceId> first = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (ResourceId each : machines) {
      first.putIfAbsent(each.isUniformInstance() ? parent(each).text() : each.groupScope(), each);
    }
    return new TreeSet<>(first.values());
  }

  NavigableSet<ResourceId> subnets() {
    NavigableSet<ResourceId> subnets = new TreeSet<>(linked);
    subnets.removeIf(each -> LinkedType.of(each).orElseThrow() != LinkedType.SUBNET);
    return subnets;
  }

  NavigableSet<ResourceId> networks() {
    NavigableSet<ResourceId> networks = new TreeSet<>();
    subnets().forEach(each -> networks.add(parent(each)));
    return networks;
  }

  /** Of an instance its set, of a subnet its network. */
  static ResourceId parent(ResourceId part) {
    return part.parent().orElseThrow();
  }
}
