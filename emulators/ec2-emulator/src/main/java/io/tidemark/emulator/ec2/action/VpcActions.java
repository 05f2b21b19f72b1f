package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Ec2Networks;
import io.tidemark.emulator.ec2.model.Ec2Tags;
import io.tidemark.emulator.ec2.model.Ec2Vpc;
import io.tidemark.emulator.ec2.model.Quota;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** VPCs and their blocks. */
final class VpcActions {
  static final List<Action> ALL =
      List.of(
          DeclaredAction.withoutDryRun(
              "AssociateVpcCidrBlock",
              "VpcId! CidrBlock AmazonProvidedIpv6CidrBlock:flag -Ipv6CidrBlockNetworkBorderGroup"
                  + " -Ipv6Pool -Ipv6CidrBlock -Ipv4IpamPoolId -Ipv4NetmaskLength -Ipv6IpamPoolId"
                  + " -Ipv6NetmaskLength",
              VpcActions::associate),
          DeclaredAction.of(
              "CreateVpc",
              "CidrBlock AmazonProvidedIpv6CidrBlock:flag -Ipv6Pool -Ipv6CidrBlock -Ipv4IpamPoolId"
                  + " -Ipv4NetmaskLength -Ipv6IpamPoolId -Ipv6NetmaskLength"
                  + " -Ipv6CidrBlockNetworkBorderGroup -VpcEncryptionControl ~InstanceTenancy"
                  + DeclaredAction.TAGS,
              VpcActions::create),
          DeclaredAction.doing("DeleteVpc", "VpcId!", VpcActions::delete),
          Listing.action(
              "DescribeVpcs",
              "VpcId",
              1000,
              Region::vpcs,
              filters(),
              "vpcSet",
              (call, vpc) -> shown(vpc, "available")),
          DeclaredAction.withoutDryRun(
              "DisassociateVpcCidrBlock", "AssociationId!", VpcActions::disassociate));

  /** Private ranges that a VPC can have more of only when its primary block lies in them. */
  private static final List<Cidr> RESTRICTED =
      Stream.of("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "198.19.0.0/16")
          .map(Cidr::parse)
          .toList();

  private VpcActions() {}

  /** Makes a VPC with its default security group and its main route table. */
  private static Answer create(Call call) {
    Region region = call.region();
    Cidr block = block(call);
    Ec2Refusal.when(
        region.vpcs().countOf(call.account()) >= region.quota(Quota.VPCS),
        "VpcLimitExceeded",
        "The maximum number of VPCs has been reached.");
    Ec2Tags tags = TagRules.ofNew(call, ResourceType.VPC);
    Ec2Vpc vpc = new Ec2Networks(region).createVpc(call.account(), block, false, tags);
    if (call.parameters().isSet("AmazonProvidedIpv6CidrBlock")) {
      vpc = new Ec2Networks(region).addIpv6Block(vpc);
    }
    return Answer.of("vpc", shown(vpc, "pending"));
  }

  private static Cidr block(Call call) {
    Cidr block = Values.block(call.parameters().need("CidrBlock"), "cidrBlock");
    Ec2Refusal.when(
        !Values.isAllowed(block), "InvalidVpc.Range", "The CIDR '%s' is invalid.", block);
    return block;
  }

  /** Removes a VPC that holds nothing but its default security group and its main route table. */
  private static void delete(Call call) {
    Region region = call.region();
    Ec2Vpc vpc = call.own(region.vpcs(), "VpcId");
    Ec2Refusal.when(
        region.subnets().presentBy("vpc-id", vpc.id()).findAny().isPresent()
            || region.groups().presentBy("vpc-id", vpc.id()).anyMatch(group -> !group.isDefault())
            || region
                .routeTables()
                .present()
                .anyMatch(table -> table.vpcId().equals(vpc.id()) && !table.isMain()),
        "DependencyViolation",
        "The vpc '%s' has dependencies and cannot be deleted.",
        vpc.id());
    new Ec2Networks(region).deleteVpc(vpc);
  }

  /** Gives a VPC one IPv4 or IPv6 block more ("VPC CIDR blocks", Amazon VPC User Guide). */
  private static Answer associate(Call call) {
    Region region = call.region();
    Ec2Vpc vpc = call.own(region.vpcs(), "VpcId");
    boolean ipv6 = call.parameters().isSet("AmazonProvidedIpv6CidrBlock");
    if (ipv6 == call.parameters().has("CidrBlock")) {
      throw ipv6
          ? AddressRequests.both("cidrBlock", "amazonProvidedIpv6CidrBlock")
          : ParameterShape.missing("cidrBlock");
    }
    int most = region.quota(Quota.BLOCKS_PER_VPC);
    Ec2Refusal.when(
        vpc.blocks(ipv6 ? IpFamily.IPV6 : IpFamily.IPV4).count() >= most,
        "CidrLimitExceeded",
        "This network '%s' has met its maximum number of allowed CIDRs: %d",
        vpc.id(),
        most);
    Ec2Networks networks = new Ec2Networks(region);
    Ec2Vpc changed =
        ipv6 ? networks.addIpv6Block(vpc) : networks.addBlock(vpc, anotherBlock(call, vpc));
    return change(vpc, changed.blocks().get(changed.blocks().size() - 1), "associating");
  }

  private static Cidr anotherBlock(Call call, Ec2Vpc vpc) {
    Cidr block = block(call);
    Ec2Refusal.when(
        vpc.blocks().stream().anyMatch(other -> other.block().overlaps(block)),
        "InvalidVpc.Range",
        "The CIDR '%s' overlaps with one that the VPC '%s' has.",
        block,
        vpc.id());
    Ec2Refusal.when(
        RESTRICTED.stream()
            .anyMatch(range -> range.overlaps(block) && !range.contains(vpc.primaryBlock())),
        "InvalidVpc.Range",
        "The CIDR '%s' is restricted. Use a CIDR from the same private address range as the current"
            + " VPC CIDR, or use a publicly-routable CIDR.",
        block);
    return block;
  }

  /** Takes a block off a VPC in which no subnet is; the first block stays for life. */
  private static Answer disassociate(Call call) {
    Region region = call.region();
    String id = call.parameters().need("AssociationId");
    Ec2Vpc vpc =
        call.ownWith(
            ResourceType.VPC_BLOCK_ASSOCIATION,
            id,
            region.vpcs().present(),
            one -> one.blocks().stream().anyMatch(b -> b.associationId().equals(id)));
    Ec2Vpc.BlockAssociation ended =
        vpc.blocks().stream().filter(b -> b.associationId().equals(id)).findFirst().orElseThrow();
    Ec2Refusal.when(
        ended.equals(vpc.blocks().get(0)),
        "OperationNotPermitted",
        "The vpc CIDR block with association ID %s may not be disassociated. It is the primary IPv4"
            + " CIDR block of the VPC",
        id);
    Cidr block = ended.block();
    Ec2Refusal.when(
        region
            .subnets()
            .presentBy("vpc-id", vpc.id())
            .anyMatch(
                subnet ->
                    block.contains(subnet.block())
                        || subnet.ipv6Block().filter(b -> block.contains(b.block())).isPresent()),
        "InvalidCidrBlock.InUse",
        "The vpc %s currently has a subnet within CIDR block %s",
        vpc.id(),
        block);
    new Ec2Networks(region).removeBlock(vpc, ended);
    return change(vpc, ended, "disassociating");
  }

  private static Answer change(Ec2Vpc vpc, Ec2Vpc.BlockAssociation association, String state) {
    return Answer.of("vpcId", vpc.id())
        .put(name(association.block().family()) + "Association", association(association, state));
  }

  private static String name(IpFamily family) {
    return family == IpFamily.IPV6 ? "ipv6CidrBlock" : "cidrBlock";
  }

  private static Answer association(Ec2Vpc.BlockAssociation association, String state) {
    String name = name(association.block().family());
    return Answer.of("associationId", association.associationId())
        .put(name, association.block())
        .put(name + "State", Answer.of("state", state));
  }

  private static Ec2Filters<Ec2Vpc> filters() {
    Ec2Filters<Ec2Vpc> filters =
        new Ec2Filters<Ec2Vpc>("DescribeVpcs")
            .by("vpc-id", Ec2Vpc::id)
            .by("owner-id", Ec2Vpc::ownerId)
            .by("cidr", Ec2Vpc::primaryBlock)
            .by("is-default", Ec2Vpc::isDefault)
            .by("state", vpc -> "available")
            .byTags(Ec2Vpc::tags);
    Map.of(IpFamily.IPV4, "cidr-block", IpFamily.IPV6, "ipv6-cidr-block")
        .forEach(
            (family, name) ->
                filters
                    .by(name + "-association." + name, v -> v.blocks(family).map(b -> b.block()))
                    .by(
                        name + "-association.association-id",
                        v -> v.blocks(family).map(b -> b.associationId()))
                    .by(name + "-association.state", v -> v.blocks(family).map(b -> "associated")));
    return filters;
  }

  private static Answer shown(Ec2Vpc vpc, String state) {
    List<Ec2Vpc.BlockAssociation> ipv6 = vpc.blocks(IpFamily.IPV6).toList();
    return Answer.of("vpcId", vpc.id())
        .put("ownerId", vpc.ownerId())
        .put("state", state)
        .put("cidrBlock", vpc.primaryBlock())
        .items(
            "cidrBlockAssociationSet",
            vpc.blocks(IpFamily.IPV4).toList(),
            block -> association(block, "associated"))
        .put(
            "ipv6CidrBlockAssociationSet",
            Optional.of(ipv6.stream().map(block -> association(block, "associated")).toList())
                .filter(all -> !all.isEmpty()))
        .put("dhcpOptionsId", "dopt-00000000000000001")
        .put("instanceTenancy", "default")
        .put("isDefault", vpc.isDefault())
        .put("tagSet", TagRules.shown(vpc.tags()));
  }
}
