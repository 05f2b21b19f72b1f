package io.tidemark.provider.mock;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.provider.mock.cloud.Subnet;
import io.tidemark.provider.mock.cloud.Vpc;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/**
 * The networks that the interfaces of a manifest need beside those that exist, and what contradicts
 * them. Pure.
 *
 * @param vpcs to be put into the cloud, in place of those of the same id
 * @param subnets to be added
 * @param problems why the manifest cannot be adopted, a path and a sentence each
 */
record AdoptionPlan(List<Vpc> vpcs, List<Subnet> subnets, List<String> problems) {
  AdoptionPlan {
    vpcs = List.copyOf(vpcs);
    subnets = List.copyOf(subnets);
    problems = List.copyOf(problems);
  }

  /**
   * The networks that exist.
   *
   * @param stated VPCs whose blocks a manifest has shown; those of the others are made up
   * @param free whether nobody holds an address of a subnet
   */
  record Existing(
      Collection<Vpc> vpcs,
      Collection<Subnet> subnets,
      Set<String> stated,
      BiPredicate<String, IpAddress> free) {}

  static AdoptionPlan of(ShownInstance shown, Existing existing) {
    Draft draft = new Draft(existing);
    for (ShownInterface each : shown.interfaces()) {
      draft.addresses.merge(each.subnetId(), each.ipv4(), AddressSet::plus);
    }
    shown.interfaces().stream()
        .sorted(Comparator.comparing(each -> each.subnetCidr().isEmpty()))
        .forEach(draft::add);
    AddressSet elsewhere = shown.usedElsewhere();
    if (!elsewhere.isEmpty()) {
      draft.problems.add(
          "status.ipam.used: "
              + elsewhere
              + (elsewhere.size() == 1 ? " is" : " are")
              + " on no interface of status.eni that pods may use");
    }
    return new AdoptionPlan(
        List.copyOf(draft.newVpcs.values()), List.copyOf(draft.newSubnets), draft.problems);
  }

  /** The plan while it is made. */
  private static final class Draft {
    private final Existing existing;
    private final Map<String, Vpc> vpcs = new TreeMap<>();
    private final Map<String, Subnet> subnets = new TreeMap<>();
    private final Map<String, Vpc> newVpcs = new TreeMap<>();
    private final List<Subnet> newSubnets = new ArrayList<>();
    private final Map<String, Cidr> stated = new TreeMap<>();
    private final Map<String, AddressSet> addresses = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();

    private Draft(Existing existing) {
      this.existing = existing;
      existing.vpcs().forEach(each -> vpcs.put(each.id(), each));
      existing.subnets().forEach(each -> subnets.put(each.id(), each));
    }

    private void add(ShownInterface each) {
      addVpc(each);
      Subnet subnet = subnets.get(each.subnetId());
      if (subnet == null) {
        newSubnet(each)
            .ifPresent(
                made -> {
                  subnets.put(made.id(), made);
                  newSubnets.add(made);
                  addAddresses(each, made);
                });
      } else if (agrees(each, subnet)) {
        addAddresses(each, subnet);
      }
    }

    private void addVpc(ShownInterface each) {
      Vpc known = vpcs.get(each.vpcId());
      boolean isStated =
          existing.stated().contains(each.vpcId()) || stated.containsKey(each.vpcId());
      Cidr first =
          each.vpcCidr()
              .orElseGet(
                  () ->
                      known != null
                          ? known.primaryCidr()
                          : each.vpcCidrs().isEmpty()
                              ? MadeNetworks.VPC_CIDR
                              : each.vpcCidrs().get(0));
      if (known != null && isStated && !first.equals(known.primaryCidr())) {
        problems.add(
            each.path()
                + ".vpc.primary-cidr: "
                + first
                + " contradicts "
                + known.primaryCidr()
                + " of "
                + known.id());
        return;
      }
      List<Cidr> further = new ArrayList<>(known == null ? List.of() : known.cidrs());
      each.vpcCidrs().stream().filter(cidr -> !further.contains(cidr)).forEach(further::add);
      if (known != null && !first.equals(known.primaryCidr()) && isLeftOut(known, first, further)) {
        further.add(known.primaryCidr());
      }
      Vpc vpc = new Vpc(each.vpcId(), first, further);
      each.vpcCidr().ifPresent(cidr -> stated.put(vpc.id(), cidr));
      if (!vpc.equals(known)) {
        vpcs.put(vpc.id(), vpc);
        newVpcs.put(vpc.id(), vpc);
      }
    }

    /** Whether a subnet of the VPC would lie outside of it without its block of before. */
    private boolean isLeftOut(Vpc known, Cidr first, List<Cidr> further) {
      return subnets.values().stream()
          .filter(subnet -> subnet.vpcId().equals(known.id()))
          .map(Subnet::cidr)
          .anyMatch(
              cidr ->
                  !first.contains(cidr) && further.stream().noneMatch(each -> each.contains(cidr)));
    }

    private boolean agrees(ShownInterface each, Subnet subnet) {
      int before = problems.size();
      each.subnetCidr()
          .filter(cidr -> !cidr.equals(subnet.cidr()))
          .ifPresent(cidr -> contradicts(each, ".subnet.cidr", cidr.toString(), subnet));
      if (!each.vpcId().equals(subnet.vpcId())) {
        contradicts(each, ".vpc.id", each.vpcId(), subnet);
      }
      if (each.zoneShown() && !each.zone().equals(subnet.zone())) {
        contradicts(each, ".availability-zone", each.zone(), subnet);
      }
      return problems.size() == before;
    }

    private void contradicts(ShownInterface each, String field, String value, Subnet subnet) {
      problems.add(
          each.path()
              + field
              + ": "
              + value
              + " contradicts subnet "
              + subnet.id()
              + " "
              + subnet.cidr()
              + " of "
              + subnet.vpcId()
              + " in "
              + subnet.zone());
    }

    private Optional<Subnet> newSubnet(ShownInterface each) {
      List<Subnet> others =
          subnets.values().stream().filter(other -> other.vpcId().equals(each.vpcId())).toList();
      if (each.subnetCidr().isEmpty()) {
        Optional<Subnet> made =
            MadeNetworks.around(
                each.subnetId(),
                each.vpcId(),
                each.zone(),
                vpcs.getOrDefault(
                        each.vpcId(), new Vpc(each.vpcId(), MadeNetworks.VPC_CIDR, List.of()))
                    .primaryCidr(),
                addresses.getOrDefault(each.subnetId(), each.ipv4()),
                others);
        if (made.isEmpty()) {
          problems.add(
              each.path() + ".subnet: no CIDR is shown, and none fits beside the other subnets");
        }
        return made;
      }
      Cidr cidr = each.subnetCidr().get();
      if (cidr.family() != IpFamily.IPV4 || cidr.prefixLength() < 8 || cidr.prefixLength() > 28) {
        problems.add(each.path() + ".subnet.cidr: " + cidr + " is not IPv4, /8 to /28");
        return Optional.empty();
      }
      for (Subnet other : others) {
        if (other.cidr().overlaps(cidr)) {
          contradicts(each, ".subnet.cidr", cidr.toString(), other);
          return Optional.empty();
        }
      }
      return Optional.of(new Subnet(each.subnetId(), each.vpcId(), each.zone(), cidr, Map.of()));
    }

    private void addAddresses(ShownInterface each, Subnet subnet) {
      boolean exists = existing.subnets().stream().anyMatch(subnet::equals);
      AddressSet.Builder outside = AddressSet.builder();
      for (IpAddress address : each.ipv4()) {
        if (!MadeNetworks.holds(subnet.cidr(), address)
            || (exists && !existing.free().test(subnet.id(), address))) {
          outside.add(address);
        }
      }
      AddressSet none = outside.build();
      if (!none.isEmpty()) {
        problems.add(
            each.path()
                + ": "
                + none
                + " cannot be given out in subnet "
                + subnet.id()
                + " "
                + subnet.cidr());
      }
    }
  }
}
