package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.AddressRequest;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Ec2Attachment;
import io.tidemark.emulator.ec2.model.Ec2Instance;
import io.tidemark.emulator.ec2.model.Ec2NetworkInterface;
import io.tidemark.emulator.ec2.model.Ec2Subnet;
import io.tidemark.emulator.ec2.model.Instances;
import io.tidemark.emulator.ec2.model.InterfaceAddresses;
import io.tidemark.emulator.ec2.model.Interfaces;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.ip.IpFamily;
import java.util.List;

/** Actions that make network interfaces, attach them and change their addresses. */
final class InterfaceActions {
  private static final List<String> TYPES =
      List.of("interface", "efa", Ec2NetworkInterface.EFA_ONLY, "trunk");

  static final List<Action> ALL =
      List.of(
          DeclaredAction.withoutDryRun(
              "AssignIpv6Addresses",
              "NetworkInterfaceId! Ipv6Addresses[] Ipv6AddressCount:int Ipv6Prefix[]"
                  + " Ipv6PrefixCount:int",
              InterfaceActions::assignIpv6),
          DeclaredAction.withoutDryRun(
              "AssignPrivateIpAddresses",
              "NetworkInterfaceId! PrivateIpAddress[] SecondaryPrivateIpAddressCount:int"
                  + " Ipv4Prefix[] Ipv4PrefixCount:int AllowReassignment:flag",
              InterfaceActions::assign),
          DeclaredAction.of(
              "AttachNetworkInterface",
              "NetworkInterfaceId! InstanceId! DeviceIndex:int! NetworkCardIndex:int"
                  + " -EnaSrdSpecification -EnaQueueCount",
              InterfaceActions::attach),
          DeclaredAction.of(
              "CreateNetworkInterface",
              "SubnetId! Description SecurityGroupId[] InterfaceType ClientToken"
                  + " -EnablePrimaryIpv6 -Operator"
                  + InterfaceAttributes.TRACKING
                  + AddressRequests.OF_NEW
                  + DeclaredAction.TAGS,
              InterfaceActions::create),
          DeclaredAction.doing(
              "DeleteNetworkInterface",
              "NetworkInterfaceId!",
              call -> new Interfaces(call.region()).deleteDetached(own(call))),
          DeclaredAction.doing(
              "DetachNetworkInterface", "AttachmentId! Force:flag", InterfaceActions::detach),
          DeclaredAction.withoutDryRun(
              "UnassignIpv6Addresses",
              "NetworkInterfaceId! Ipv6Addresses[] Ipv6Prefix[]",
              InterfaceActions::unassignIpv6),
          DeclaredAction.withoutDryRun(
              "UnassignPrivateIpAddresses",
              "NetworkInterfaceId! PrivateIpAddress[] Ipv4Prefix[]",
              InterfaceActions::unassign));

  private InterfaceActions() {}

  private static Ec2NetworkInterface own(Call call) {
    return call.own(call.region().interfaces(), "NetworkInterfaceId");
  }

  /** Makes a network interface in a subnet. */
  private static Answer create(Call call) {
    Parameters parameters = call.parameters();
    AddressRequest addresses = AddressRequests.ofNew(parameters);
    AddressRequest ipv6 = AddressRequests.ipv6OfNew(parameters);
    String type = type(parameters, TYPES, addresses, ipv6);
    Ec2Subnet subnet = call.need(call.region().subnets(), parameters.need("SubnetId"));
    Interfaces.Plan plan =
        new Interfaces.Plan(
            call.account(),
            type,
            InterfaceAttributes.ofNew(
                call, parameters, subnet.vpcId(), () -> InterfaceAttributes.tracking(parameters)),
            call.isPartial() ? addresses.half() : addresses,
            addresses.named().plus(ipv6.named()),
            ipv6,
            TagRules.ofNew(call, ResourceType.NETWORK_INTERFACE));
    Ec2NetworkInterface made = new Interfaces(call.region()).create(subnet, plan);
    return Answer.of("networkInterface", Ec2InterfaceListing.shown(call, made, "pending"))
        .put("clientToken", parameters.text("ClientToken"));
  }

  /**
   * The type that a new interface is to have, {@code interface} when none is named. "Do not assign
   * any IP addresses" is documented for {@code efa-only}.
   *
   * @param types those that the action makes
   * @throws Ec2Refusal when it is none of them, or excludes the addresses that are asked for
   */
  static String type(
      Parameters parameters, List<String> types, AddressRequest addresses, AddressRequest ipv6) {
    String type = parameters.text("InterfaceType").orElse(types.get(0));
    Ec2Refusal.when(
        type.equals("branch"),
        "UnsupportedOperation",
        "The emulator does not support interfaces of type %s",
        type);
    if (!types.contains(type)) {
      throw Values.invalid(
          type, "interfaceType", "It must be one of " + String.join(", ", types) + ".");
    }
    Ec2Refusal.when(
        type.equals(Ec2NetworkInterface.EFA_ONLY)
            && (addresses.primary().isPresent() || addresses.places() > 0 || ipv6.places() > 0),
        "InvalidParameterCombination",
        "EFA-only network interfaces do not support IP addresses");
    return type;
  }

  /**
   * Attaches an interface to a running or stopped instance of the caller. It is not deleted with
   * the instance unless ModifyNetworkInterfaceAttribute says so.
   */
  private static Answer attach(Call call) {
    Parameters parameters = call.parameters();
    Ec2NetworkInterface attached = attachable(call, parameters.need("NetworkInterfaceId"));
    Ec2Instance instance = call.need(call.region().instances(), parameters.need("InstanceId"));
    int device = Values.count(parameters.integer("DeviceIndex").orElse(0), "deviceIndex");
    int card = parameters.integer("NetworkCardIndex").orElse(0);
    Ec2Attachment made =
        new Instances(call.region())
            .attach(attached, instance, new Instances.Slot(card, device, false), false);
    return Answer.of("attachmentId", made.id()).put("networkCardIndex", made.card());
  }

  /** The interface of this id, of the caller's or one that the caller has a permission for. */
  static Ec2NetworkInterface attachable(Call call, String id) {
    Ec2NetworkInterface attached = call.need(call.region().interfaces(), id);
    return attached.permitted().contains(call.account())
        ? attached
        : call.needOwn(call.region().interfaces(), id);
  }

  /**
   * Takes an interface off its instance, for the owner of either; by force at once, and its device
   * index stays unusable until the instance was stopped.
   */
  private static void detach(Call call) {
    String id = call.parameters().need("AttachmentId");
    ResourceType.ATTACHMENT.requireWellFormed(id);
    Ec2NetworkInterface detached =
        call.region()
            .interfaces()
            .presentBy(Region.ATTACHMENT_ID, id)
            .filter(
                present ->
                    present.ownerId().equals(call.account())
                        || present
                            .attachment()
                            .filter(a -> a.instanceOwnerId().equals(call.account()))
                            .isPresent())
            .findFirst()
            .orElseThrow(() -> ResourceType.ATTACHMENT.notFound(id));
    new Instances(call.region())
        .detach(detached, detached.attachment().orElseThrow(), call.parameters().isSet("Force"));
  }

  /** Adds secondary addresses or prefixes to an interface; the answer lists what was added. */
  private static Answer assign(Call call) {
    AddressRequest wanted = AddressRequests.ofAssignment(call.parameters());
    Ec2NetworkInterface target = own(call);
    InterfaceAddresses.Assigned assigned =
        new Interfaces(call.region())
            .assign(
                target,
                IpFamily.IPV4,
                call.isPartial() ? wanted.half() : wanted,
                call.parameters().isSet("AllowReassignment"));
    Answer answer = Answer.of("networkInterfaceId", target.id());
    if (wanted.wantsPrefixes()) {
      answer.items(
          "assignedIpv4PrefixSet", assigned.prefixes(), prefix -> Answer.of("ipv4Prefix", prefix));
    } else {
      answer.items(
          "assignedPrivateIpAddressesSet",
          assigned.addresses(),
          address -> Answer.of("privateIpAddress", address));
    }
    return answer.put("return", true);
  }

  private static Answer assignIpv6(Call call) {
    AddressRequest wanted = AddressRequests.ipv6OfAssignment(call.parameters());
    Ec2NetworkInterface target = own(call);
    InterfaceAddresses.Assigned assigned =
        new Interfaces(call.region()).assign(target, IpFamily.IPV6, wanted, false);
    return Answer.of("networkInterfaceId", target.id())
        .put("assignedIpv6Addresses", assigned.addresses())
        .put("assignedIpv6PrefixSet", assigned.prefixes());
  }

  /** Takes secondary addresses and prefixes off an interface, all that are named or none. */
  private static Answer unassign(Call call) {
    InterfaceAddresses.Assigned lost =
        AddressRequests.ofUnassignment(call.parameters(), IpFamily.IPV4);
    new Interfaces(call.region()).unassign(own(call), IpFamily.IPV4, lost);
    return Answer.TRUE;
  }

  private static Answer unassignIpv6(Call call) {
    InterfaceAddresses.Assigned lost =
        AddressRequests.ofUnassignment(call.parameters(), IpFamily.IPV6);
    Ec2NetworkInterface from = own(call);
    new Interfaces(call.region()).unassign(from, IpFamily.IPV6, lost);
    return Answer.of("networkInterfaceId", from.id())
        .put("unassignedIpv6Addresses", lost.addresses())
        .put("unassignedIpv6PrefixSet", lost.prefixes());
  }
}
