package io.tidemark.emulator.ec2.model;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.Ipv4Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** How VPCs and subnets come and go, with what EC2 makes and removes along with them. */
public record Ec2Networks(Region region) {
  /** The block of an account's default VPC ("Default VPC components", Amazon VPC User Guide). */
  private static final Cidr DEFAULT_BLOCK = Cidr.of(Ipv4Address.of(172, 31, 0, 0), 16);

  private static final int DEFAULT_SUBNET_LENGTH = 20;

  /** Gives a VPC an IPv6 block of Amazon's. */
  public Ec2Vpc addIpv6Block(Ec2Vpc vpc) {
    return addBlock(vpc, region.newIpv6Block());
  }

  /** Gives a VPC one block more, which is its last. */
  public Ec2Vpc addBlock(Ec2Vpc vpc, Cidr block) {
    List<Ec2Vpc.BlockAssociation> blocks = new ArrayList<>(vpc.blocks());
    blocks.add(
        new Ec2Vpc.BlockAssociation(region.newId(ResourceType.VPC_BLOCK_ASSOCIATION), block));
    return withBlocks(vpc, blocks);
  }

  /** Takes a block off a VPC. */
  public void removeBlock(Ec2Vpc vpc, Ec2Vpc.BlockAssociation ended) {
    withBlocks(vpc, vpc.blocks().stream().filter(block -> !block.equals(ended)).toList());
  }

  /** Every route table has a local route for each block ("Route tables", VPC User Guide). */
  private Ec2Vpc withBlocks(Ec2Vpc vpc, List<Ec2Vpc.BlockAssociation> blocks) {
    Ec2Vpc changed = vpc.withBlocks(blocks);
    region.vpcs().put(changed);
    List<Cidr> local = blocks.stream().map(Ec2Vpc.BlockAssociation::block).toList();
    region.routeTables().present().filter(t -> t.vpcId().equals(vpc.id())).toList().stream()
        .map(table -> table.withLocalBlocks(local))
        .forEach(region.routeTables()::put);
    return changed;
  }

  /** Keeps a part of a subnet from automatic assignment. */
  public void reserve(SubnetCidrReservation reservation) {
    region.reservations().put(reservation);
    region
        .addresses(reservation.subnetId())
        .reserve(reservation.block(), reservation.type().equals(SubnetCidrReservation.PREFIX));
  }

  public void unreserve(SubnetCidrReservation reservation) {
    region.reservations().remove(reservation.id());
    region.addresses(reservation.subnetId()).unreserve(reservation.block());
  }

  /** A VPC with its default security group and its main route table. */
  public Ec2Vpc createVpc(String account, Cidr block, boolean isDefault, Ec2Tags tags) {
    Ec2Vpc vpc =
        new Ec2Vpc(
            region.newId(ResourceType.VPC),
            account,
            List.of(
                new Ec2Vpc.BlockAssociation(
                    region.newId(ResourceType.VPC_BLOCK_ASSOCIATION), block)),
            isDefault,
            new TreeSet<>(),
            tags);
    region.vpcs().put(vpc);
    region
        .groups()
        .put(
            new Ec2SecurityGroup(
                region.newId(ResourceType.SECURITY_GROUP),
                account,
                vpc.id(),
                Ec2SecurityGroup.DEFAULT,
                "default VPC security group",
                Ec2Tags.NONE));
    region
        .routeTables()
        .put(
            new Ec2RouteTable(
                region.newId(ResourceType.ROUTE_TABLE),
                account,
                vpc.id(),
                List.of(
                    new Ec2RouteTable.Association(
                        region.newId(ResourceType.ROUTE_TABLE_ASSOCIATION), Optional.empty())),
                List.of(block),
                Ec2Tags.NONE));
    return vpc;
  }

  /** Removes an empty VPC with its default security group and its main route table. */
  public void deleteVpc(Ec2Vpc vpc) {
    removeAll(region.groups(), group -> group.vpcId().equals(vpc.id()));
    removeAll(region.routeTables(), table -> table.vpcId().equals(vpc.id()));
    region.vpcs().remove(vpc.id());
  }

  private static <T extends Resource> void removeAll(Table<T> table, Predicate<T> ended) {
    table.present().filter(ended).map(Resource::id).toList().forEach(table::remove);
  }

  /** Lets these accounts, and no others, see and use a subnet and see its VPC. */
  public void share(Ec2Subnet subnet, Set<String> accounts) {
    region.subnets().put(subnet.withParticipants(new TreeSet<>(accounts)));
    TreeSet<String> ofVpc = new TreeSet<>();
    region
        .subnets()
        .present()
        .filter(other -> other.vpcId().equals(subnet.vpcId()))
        .forEach(other -> ofVpc.addAll(other.participants()));
    region
        .vpcs()
        .find(subnet.vpcId())
        .ifPresent(vpc -> region.vpcs().put(vpc.withParticipants(ofVpc)));
  }

  /** A subnet with its books open. */
  public Ec2Subnet createSubnet(
      Ec2Vpc vpc, Zone zone, Cidr block, Optional<Cidr> ipv6Block, Ec2Tags tags) {
    Ec2Subnet subnet =
        new Ec2Subnet(
            region.newId(ResourceType.SUBNET),
            vpc.ownerId(),
            vpc.id(),
            zone,
            block,
            ipv6Block.map(this::association),
            0,
            new TreeSet<>(),
            tags);
    region.openBooks(subnet);
    Ec2Subnet counted = subnet.withAvailable(region.addresses(subnet.id()).available());
    region.subnets().put(counted);
    return counted;
  }

  /** Gives a subnet without an IPv6 block one. */
  public Ec2Subnet addIpv6Block(Ec2Subnet subnet, Cidr block) {
    Ec2Subnet changed = subnet.withIpv6Block(Optional.of(association(block)));
    region.openIpv6Books(changed);
    region.subnets().put(changed);
    return changed;
  }

  /** Takes the IPv6 block off a subnet that uses none of its addresses. */
  public void removeIpv6Block(Ec2Subnet subnet) {
    region.closeIpv6Books(subnet.id());
    region.subnets().put(subnet.withIpv6Block(Optional.empty()));
  }

  private Ec2Subnet.Ipv6Association association(Cidr block) {
    return new Ec2Subnet.Ipv6Association(
        region.newId(ResourceType.SUBNET_BLOCK_ASSOCIATION), block);
  }

  /** Removes a subnet that nothing uses, with its associations to route tables. */
  public void deleteSubnet(Ec2Subnet subnet) {
    region.routeTables().present().toList().stream()
        .filter(table -> table.associations().stream().anyMatch(a -> isOf(a, subnet)))
        .forEach(
            table ->
                region
                    .routeTables()
                    .put(
                        table.withAssociations(
                            table.associations().stream().filter(a -> !isOf(a, subnet)).toList())));
    removeAll(region.reservations(), kept -> kept.subnetId().equals(subnet.id()));
    region.closeBooks(subnet.id());
    region.subnets().remove(subnet.id());
  }

  /** The default VPC of the account; empty when it has none. */
  public Optional<Ec2Vpc> defaultVpc(String account) {
    return region
        .vpcs()
        .present()
        .filter(vpc -> vpc.isDefault() && vpc.ownerId().equals(account))
        .findFirst();
  }

  /** The group that interfaces get when none is named. */
  public Ec2SecurityGroup defaultGroup(String vpcId, String account) {
    return region
        .groups()
        .presentBy("vpc-id", vpcId)
        .filter(g -> g.isDefault() && g.ownerId().equals(account))
        .findFirst()
        .orElseThrow(() -> ResourceType.SECURITY_GROUP.notFound(Ec2SecurityGroup.DEFAULT));
  }

  /**
   * The networks that every account finds in a region: a default VPC with a /20 subnet in each
   * zone.
   */
  void createDefaults(String account) {
    Ec2Vpc vpc = createVpc(account, DEFAULT_BLOCK, true, Ec2Tags.NONE);
    for (int i = 0; i < Math.min(region.zones().size(), 16); i++) {
      Cidr block = DEFAULT_BLOCK.subnet(DEFAULT_SUBNET_LENGTH, i);
      createSubnet(vpc, region.zones().get(i), block, Optional.empty(), Ec2Tags.NONE);
    }
  }

  private static boolean isOf(Ec2RouteTable.Association association, Ec2Subnet subnet) {
    return association.subnetId().equals(Optional.of(subnet.id()));
  }
}
