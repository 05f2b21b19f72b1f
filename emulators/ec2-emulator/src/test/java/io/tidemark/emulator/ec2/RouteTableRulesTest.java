package io.tidemark.emulator.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.protocol.Answer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Route tables, permissions and what the region tells follow EC2's rules")
class RouteTableRulesTest {
  private static final String OTHER = "222222222222";

  @Test
  @DisplayName("The main table and one by choice, until it is given back (Subnet route tables)")
  void associations() {
    World world = new World();
    String vpc = world.vpc("10.0.0.0/24");
    String subnet = world.subnet(vpc, "10.0.0.0/24");
    Answer main = tables(world, "association.main", "true");
    assertThat(main.structures("associationSet").get(0).text("subnetId")).isEmpty();
    String association = associate(world, table(world, vpc), subnet);
    Answer chosen = tables(world, "association.subnet-id", subnet);
    assertThat(World.texts(chosen, "associationSet", "routeTableAssociationId"))
        .containsExactly(association);
    assertThat(World.texts(chosen, "routeSet", "destinationCidrBlock"))
        .containsExactly("10.0.0.0/24");
    world.call("DisassociateRouteTable", "AssociationId=" + association);
    assertThat(
            world
                .call(
                    "DescribeRouteTables",
                    "Filter.1.Name=association.subnet-id&Filter.1.Value.1=" + subnet)
                .structures("routeTableSet"))
        .isEmpty();
    associate(world, table(world, vpc), subnet);
    world.call("DeleteSubnet", "SubnetId=" + subnet);
    Books.check(world.region());
  }

  @Test
  @DisplayName("GetSecurityGroupsForVpc lists the groups of one VPC without rules")
  void groups() {
    World world = new World();
    String vpc = world.vpc("10.0.0.0/24");
    world.call("CreateSecurityGroup", "GroupName=p&GroupDescription=d&VpcId=" + vpc);
    Answer groups = world.call("GetSecurityGroupsForVpc", "VpcId=" + vpc, "MaxResults=5");
    assertThat(World.texts(groups, "securityGroupForVpcSet", "groupName"))
        .containsExactly("default", "p");
    assertThat(World.texts(groups, "securityGroupForVpcSet", "primaryVpcId")).containsOnly(vpc);
  }

  @Test
  @DisplayName("With a permission another account attaches the interface; without, it is unknown")
  void permission() {
    World world = new World();
    String shared = world.interfaceId(world.subnet("10.0.0.0/24"));
    world.as(OTHER);
    String instance = world.instance("m5.large", world.subnet("10.9.0.0/24"));
    String attach = World.place(shared, instance, 1);
    assertThat(world.refusal("AttachNetworkInterface", attach).code())
        .isEqualTo("InvalidNetworkInterfaceID.NotFound");
    String permission =
        World.text(
            world
                .as(World.ACCOUNT)
                .call(
                    "CreateNetworkInterfacePermission",
                    "NetworkInterfaceId=" + shared,
                    "AwsAccountId=" + OTHER,
                    "Permission=INSTANCE-ATTACH"),
            "interfacePermission.networkInterfacePermissionId");
    world.as(OTHER).call("AttachNetworkInterface", attach);
    Answer shown = world.shown(shared).orElseThrow();
    assertThat(shown.text("ownerId")).contains(World.ACCOUNT);
    assertThat(shown.nested("attachment").orElseThrow().text("instanceOwnerId")).contains(OTHER);
    assertThat(world.refusal("DeleteNetworkInterface", "NetworkInterfaceId=" + shared).code())
        .isEqualTo("UnauthorizedOperation");
    world.as(World.ACCOUNT);
    assertThat(
            world
                .refusal(
                    "DeleteNetworkInterfacePermission",
                    "NetworkInterfacePermissionId=" + permission)
                .code())
        .isEqualTo("OperationNotPermitted");
    world.call(
        "DeleteNetworkInterfacePermission",
        "NetworkInterfacePermissionId=" + permission,
        "Force=true");
    assertThat(world.as(OTHER).shown(shared)).isEmpty();
    Books.check(world.region());
  }

  @Test
  @DisplayName("Zones by name and id; one image that can be launched; attributes of an interface")
  void describing() {
    World world = new World();
    Answer zones = world.call("DescribeAvailabilityZones", "ZoneId.1=use1-az2");
    assertThat(World.texts(zones, "availabilityZoneInfo", "zoneName"))
        .containsExactly("us-east-1b");
    Answer images = world.call("DescribeImages", "Owner.1=amazon");
    assertThat(World.texts(images, "imagesSet", "imageId")).containsExactly(World.IMAGE);
    String id = world.interfaceId(world.subnet("10.0.0.0/24"), "Description=d");
    assertThat(
            attribute(world, id, "description").nested("description").orElseThrow().text("value"))
        .contains("d");
    assertThat(World.at(attribute(world, id, "sourceDestCheck"), "sourceDestCheck").text("value"))
        .contains("true");
    assertThat(attribute(world, id, "groupSet").structures("groupSet")).hasSize(1);
    assertThat(attribute(world, id, "attachment").nested("attachment")).isEmpty();
  }

  private static Answer attribute(World world, String id, String attribute) {
    return world.call(
        "DescribeNetworkInterfaceAttribute", "NetworkInterfaceId=" + id, "Attribute=" + attribute);
  }

  private static String table(World world, String vpc) {
    return World.text(world.call("CreateRouteTable", "VpcId=" + vpc), "routeTable.routeTableId");
  }

  private static String associate(World world, String table, String subnet) {
    return world
        .call("AssociateRouteTable", "RouteTableId=" + table, "SubnetId=" + subnet)
        .text("associationId")
        .orElseThrow();
  }

  private static Answer tables(World world, String filter, String value) {
    return World.at(
        world.call("DescribeRouteTables", "Filter.1.Name=" + filter, "Filter.1.Value.1=" + value),
        "routeTableSet.0");
  }
}
