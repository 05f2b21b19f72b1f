package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Ec2Networks;
import io.tidemark.emulator.ec2.model.Ec2Subnet;
import io.tidemark.emulator.ec2.model.Ec2Vpc;
import io.tidemark.emulator.ec2.model.Quota;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.model.Zone;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Subnets and their IPv6 blocks. */
final class SubnetActions {
  static final List<Action> ALL =
      List.of(
          DeclaredAction.withoutDryRun(
              "AssociateSubnetCidrBlock",
              "SubnetId! Ipv6CidrBlock -Ipv6IpamPoolId -Ipv6NetmaskLength",
              SubnetActions::associate),
          DeclaredAction.of(
              "CreateSubnet",
              "VpcId! CidrBlock AvailabilityZone AvailabilityZoneId Ipv6CidrBlock -OutpostArn"
                  + " -Ipv6Native -Ipv4IpamPoolId -Ipv4NetmaskLength -Ipv6IpamPoolId"
                  + " -Ipv6NetmaskLength"
                  + DeclaredAction.TAGS,
              SubnetActions::create),
          DeclaredAction.doing("DeleteSubnet", "SubnetId!", SubnetActions::delete),
          Listing.action(
              "DescribeSubnets",
              "SubnetId",
              1000,
              Region::subnets,
              filters(),
              "subnetSet",
              SubnetActions::shown),
          DeclaredAction.withoutDryRun(
              "DisassociateSubnetCidrBlock", "AssociationId!", SubnetActions::disassociate));

  private static final int IPV6_LENGTH = 64;

  private SubnetActions() {}

  /** Makes a subnet in one of the VPC's blocks; the first zone is taken when none is named. */
  private static Answer create(Call call) {
    Parameters parameters = call.parameters();
    Region region = call.region();
    String text = parameters.need("CidrBlock");
    Ec2Vpc vpc = call.own(region.vpcs(), "VpcId");
    Cidr block = Values.block(text, "cidrBlock");
    requireRange(vpc, block, Values.isAllowed(block));
    List<Ec2Subnet> present = region.subnets().presentBy("vpc-id", vpc.id()).toList();
    requireFree(present.stream().map(Ec2Subnet::block), block);
    Ec2Refusal.when(
        present.size() >= region.quota(Quota.SUBNETS_PER_VPC),
        "SubnetLimitExceeded",
        "The maximum number of subnets has been reached.");
    Ec2Subnet made =
        new Ec2Networks(region)
            .createSubnet(
                vpc,
                zone(region, parameters),
                block,
                parameters.text("Ipv6CidrBlock").map(wanted -> ipv6Block(region, vpc, wanted)),
                TagRules.ofNew(call, ResourceType.SUBNET));
    return Answer.of("subnet", shown(call, made));
  }

  private static void requireRange(Ec2Vpc vpc, Cidr block, boolean allowed) {
    Ec2Refusal.when(
        !allowed || vpc.blocks().stream().noneMatch(b -> b.block().contains(block)),
        "InvalidSubnet.Range",
        "The CIDR '%s' is invalid.",
        block);
  }

  private static void requireFree(Stream<Cidr> present, Cidr block) {
    Ec2Refusal.when(
        present.anyMatch(other -> other.overlaps(block)),
        "InvalidSubnet.Conflict",
        "The CIDR '%s' conflicts with another subnet",
        block);
  }

  private static Zone zone(Region region, Parameters parameters) {
    Optional<String> name = parameters.text("AvailabilityZone");
    Optional<String> id = parameters.text("AvailabilityZoneId");
    if (name.isPresent() && id.isPresent()) {
      throw AddressRequests.both("availabilityZone", "availabilityZoneId");
    }
    return region.zones().stream()
        .filter(zone -> zone.isNamed(name, id))
        .findFirst()
        .orElseThrow(
            () ->
                Values.invalid(
                    name.or(() -> id).orElse(""),
                    name.isPresent() ? "availabilityZone" : "availabilityZoneId",
                    "Subnets can currently only be created in the following availability zones: "
                        + region.zones().stream().map(Zone::name).collect(Collectors.joining(", "))
                        + "."));
  }

  /** A /64 of the VPC's IPv6 block that no other subnet has. */
  private static Cidr ipv6Block(Region region, Ec2Vpc vpc, String text) {
    Cidr block =
        Cidr.tryParse(text)
            .filter(b -> b.family() == IpFamily.IPV6)
            .orElseThrow(
                () ->
                    Values.invalid(text, "ipv6CidrBlock", "This is not a valid IPv6 CIDR block."));
    requireRange(vpc, block, block.prefixLength() == IPV6_LENGTH);
    requireFree(
        region.subnets().present().flatMap(s -> s.ipv6Block().stream()).map(b -> b.block()), block);
    return block;
  }

  /** Removes a subnet that has no interface left. */
  private static void delete(Call call) {
    Region region = call.region();
    Ec2Subnet subnet = call.own(region.subnets(), "SubnetId");
    Ec2Refusal.when(
        !region.addresses(subnet.id()).isUnused()
            || region.interfaces().presentBy("subnet-id", subnet.id()).findAny().isPresent(),
        "DependencyViolation",
        "The subnet '%s' has dependencies and cannot be deleted.",
        subnet.id());
    new Ec2Networks(region).deleteSubnet(subnet);
  }

  /** Gives a subnet its only IPv6 block ("Subnet CIDR blocks", Amazon VPC User Guide). */
  private static Answer associate(Call call) {
    Region region = call.region();
    String text = call.parameters().need("Ipv6CidrBlock");
    Ec2Subnet subnet = call.own(region.subnets(), "SubnetId");
    Ec2Vpc vpc = call.needOwn(region.vpcs(), subnet.vpcId());
    Ec2Refusal.when(
        subnet.ipv6Block().isPresent(),
        "CidrLimitExceeded",
        "The subnet '%s' has an IPv6 CIDR block already; it can have one.",
        subnet.id());
    return change(
        new Ec2Networks(region).addIpv6Block(subnet, ipv6Block(region, vpc, text)), "associating");
  }

  /** Takes the IPv6 block off a subnet in which no interface has an address or a prefix of it. */
  private static Answer disassociate(Call call) {
    Region region = call.region();
    String id = call.parameters().need("AssociationId");
    Ec2Subnet subnet =
        call.ownWith(
            ResourceType.SUBNET_BLOCK_ASSOCIATION,
            id,
            region.subnets().present(),
            one -> one.ipv6Block().filter(b -> b.associationId().equals(id)).isPresent());
    Ec2Refusal.when(
        region.usesIpv6(subnet.id()),
        "InvalidCidrBlock.InUse",
        "The subnet %s currently has an address within CIDR block %s",
        subnet.id(),
        subnet.ipv6Block().orElseThrow().block());
    new Ec2Networks(region).removeIpv6Block(subnet);
    return change(subnet, "disassociating");
  }

  private static Answer change(Ec2Subnet subnet, String state) {
    return Answer.of("subnetId", subnet.id())
        .put("ipv6CidrBlockAssociation", subnet.ipv6Block().map(b -> association(b, state)));
  }

  private static Answer association(Ec2Subnet.Ipv6Association association, String state) {
    return Answer.of("associationId", association.associationId())
        .put("ipv6CidrBlock", association.block())
        .put("ipv6CidrBlockState", Answer.of("state", state));
  }

  private static Ec2Filters<Ec2Subnet> filters() {
    Ec2Filters<Ec2Subnet> filters =
        new Ec2Filters<Ec2Subnet>("DescribeSubnets")
            .by("subnet-id", Ec2Subnet::id)
            .by("vpc-id", Ec2Subnet::vpcId)
            .by("owner-id", Ec2Subnet::ownerId)
            .by("available-ip-address-count", Ec2Subnet::availableAddresses)
            .by("ipv6-cidr-block-association.ipv6-cidr-block", ofIpv6(b -> b.block()))
            .by("ipv6-cidr-block-association.association-id", ofIpv6(b -> b.associationId()))
            .by("ipv6-cidr-block-association.state", ofIpv6(b -> "associated"))
            .by("state", subnet -> "available");
    List.of("availability-zone", "availabilityZone")
        .forEach(name -> filters.by(name, subnet -> subnet.zone().name()));
    List.of("availability-zone-id", "availabilityZoneId")
        .forEach(name -> filters.by(name, subnet -> subnet.zone().id()));
    List.of("cidr-block", "cidr", "cidrBlock").forEach(name -> filters.by(name, Ec2Subnet::block));
    List.of("ipv6-native", "map-public-ip-on-launch", "enable-dns64")
        .forEach(name -> filters.by(name, subnet -> false));
    return filters.byTags(Ec2Subnet::tags);
  }

  private static Function<Ec2Subnet, Optional<Object>> ofIpv6(
      Function<Ec2Subnet.Ipv6Association, Object> reader) {
    return subnet -> subnet.ipv6Block().map(reader);
  }

  /** The subnets of a default VPC are the default of their zones. */
  private static Answer shown(Call call, Ec2Subnet subnet) {
    return Answer.of("subnetId", subnet.id())
        .put("subnetArn", Values.arn(call, subnet.ownerId(), "subnet", subnet.id()))
        .put("state", "available")
        .put("ownerId", subnet.ownerId())
        .put("vpcId", subnet.vpcId())
        .put("cidrBlock", subnet.block())
        .put(
            "ipv6CidrBlockAssociationSet",
            subnet.ipv6Block().map(b -> association(b, "associated")).stream().toList())
        .put("availableIpAddressCount", subnet.availableAddresses())
        .put("availabilityZone", subnet.zone().name())
        .put("availabilityZoneId", subnet.zone().id())
        .put(
            "defaultForAz",
            call.region().vpcs().find(subnet.vpcId()).filter(Ec2Vpc::isDefault).isPresent())
        .put("mapPublicIpOnLaunch", false)
        .put("assignIpv6AddressOnCreation", false)
        .put("ipv6Native", false)
        .put("enableDns64", false)
        .put("tagSet", TagRules.shown(subnet.tags()));
  }
}
