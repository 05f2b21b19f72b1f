package io.tidemark.provider.mock;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.mock.cloud.CloudSetup;
import io.tidemark.provider.mock.cloud.HeldIpv6;
import io.tidemark.provider.mock.cloud.Instance;
import io.tidemark.provider.mock.cloud.InstanceLaunch;
import io.tidemark.provider.mock.cloud.MockCloud;
import io.tidemark.provider.mock.cloud.NetworkInterface;
import io.tidemark.provider.mock.cloud.NetworkInterface.Attachment;
import io.tidemark.provider.mock.cloud.Subnet;
import io.tidemark.provider.mock.cloud.Vpc;
import io.tidemark.spi.InstanceId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes exist in the cloud what a manifest shows, whole or not at all: {@link #plan} says what
 * contradicts it. What the cloud holds already stays as it is.
 */
final class CloudAdoption {
  private static final Logger LOG = LoggerFactory.getLogger(CloudAdoption.class);

  private final MockCloud cloud;
  private final CloudSetup setup;
  private final Set<String> statedVpcs = new HashSet<>();
  private final Set<String> madeSubnets = new HashSet<>();

  CloudAdoption(MockCloud cloud) {
    this.cloud = cloud;
    this.setup = cloud.setup();
  }

  /** Something shown that another instance has. */
  record Taken(String what, String byInstance) {}

  /** The first thing shown that another instance of the cloud has. */
  Optional<Taken> taken(ShownInstance shown) {
    Map<String, List<Subnet>> subnets = new HashMap<>();
    for (ShownInterface each : shown.interfaces()) {
      Optional<NetworkInterface> same = cloud.networkInterface(each.id());
      if (same.isPresent()) {
        return Optional.of(new Taken("interface " + each.id(), instanceOf(same.get())));
      }
      List<Subnet> ofVpc = subnets.computeIfAbsent(each.vpcId(), this::subnetsOf);
      for (IpAddress address : each.ipv4()) {
        Optional<Taken> held = held(ofVpc, address);
        if (held.isPresent()) {
          return held;
        }
      }
      Optional<Taken> beside = takenBeside(each);
      if (beside.isPresent()) {
        return beside;
      }
    }
    return Optional.empty();
  }

  private List<Subnet> subnetsOf(String vpcId) {
    return setup.subnets().stream().filter(subnet -> subnet.vpcId().equals(vpcId)).toList();
  }

  private Optional<Taken> held(List<Subnet> subnets, IpAddress address) {
    for (Subnet subnet : subnets) {
      if (subnet.cidr().contains(address)) {
        Optional<NetworkInterface> holder = setup.holder(subnet.id(), address);
        if (holder.isPresent()) {
          return Optional.of(new Taken("address " + address, instanceOf(holder.get())));
        }
      }
    }
    return Optional.empty();
  }

  /** IPv6 and public addresses, which belong to no subnet here. */
  private Optional<Taken> takenBeside(ShownInterface shown) {
    if (shown.ipv6().equals(HeldIpv6.NONE) && shown.publicAddress().isEmpty()) {
      return Optional.empty();
    }
    for (NetworkInterface each : setup.interfaces()) {
      Optional<String> clash = shown.clash(each.ipv6(), each.publicAddress());
      if (clash.isPresent()) {
        return Optional.of(new Taken(clash.get(), instanceOf(each)));
      }
    }
    return Optional.empty();
  }

  /** The steps to adopt a manifest, or why it cannot be. */
  AdoptionPlan plan(ShownInstance shown) {
    return AdoptionPlan.of(
        shown, new AdoptionPlan.Existing(setup.vpcs(), setup.subnets(), statedVpcs, setup::isFree));
  }

  /**
   * Instances in subnets that were made up and that contradict what is shown.
   *
   * @return ids of the subnets with the instances in them
   */
  Map<String, Set<InstanceId>> madeInTheWay(ShownInstance shown) {
    Map<String, Set<InstanceId>> inTheWay = new HashMap<>();
    if (madeSubnets.isEmpty()) {
      return inTheWay;
    }
    for (Subnet subnet : setup.subnets()) {
      if (madeSubnets.contains(subnet.id())
          && shown.interfaces().stream().anyMatch(each -> contradicts(each, subnet))) {
        Set<InstanceId> instances = new TreeSet<>();
        setup.interfaces().stream()
            .filter(each -> each.subnetId().equals(subnet.id()))
            .forEach(each -> instances.add(new InstanceId(instanceOf(each))));
        inTheWay.put(subnet.id(), instances);
      }
    }
    return inTheWay;
  }

  private static boolean contradicts(ShownInterface shown, Subnet made) {
    if (!shown.subnetId().equals(made.id())) {
      return shown.vpcId().equals(made.vpcId())
          && (shown.subnetCidr().map(made.cidr()::overlaps).orElse(false)
              || shown.ipv4().containsAny(made.cidr()));
    }
    return !shown.vpcId().equals(made.vpcId())
        || (shown.zoneShown() && !shown.zone().equals(made.zone()))
        || shown.subnetCidr().map(cidr -> !cidr.equals(made.cidr())).orElse(false)
        || shown.ipv4().toList().stream()
            .anyMatch(address -> !MadeNetworks.holds(made.cidr(), address));
  }

  /** Takes a subnet that was made up out of the cloud; nothing is in it. */
  void unmake(String subnetId) {
    setup.removeSubnet(subnetId);
    madeSubnets.remove(subnetId);
  }

  /** Puts the instance into the cloud, by a plan without problems. */
  void adopt(ShownInstance shown, AdoptionPlan plan) {
    if (cloud.instance(shown.id().text()).isPresent()) {
      setup.forget(shown.id().text());
    }
    if (shown.interfaces().isEmpty()) {
      launch(shown);
      return;
    }
    plan.vpcs().forEach(setup::vpc);
    plan.subnets().forEach(setup::subnet);
    setup.instance(
        new Instance(
            shown.id().text(), shown.type(), shown.vpcId(), shown.zone(), Instance.State.RUNNING));
    AddressSet all = AddressSet.of();
    for (ShownInterface each : shown.interfaces()) {
      each.vpcCidr().ifPresent(cidr -> statedVpcs.add(each.vpcId()));
      all = all.plus(each.ipv4());
    }
    for (ShownInterface each : shown.interfaces()) {
      plugIn(shown, each, all);
    }
  }

  private void launch(ShownInstance shown) {
    if (setup.findVpc(shown.vpcId()).isEmpty()) {
      setup.vpc(new Vpc(shown.vpcId(), MadeNetworks.VPC_CIDR, List.of()));
    }
    List<Subnet> others = setup.subnets();
    if (others.stream().noneMatch(other -> other.id().equals(shown.homeSubnetId()))) {
      MadeNetworks.subnet(
              shown.homeSubnetId(),
              shown.vpcId(),
              shown.zone(),
              setup.findVpc(shown.vpcId()).map(Vpc::primaryCidr).orElse(MadeNetworks.VPC_CIDR),
              others)
          .ifPresent(
              made -> {
                setup.subnet(made);
                madeSubnets.add(made.id());
              });
    }
    try {
      setup.launch(
          new InstanceLaunch(
              shown.id().text(),
              shown.type(),
              shown.homeSubnetId(),
              shown.securityGroups(),
              Map.of()));
    } catch (IllegalArgumentException refused) {
      MockError code = MockError.MANIFEST_WITHOUT_ROOM;
      LOG.warn("{} {}: {}. {}", code.label(), code, refused.getMessage(), code.remedy());
    }
  }

  private void plugIn(ShownInstance shown, ShownInterface each, AddressSet except) {
    each.primary()
        .or(() -> setup.lowestFree(each.subnetId(), except))
        .ifPresent(primary -> setup.plugIn(wanted(shown, each, primary)));
  }

  private static NetworkInterface wanted(
      ShownInstance shown, ShownInterface each, IpAddress primary) {
    return new NetworkInterface(
        each.id(),
        each.subnetId(),
        each.mac(),
        each.description(),
        primary,
        each.singles(),
        each.prefixes(),
        each.securityGroups(),
        each.tags(),
        Optional.of(
            new Attachment(
                "eni-attach-" + each.id(),
                shown.id().text(),
                each.index(),
                shown.deleteOnTermination())),
        each.publicAddress(),
        each.ipv6());
  }

  private static String instanceOf(NetworkInterface each) {
    return each.attachment().map(Attachment::instanceId).orElse("");
  }
}
