package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.AddressRequest;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Ec2Instance;
import io.tidemark.emulator.ec2.model.Ec2NetworkInterface;
import io.tidemark.emulator.ec2.model.Ec2Subnet;
import io.tidemark.emulator.ec2.model.Ec2Tags;
import io.tidemark.emulator.ec2.model.Ec2Vpc;
import io.tidemark.emulator.ec2.model.Instances;
import io.tidemark.emulator.ec2.model.Interfaces;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.ip.CidrSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The interfaces that a launch gives to each of its instances: those specified, existing or new, or
 * one in the subnet of the request, or one in a default subnet. These wishes exclude one another in
 * many ways, so they are read and refused in one place.
 */
final class LaunchInterfaces {
  /** The parameters of RunInstances that are about interfaces. */
  static final String SHAPE =
      " SubnetId SecurityGroupId[] PrivateIpAddress Ipv6AddressCount:int"
          + " Ipv6Address[]{Ipv6Address -IsPrimaryIpv6}"
          + " NetworkInterface[]{DeviceIndex:int NetworkCardIndex:int NetworkInterfaceId SubnetId"
          + " Description SecurityGroupId[] DeleteOnTermination:flag InterfaceType"
          + " -AssociatePublicIpAddress -AssociateCarrierIpAddress -PrimaryIpv6"
          + " -EnaSrdSpecification -EnaQueueCount"
          + InterfaceAttributes.TRACKING
          + AddressRequests.OF_NEW
          + "}";

  private final Call call;
  private final int instances;
  private final Ec2Tags tags;
  private final List<Wanted> wanted;

  /**
   * One interface.
   *
   * @param named the addresses that are asked for
   * @param make the interface itself, or a new one to which EC2 gives none of these addresses
   */
  private record Wanted(
      Instances.Slot slot,
      Ec2Subnet subnet,
      CidrSet named,
      Function<CidrSet, Ec2NetworkInterface> make) {
    boolean isPrimary() {
      return slot.card() == 0 && slot.device() == 0;
    }
  }

  /**
   * Reads what RunInstances asks for.
   *
   * @param instances how many are launched
   * @throws Ec2Refusal when the wishes exclude one another or name something that is not there
   */
  LaunchInterfaces(Call call, int instances) {
    this.call = call;
    this.instances = instances;
    List<Parameters> specified = call.parameters().structures("NetworkInterface");
    if (!specified.isEmpty()) {
      refuseBoth("SubnetId", "subnet ID");
      refuseBoth("SecurityGroupId", "security groups");
      refuseBoth("PrivateIpAddress", "private address");
      refuseBoth("Ipv6AddressCount", "IPv6 address count");
      refuseBoth("Ipv6Address", "IPv6 addresses");
    }
    this.tags = TagRules.ofLaunch(call, ResourceType.NETWORK_INTERFACE);
    this.wanted =
        specified.isEmpty()
            ? List.of(single(call.parameters()))
            : specified.stream().map(this::specified).toList();
    Ec2Refusal.when(
        wanted.stream().noneMatch(Wanted::isPrimary),
        "InvalidParameterCombination",
        "The primary network interface must be specified with device index 0");
  }

  /** The subnet of the primary interface, which is the instance's. */
  Ec2Subnet subnet() {
    return wanted.stream().filter(Wanted::isPrimary).findFirst().orElseThrow().subnet();
  }

  /** Makes what is new and attaches everything, the primary interface first. */
  void attachTo(Ec2Instance instance) {
    CidrSet spared = wanted.stream().map(Wanted::named).reduce(CidrSet.of(), CidrSet::plus);
    wanted.stream()
        .sorted(
            Comparator.comparing((Wanted one) -> one.slot().card())
                .thenComparing(one -> one.slot().device()))
        .forEach(
            one -> {
              Ec2NetworkInterface attached = one.make().apply(spared);
              Ec2Instance now = call.region().instances().find(instance.id()).orElseThrow();
              new Instances(call.region()).attach(attached, now, one.slot(), true);
            });
  }

  private Wanted single(Parameters request) {
    AddressRequest addresses =
        AddressRequest.ofPrimary(
            request.text("PrivateIpAddress").map(t -> Values.ipv4(t, "privateIpAddress")));
    AddressRequest ipv6 = AddressRequests.ipv6OfLaunch(request);
    requireOneInstance(addresses, ipv6);
    Ec2Subnet subnet = subnet(request.text("SubnetId"));
    return created(new Instances.Slot(0, 0, true), request, subnet, "interface", addresses, ipv6);
  }

  private Wanted specified(Parameters one) {
    int device =
        Values.count(
            one.integer("DeviceIndex")
                .orElseThrow(() -> ParameterShape.missing("networkInterface.deviceIndex")),
            "deviceIndex");
    int card = one.integer("NetworkCardIndex").orElse(0);
    AddressRequest addresses = AddressRequests.ofNew(one);
    AddressRequest ipv6 = AddressRequests.ipv6OfNew(one);
    Optional<Ec2NetworkInterface> existing =
        one.text("NetworkInterfaceId").map(id -> InterfaceActions.attachable(call, id));
    if (existing.isPresent()) {
      requireFitsExisting(one);
      Ec2NetworkInterface present = existing.get();
      Ec2Subnet subnet = call.region().subnets().find(present.placement().subnetId()).orElseThrow();
      return new Wanted(
          new Instances.Slot(card, device, false), subnet, CidrSet.of(), spared -> present);
    }
    requireOneInstance(addresses, ipv6);
    Ec2Subnet subnet = subnet(one.text("SubnetId"));
    String type = type(one, card == 0 && device == 0, addresses, ipv6);
    boolean ends = one.flag("DeleteOnTermination").orElse(true);
    return created(new Instances.Slot(card, device, ends), one, subnet, type, addresses, ipv6);
  }

  private Wanted created(
      Instances.Slot slot,
      Parameters one,
      Ec2Subnet subnet,
      String type,
      AddressRequest addresses,
      AddressRequest ipv6) {
    Map<String, Integer> tracking = InterfaceAttributes.tracking(one);
    Function<CidrSet, Ec2NetworkInterface> make =
        spared -> {
          Ec2NetworkInterface.Settings settings =
              InterfaceAttributes.ofNew(call, one, subnet.vpcId(), () -> tracking);
          return new Interfaces(call.region())
              .create(
                  subnet,
                  new Interfaces.Plan(
                      call.account(), type, settings, addresses, spared, ipv6, tags));
        };
    return new Wanted(slot, subnet, addresses.named().plus(ipv6.named()), make);
  }

  private void requireFitsExisting(Parameters one) {
    Ec2Refusal.when(
        instances > 1,
        "InvalidParameterCombination",
        "A network interface may not be specified when launching more than one instance");
    Ec2Refusal.when(
        one.isSet("DeleteOnTermination"),
        "InvalidParameterCombination",
        "A network interface may not specify a network interface ID and delete on termination"
            + " as true");
    for (String excluded :
        List.of(
            "SubnetId",
            "Description",
            "SecurityGroupId",
            "Ipv4Prefix",
            "Ipv6AddressCount",
            "Ipv6Addresses",
            "Ipv6Prefix",
            "Ipv6PrefixCount")) {
      Ec2Refusal.when(
          one.has(excluded),
          "InvalidParameterCombination",
          "A network interface may not specify both a network interface ID and %s",
          excluded);
    }
  }

  private static String type(
      Parameters one, boolean isPrimary, AddressRequest addresses, AddressRequest ipv6) {
    String type =
        InterfaceActions.type(
            one, List.of("interface", "efa", Ec2NetworkInterface.EFA_ONLY), addresses, ipv6);
    Ec2Refusal.when(
        isPrimary && type.equals(Ec2NetworkInterface.EFA_ONLY),
        "InvalidParameterCombination",
        "The primary network interface cannot be an EFA-only network interface");
    return type;
  }

  private void requireOneInstance(AddressRequest addresses, AddressRequest ipv6) {
    Ec2Refusal.when(
        instances > 1 && !(addresses.named().isEmpty() && ipv6.named().isEmpty()),
        "InvalidParameterCombination",
        "A private address may not be specified when launching more than one instance");
  }

  private void refuseBoth(String parameter, String noun) {
    Ec2Refusal.when(
        call.parameters().has(parameter),
        "InvalidParameterCombination",
        "Network interfaces and an instance-level %s may not be specified on the same request",
        noun);
  }

  private Ec2Subnet subnet(Optional<String> id) {
    Region region = call.region();
    if (id.isPresent()) {
      return call.need(region.subnets(), id.get());
    }
    Ec2Vpc vpc = SecurityGroupActions.defaultVpc(call);
    Optional<Parameters> placement = call.parameters().structure("Placement");
    Optional<String> zone = placement.flatMap(p -> p.text("AvailabilityZone"));
    Optional<String> zoneId = placement.flatMap(p -> p.text("AvailabilityZoneId"));
    return region
        .subnets()
        .presentBy("vpc-id", vpc.id())
        .filter(subnet -> subnet.zone().isNamed(zone, zoneId))
        .findFirst()
        .orElseThrow(
            () ->
                Ec2Refusal.of(
                    "MissingInput", "No subnets found for the default VPC '%s'.", vpc.id()));
  }
}
