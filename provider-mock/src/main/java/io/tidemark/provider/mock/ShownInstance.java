package io.tidemark.provider.mock;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
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
 * What a manifest shows of its instance: the provider's sections alone, so an address that stands
 * only in the pool is not attached. Pure; wrong values are left out, never an error.
 */
record ShownInstance(
    InstanceId id,
    String type,
    String vpcId,
    String zone,
    String homeSubnetId,
    List<String> securityGroups,
    boolean deleteOnTermination,
    List<ShownInterface> interfaces) {
  ShownInstance {
    securityGroups = List.copyOf(securityGroups);
    interfaces = List.copyOf(interfaces);
  }

  /** An interface as the status section shows it. */
  record ShownInterface(
      String id,
      int index,
      String subnetId,
      Optional<Cidr> subnetCidr,
      String vpcId,
      List<Cidr> vpcCidrs,
      String zone,
      String mac,
      String description,
      Optional<IpAddress> primary,
      AddressSet singles,
      List<Cidr> prefixes,
      List<String> securityGroups,
      Map<String, String> tags) {}

  /** The same instance without these interfaces. */
  ShownInstance without(Set<String> interfaceIds) {
    return new ShownInstance(
        id,
        type,
        vpcId,
        zone,
        homeSubnetId,
        securityGroups,
        deleteOnTermination,
        interfaces.stream().filter(each -> !interfaceIds.contains(each.id())).toList());
  }

  static ShownInstance of(InstanceId id, NodeResource resource) {
    EniSpec spec = resource.eniSpec().orElse(EniSpec.EMPTY);
    List<EniStatus.Eni> enis =
        resource.eniStatus().map(status -> List.copyOf(status.enis().values())).orElse(List.of());
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
    Set<Integer> indexes = new HashSet<>();
    for (EniStatus.Eni eni : enis) {
      if (!eni.id().isEmpty()) {
        interfaces.add(shown(eni, freeIndex(eni.number(), indexes), vpcId, zone, home));
      }
    }
    return new ShownInstance(
        id,
        spec.instanceType(),
        vpcId,
        zone,
        home,
        spec.securityGroups(),
        spec.deleteOnTermination().orElse(true),
        interfaces);
  }

  private static ShownInterface shown(
      EniStatus.Eni eni, int index, String vpcId, String zone, String home) {
    List<Cidr> prefixes =
        eni.prefixes().stream()
            .filter(each -> each.family() == IpFamily.IPV4 && each.prefixLength() == 28)
            .distinct()
            .toList();
    AddressSet.Builder singles = AddressSet.builder();
    for (IpAddress address : eni.addresses()) {
      boolean single =
          address.family() == IpFamily.IPV4
              && prefixes.stream().noneMatch(block -> block.contains(address))
              && !eni.ip().equals(Optional.of(address));
      if (single) {
        singles.add(address);
      }
    }
    List<Cidr> vpcCidrs = new ArrayList<>();
    eni.vpc().primaryCidr().ifPresent(vpcCidrs::add);
    vpcCidrs.addAll(eni.vpc().cidrs());
    return new ShownInterface(
        eni.id(),
        index,
        or(eni.subnet().id(), home),
        eni.subnet().cidr(),
        or(eni.vpc().id(), vpcId),
        vpcCidrs,
        or(eni.availabilityZone(), zone),
        eni.mac(),
        eni.description(),
        eni.ip().filter(address -> address.family() == IpFamily.IPV4),
        singles.build(),
        prefixes,
        eni.securityGroups(),
        eni.tags());
  }

  /** The index shown; where two interfaces show the same, the second gets the next free one. */
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

  private static String or(String text, String otherwise) {
    return text.isEmpty() ? otherwise : text;
  }
}
