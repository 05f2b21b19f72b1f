package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Ec2ElasticAddress;
import io.tidemark.emulator.ec2.model.Ec2ElasticAddresses;
import io.tidemark.emulator.ec2.model.Ec2Instance;
import io.tidemark.emulator.ec2.model.Ec2NetworkInterface;
import io.tidemark.emulator.ec2.model.InstanceState;
import io.tidemark.emulator.ec2.model.Quota;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.model.Table;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.ip.Ipv4Address;
import java.util.List;
import java.util.Optional;

/** Public addresses, and the private addresses that they stand for. */
final class ElasticAddressActions {
  static final List<Action> ALL =
      List.of(
          DeclaredAction.of(
              "AllocateAddress",
              "Domain -Address -PublicIpv4Pool -NetworkBorderGroup -CustomerOwnedIpv4Pool"
                  + " -IpamPoolId"
                  + DeclaredAction.TAGS,
              ElasticAddressActions::allocate),
          DeclaredAction.of(
              "AssociateAddress",
              "AllocationId NetworkInterfaceId InstanceId PrivateIpAddress"
                  + " AllowReassociation:flag -PublicIp",
              ElasticAddressActions::associate),
          DeclaredAction.of(
              "DescribeAddresses",
              "AllocationId[] PublicIp[]" + DeclaredAction.FILTERS,
              ElasticAddressActions::describe),
          DeclaredAction.doing(
              "DisassociateAddress",
              "AssociationId -PublicIp",
              ElasticAddressActions::disassociate),
          DeclaredAction.doing(
              "ReleaseAddress",
              "AllocationId -PublicIp ~NetworkBorderGroup",
              ElasticAddressActions::release));

  private ElasticAddressActions() {}

  /** Gives the account a public address, from a range that nobody routes. */
  private static Answer allocate(Call call) {
    Region region = call.region();
    String domain = call.parameters().text("Domain").orElse("vpc");
    if (!domain.equals("vpc")) {
      throw Values.invalid(domain, "domain", "It must be vpc.");
    }
    Ec2Refusal.when(
        region.elasticAddresses().countOf(call.account()) >= region.quota(Quota.ELASTIC_ADDRESSES),
        "AddressLimitExceeded",
        "The maximum number of addresses has been reached.");
    Ec2ElasticAddress made =
        new Ec2ElasticAddress(
            region.newId(ResourceType.ELASTIC_IP),
            call.account(),
            region.newPublicAddress(),
            Optional.empty(),
            TagRules.ofNew(call, ResourceType.ELASTIC_IP));
    region.elasticAddresses().put(made);
    return allocated(region, made);
  }

  private static Answer allocated(Region region, Ec2ElasticAddress address) {
    return Answer.of("publicIp", address.publicIp())
        .put("allocationId", address.id())
        .put("domain", "vpc")
        .put("publicIpv4Pool", "amazon")
        .put("networkBorderGroup", region.name());
  }

  /**
   * Lets a public address stand for a private one. The address that it stood for before is given
   * up, unless AllowReassociation is false.
   */
  private static Answer associate(Call call) {
    Parameters parameters = call.parameters();
    Region region = call.region();
    Ec2ElasticAddress address = call.own(region.elasticAddresses(), "AllocationId");
    Ec2NetworkInterface target = target(call);
    Ec2Refusal.when(
        target
            .attachment()
            .flatMap(attachment -> region.instances().find(attachment.instanceId()))
            .filter(instance -> instance.state() == InstanceState.PENDING)
            .isPresent(),
        "IncorrectInstanceState",
        "The pending instance to which '%s' is attached is not in a valid state for this operation",
        target.id());
    Ipv4Address privateAddress =
        parameters
            .text("PrivateIpAddress")
            .map(text -> Values.ipv4(text, "privateIpAddress"))
            .or(() -> target.addresses().first())
            .orElseThrow(
                () ->
                    Ec2Refusal.of(
                        "InvalidParameterValue",
                        "The EFA-only network interface '%s' does not support IP addresses",
                        target.id()));
    Ec2ElasticAddress.Association made =
        new Ec2ElasticAddresses(region)
            .associate(
                address,
                target,
                privateAddress,
                parameters.flag("AllowReassociation").orElse(true));
    return Answer.of("return", true).put("associationId", made.id());
  }

  /** The interface that is named, or the only one of the instance that is named. */
  private static Ec2NetworkInterface target(Call call) {
    Parameters parameters = call.parameters();
    Region region = call.region();
    if (parameters.has("NetworkInterfaceId")) {
      if (parameters.has("InstanceId")) {
        throw AddressRequests.both("instanceId", "networkInterfaceId");
      }
      return call.need(region.interfaces(), parameters.need("NetworkInterfaceId"));
    }
    Ec2Instance instance =
        call.need(
            region.instances(),
            parameters
                .text("InstanceId")
                .orElseThrow(() -> ParameterShape.missing("instanceId or networkInterfaceId")));
    Ec2Refusal.when(
        instance.interfaceIds().size() != 1,
        "InvalidInstanceID",
        "There are multiple interfaces attached to instance '%s'. Please specify an interface ID"
            + " for the operation instead.",
        instance.id());
    return region.interfaces().find(instance.interfaceIds().get(0)).orElseThrow();
  }

  /** Lists public addresses, all at once: the action has no pages. */
  private static Answer describe(Call call) {
    List<String> publicIps = call.parameters().texts("PublicIp");
    List<Ec2ElasticAddress> found =
        Listing.of(call, call.region().elasticAddresses(), "AllocationId", 1000, filters(call))
            .resources();
    for (String publicIp : publicIps) {
      Ec2Refusal.when(
          found.stream().noneMatch(a -> a.publicIp().toString().equals(publicIp)),
          "InvalidAddress.NotFound",
          "Address '%s' not found.",
          publicIp);
    }
    return Answer.empty()
        .items(
            "addressesSet",
            found.stream()
                .filter(a -> publicIps.isEmpty() || publicIps.contains(a.publicIp().toString()))
                .toList(),
            address -> shown(call, address));
  }

  private static Ec2Filters<Ec2ElasticAddress> filters(Call call) {
    return new Ec2Filters<Ec2ElasticAddress>("DescribeAddresses")
        .by("allocation-id", Ec2ElasticAddress::id)
        .by("public-ip", Ec2ElasticAddress::publicIp)
        .by("network-border-group", address -> call.region().name())
        .by("association-id", a -> a.association().map(x -> x.id()))
        .by("network-interface-id", a -> a.association().map(x -> x.interfaceId()))
        .by("private-ip-address", a -> a.association().map(x -> x.privateAddress()))
        .by("network-interface-owner-id", a -> target(call, a).map(Ec2NetworkInterface::ownerId))
        .by("instance-id", a -> instance(call, a))
        .byTags(Ec2ElasticAddress::tags);
  }

  private static Answer shown(Call call, Ec2ElasticAddress address) {
    return allocated(call.region(), address)
        .put("instanceId", instance(call, address))
        .put("networkInterfaceOwnerId", target(call, address).map(Ec2NetworkInterface::ownerId))
        .put("associationId", address.association().map(a -> a.id()))
        .put("networkInterfaceId", address.association().map(a -> a.interfaceId()))
        .put("privateIpAddress", address.association().map(a -> a.privateAddress()))
        .put("tagSet", TagRules.shown(address.tags()));
  }

  private static Optional<Ec2NetworkInterface> target(Call call, Ec2ElasticAddress address) {
    return address.association().flatMap(a -> call.region().interfaces().find(a.interfaceId()));
  }

  private static Optional<String> instance(Call call, Ec2ElasticAddress address) {
    return target(call, address).flatMap(t -> t.attachment()).map(a -> a.instanceId());
  }

  /** Lets a public address stand for nothing. */
  private static void disassociate(Call call) {
    Table<Ec2ElasticAddress> all = call.region().elasticAddresses();
    String id = call.parameters().need("AssociationId");
    Ec2ElasticAddress address =
        call.ownWith(
            ResourceType.ELASTIC_IP_ASSOCIATION,
            id,
            all.present(),
            a -> a.association().filter(x -> x.id().equals(id)).isPresent());
    all.put(address.withAssociation(Optional.empty()));
  }

  /** Gives a public address back that stands for no private one. */
  private static void release(Call call) {
    Ec2ElasticAddress ended = call.own(call.region().elasticAddresses(), "AllocationId");
    Ec2Refusal.when(
        ended.association().isPresent(),
        "InvalidIPAddress.InUse",
        "Address %s is in use.",
        ended.publicIp());
    call.region().elasticAddresses().remove(ended.id());
  }
}
