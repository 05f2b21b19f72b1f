package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.AddressRequest;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.ConnectionTracking;
import io.tidemark.emulator.ec2.model.Instance;
import io.tidemark.emulator.ec2.model.Instances;
import io.tidemark.emulator.ec2.model.Interfaces;
import io.tidemark.emulator.ec2.model.Ipv6Request;
import io.tidemark.emulator.ec2.model.NetworkInterface;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.model.Subnet;
import io.tidemark.emulator.ec2.model.Tags;
import io.tidemark.emulator.ec2.model.Vpc;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.emulator.ec2.protocol.Refusal;
import io.tidemark.ip.CidrSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The interfaces that a launch gives to each of its instances: those specified, existing or new, or
 * one in the subnet of the request, or one in a default subnet. These wishes exclude one another in
 * many ways, so they are read and refused in one place.
 */
final class LaunchInterfaces {
  /** The parameters of RunInstances that are about interfaces. */
  static final List<Field> FIELDS =
      List.of(
          Field.text("SubnetId"),
          Field.texts("SecurityGroupId"),
          Field.text("PrivateIpAddress"),
          Field.integer("Ipv6AddressCount"),
          Field.structures(
              "Ipv6Address", Field.text("Ipv6Address"), Field.unsupported("IsPrimaryIpv6")),
          new Field(
              "NetworkInterface",
              Field.Kind.STRUCTURE,
              true,
              false,
              ParameterShape.of(AddressRequests.OF_NEW.toArray(Field[]::new))
                  .plus(Ipv6Requests.OF_NEW.toArray(Field[]::new))
                  .plus(
                      Field.integer("DeviceIndex"),
                      Field.integer("NetworkCardIndex"),
                      Field.text("NetworkInterfaceId"),
                      Field.text("SubnetId"),
                      Field.text("Description"),
                      Field.texts("SecurityGroupId"),
                      Field.flag("DeleteOnTermination"),
                      Field.text("InterfaceType"),
                      TrackingRequests.FIELD,
                      Field.unsupported("AssociatePublicIpAddress"),
                      Field.unsupported("AssociateCarrierIpAddress"),
                      Field.unsupported("PrimaryIpv6"),
                      Field.unsupported("EnaSrdSpecification"),
                      Field.unsupported("EnaQueueCount"))));

  private final Call call;
  private final List<Wanted> wanted;
  private final CidrSet named;
  private final Tags tags;

  /** One interface: {@code existing}, or a new one in {@code subnet}. */
  private record Wanted(
      Instances.Slot slot,
      Optional<NetworkInterface> existing,
      Subnet subnet,
      String type,
      String description,
      List<String> groups,
      ConnectionTracking tracking,
      AddressRequest addresses,
      Ipv6Request ipv6) {
    private Wanted {
      Objects.requireNonNull(slot, "slot");
      groups = List.copyOf(groups);
    }
  }

  private LaunchInterfaces(Call call, List<Wanted> wanted, Tags tags) {
    this.call = call;
    this.wanted = List.copyOf(wanted);
    this.named =
        wanted.stream()
            .map(one -> one.addresses().named().plus(one.ipv6().named()))
            .reduce(CidrSet.of(), CidrSet::plus);
    this.tags = tags;
  }

  /**
   * Reads what RunInstances asks for.
   *
   * @param instances how many are launched
   * @throws Refusal when the wishes exclude one another or name something that is not there
   */
  static LaunchInterfaces read(Call call, int instances) {
    Parameters parameters = call.parameters();
    List<Parameters> specified = parameters.structures("NetworkInterface");
    if (!specified.isEmpty()) {
      refuseBoth(parameters, "SubnetId", "subnet ID");
      refuseBoth(parameters, "SecurityGroupId", "security groups");
      refuseBoth(parameters, "PrivateIpAddress", "private address");
      refuseBoth(parameters, "Ipv6AddressCount", "IPv6 address count");
      refuseBoth(parameters, "Ipv6Address", "IPv6 addresses");
    }
    Tags tags =
        TagRules.ofNew(
            call,
            ResourceType.NETWORK_INTERFACE,
            List.of(ResourceType.INSTANCE.tagName(), "volume", "spot-instances-request"));
    List<Wanted> wanted =
        specified.isEmpty()
            ? List.of(single(call, instances))
            : specified.stream().map(one -> specified(call, one, instances)).toList();
    if (wanted.stream().noneMatch(one -> one.slot().card() == 0 && one.slot().device() == 0)) {
      throw Refusal.of(
          "InvalidParameterCombination",
          "The primary network interface must be specified with device index 0");
    }
    return new LaunchInterfaces(call, wanted, tags);
  }

  /** The subnet of the primary interface, which is the instance's. */
  Subnet subnet() {
    return wanted.stream()
        .filter(one -> one.slot().card() == 0 && one.slot().device() == 0)
        .findFirst()
        .orElseThrow()
        .subnet();
  }

  /** Makes what is new and attaches everything, the primary interface first. */
  void attachTo(Instance instance) {
    wanted.stream()
        .sorted(LaunchInterfaces::byPlace)
        .forEach(
            one -> {
              NetworkInterface attached = one.existing().orElseGet(() -> create(one));
              Instance now = call.region().instances().find(instance.id()).orElseThrow();
              call.region().instanceRules().attach(attached, now, one.slot(), true);
            });
  }

  private static int byPlace(Wanted a, Wanted b) {
    int byCard = Integer.compare(a.slot().card(), b.slot().card());
    return byCard != 0 ? byCard : Integer.compare(a.slot().device(), b.slot().device());
  }

  private NetworkInterface create(Wanted one) {
    Interfaces.Plan plan =
        new Interfaces.Plan(
            call.account(),
            one.type(),
            new NetworkInterface.Settings(
                one.description(),
                GroupChoice.of(call, one.subnet().vpcId(), one.groups()),
                true,
                one.tracking()),
            one.addresses(),
            named,
            one.ipv6(),
            tags);
    return call.region().interfaceRules().create(one.subnet(), plan);
  }

  private static Wanted single(Call call, int instances) {
    Parameters parameters = call.parameters();
    AddressRequest addresses =
        new AddressRequest(
            parameters.text("PrivateIpAddress").map(t -> Values.ipv4(t, "privateIpAddress")),
            List.of(),
            0,
            List.of(),
            0);
    Ipv6Request ipv6 = Ipv6Requests.ofLaunch(parameters);
    requireOneInstance(addresses, ipv6, instances);
    return new Wanted(
        new Instances.Slot(0, 0, true),
        Optional.empty(),
        subnet(call, parameters.text("SubnetId")),
        "interface",
        "",
        parameters.texts("SecurityGroupId"),
        ConnectionTracking.DEFAULT,
        addresses,
        ipv6);
  }

  private static Wanted specified(Call call, Parameters one, int instances) {
    int device =
        Values.count(
            one.integer("DeviceIndex")
                .orElseThrow(() -> ParameterShape.missing("networkInterface.deviceIndex")),
            "deviceIndex");
    int card = one.integer("NetworkCardIndex").orElse(0);
    AddressRequest addresses = AddressRequests.ofNew(one);
    Ipv6Request ipv6 = Ipv6Requests.ofNew(one);
    Optional<NetworkInterface> existing =
        one.text("NetworkInterfaceId").map(id -> call.need(call.region().interfaces(), id));
    if (existing.isPresent()) {
      if (!existing.get().permitted().contains(call.account())) {
        call.needOwn(call.region().interfaces(), existing.get().id());
      }
      requireFitsExisting(one, instances);
      Subnet subnet =
          call.region().subnets().find(existing.get().placement().subnetId()).orElseThrow();
      return new Wanted(
          new Instances.Slot(card, device, false),
          existing,
          subnet,
          "",
          "",
          List.of(),
          ConnectionTracking.DEFAULT,
          AddressRequest.NONE,
          Ipv6Request.NONE);
    }
    requireOneInstance(addresses, ipv6, instances);
    return new Wanted(
        new Instances.Slot(card, device, one.flag("DeleteOnTermination").orElse(true)),
        Optional.empty(),
        subnet(call, one.text("SubnetId")),
        type(one, card == 0 && device == 0, addresses, ipv6),
        one.text("Description").orElse(""),
        one.texts("SecurityGroupId"),
        TrackingRequests.ofNew(one),
        addresses,
        ipv6);
  }

  private static void requireFitsExisting(Parameters one, int instances) {
    if (instances > 1) {
      throw Refusal.of(
          "InvalidParameterCombination",
          "A network interface may not be specified when launching more than one instance");
    }
    if (one.isSet("DeleteOnTermination")) {
      throw Refusal.of(
          "InvalidParameterCombination",
          "A network interface may not specify a network interface ID and delete on termination"
              + " as true");
    }
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
      if (one.has(excluded)) {
        throw Refusal.of(
            "InvalidParameterCombination",
            "A network interface may not specify both a network interface ID and " + excluded);
      }
    }
  }

  private static String type(
      Parameters one, boolean isPrimary, AddressRequest addresses, Ipv6Request ipv6) {
    String type = InterfaceTypes.read(one, List.of("interface", "efa", "efa-only"));
    InterfaceTypes.requireFits(type, addresses, ipv6);
    if (isPrimary && type.equals(NetworkInterface.EFA_ONLY)) {
      throw Refusal.of(
          "InvalidParameterCombination",
          "The primary network interface cannot be an EFA-only network interface");
    }
    return type;
  }

  private static void requireOneInstance(
      AddressRequest addresses, Ipv6Request ipv6, int instances) {
    if (instances > 1
        && (!ipv6.addresses().isEmpty()
            || !ipv6.prefixes().isEmpty()
            || addresses.primary().isPresent()
            || !addresses.secondary().isEmpty()
            || !addresses.prefixes().isEmpty())) {
      throw Refusal.of(
          "InvalidParameterCombination",
          "A private address may not be specified when launching more than one instance");
    }
  }

  private static void refuseBoth(Parameters parameters, String parameter, String noun) {
    if (parameters.has(parameter)) {
      throw Refusal.of(
          "InvalidParameterCombination",
          "Network interfaces and an instance-level "
              + noun
              + " may not be specified on the same request");
    }
  }

  private static Subnet subnet(Call call, Optional<String> id) {
    if (id.isPresent()) {
      return call.need(call.region().subnets(), id.get());
    }
    Vpc vpc =
        call.region()
            .networks()
            .defaultVpc(call.account())
            .orElseThrow(() -> Refusal.of("VPCIdNotSpecified", "No default VPC for this user"));
    Optional<Parameters> placement = call.parameters().structure("Placement");
    Optional<String> zone = placement.flatMap(p -> p.text("AvailabilityZone"));
    Optional<String> zoneId = placement.flatMap(p -> p.text("AvailabilityZoneId"));
    return call.region()
        .subnets()
        .present()
        .filter(subnet -> subnet.vpcId().equals(vpc.id()))
        .filter(subnet -> zone.map(subnet.zone().name()::equals).orElse(true))
        .filter(subnet -> zoneId.map(subnet.zone().id()::equals).orElse(true))
        .findFirst()
        .orElseThrow(
            () ->
                Refusal.of(
                    "MissingInput", "No subnets found for the default VPC '" + vpc.id() + "'."));
  }
}
