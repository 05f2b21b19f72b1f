package io.tidemark.it.localstack;

import static io.tidemark.it.localstack.SdkValues.addresses;
import static io.tidemark.it.localstack.SdkValues.code;
import static io.tidemark.it.localstack.SdkValues.filter;
import static io.tidemark.it.localstack.SdkValues.tag;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.AvailabilityZone;
import software.amazon.awssdk.services.ec2.model.GroupIdentifier;
import software.amazon.awssdk.services.ec2.model.Instance;
import software.amazon.awssdk.services.ec2.model.InstanceTypeInfo;
import software.amazon.awssdk.services.ec2.model.NetworkInterface;
import software.amazon.awssdk.services.ec2.model.NetworkInterfacePrivateIpAddress;
import software.amazon.awssdk.services.ec2.model.ResourceType;
import software.amazon.awssdk.services.ec2.model.RouteTable;
import software.amazon.awssdk.services.ec2.model.RouteTableAssociation;
import software.amazon.awssdk.services.ec2.model.SecurityGroup;
import software.amazon.awssdk.services.ec2.model.Subnet;
import software.amazon.awssdk.services.ec2.model.TagDescription;
import software.amazon.awssdk.services.ec2.model.TagSpecification;
import software.amazon.awssdk.services.ec2.model.Vpc;

/**
 * The answers that every server that calls itself EC2 must give, and LocalStack gives: a round of
 * the actions whose answers agree with AWS's documentation there. A subclass names the server.
 */
abstract class CommonGround {
  private static final String IMAGE = "ami-0123456789abcdef0";

  private Ec2Client ec2;
  private String vpc;
  private String subnet;

  /** A client of an account that no other test uses; it is closed here. */
  abstract Ec2Client connect();

  /** Ends the server, if it is this test's alone. */
  abstract void disconnect();

  @BeforeEach
  void build() {
    ec2 = connect();
    vpc = ec2.createVpc(r -> r.cidrBlock("10.20.0.0/16")).vpc().vpcId();
    subnet = ec2.createSubnet(r -> r.vpcId(vpc).cidrBlock("10.20.1.0/24")).subnet().subnetId();
  }

  @AfterEach
  void takeDown() {
    try {
      interfaces("vpc-id", vpc)
          .forEach(
              left ->
                  ec2.deleteNetworkInterface(r -> r.networkInterfaceId(left.networkInterfaceId())));
      ec2.deleteSubnet(r -> r.subnetId(subnet));
      ec2.deleteVpc(r -> r.vpcId(vpc));
    } finally {
      ec2.close();
      disconnect();
    }
  }

  @Test
  @DisplayName("VPCs and subnets are found by id, by filter and by tag")
  void networks() {
    ec2.createTags(r -> r.resources(vpc, subnet).tags(tag("cluster", "blue")));
    assertThat(ec2.describeVpcs(r -> r.filters(filter("tag:cluster", "blue"))).vpcs())
        .extracting(Vpc::vpcId)
        .containsExactly(vpc);
    assertThat(ec2.describeSubnets(r -> r.filters(filter("vpc-id", vpc))).subnets())
        .extracting(Subnet::subnetId)
        .containsExactly(subnet);
    Subnet seen = ec2.describeSubnets(r -> r.subnetIds(subnet)).subnets().get(0);
    assertThat(seen.cidrBlock()).isEqualTo("10.20.1.0/24");
    assertThat(seen.availableIpAddressCount()).isEqualTo(251);
    assertThat(seen.tags()).containsExactly(tag("cluster", "blue"));
    assertThat(ec2.describeTags(r -> r.filters(filter("resource-id", subnet))).tags())
        .extracting(TagDescription::key)
        .containsExactly("cluster");
    ec2.deleteTags(r -> r.resources(subnet).tags(tag("cluster", "blue")));
    assertThat(ec2.describeSubnets(r -> r.subnetIds(subnet)).subnets().get(0).tags()).isEmpty();
  }

  @Test
  @DisplayName("Security groups are made, given to interfaces, changed and deleted")
  void securityGroups() {
    String pods = group("pods");
    String nodes = group("nodes");
    assertThat(ec2.describeSecurityGroups(r -> r.groupIds(pods)).securityGroups())
        .extracting(SecurityGroup::groupName)
        .containsExactly("pods");
    NetworkInterface made =
        ec2.createNetworkInterface(r -> r.subnetId(subnet).groups(pods)).networkInterface();
    assertThat(made.groups()).extracting(GroupIdentifier::groupId).containsExactly(pods);
    ec2.modifyNetworkInterfaceAttribute(
        r -> r.networkInterfaceId(made.networkInterfaceId()).groups(nodes));
    assertThat(interfaces("group-id", nodes)).hasSize(1);
    assertThat(interfaces("group-id", pods)).isEmpty();
    ec2.deleteNetworkInterface(r -> r.networkInterfaceId(made.networkInterfaceId()));
    ec2.deleteSecurityGroup(r -> r.groupId(pods));
    ec2.deleteSecurityGroup(r -> r.groupId(nodes));
    assertThat(code(() -> ec2.describeSecurityGroups(r -> r.groupIds(pods))))
        .isEqualTo("InvalidGroup.NotFound");
  }

  @Test
  @DisplayName("An interface has its addresses, its tags and its description until it is deleted")
  void interfaceLife() {
    TagSpecification tags =
        TagSpecification.builder()
            .resourceType(ResourceType.NETWORK_INTERFACE)
            .tags(tag("owner", "blue"))
            .build();
    String id =
        ec2.createNetworkInterface(
                r ->
                    r.subnetId(subnet)
                        .description("of a round")
                        .secondaryPrivateIpAddressCount(3)
                        .tagSpecifications(tags))
            .networkInterface()
            .networkInterfaceId();
    assertThat(interfaces("subnet-id", subnet)).hasSize(1);
    NetworkInterface seen = interfaces("tag:owner", "blue").get(0);
    assertThat(seen.networkInterfaceId()).isEqualTo(id);
    assertThat(seen.description()).isEqualTo("of a round");
    assertThat(seen.statusAsString()).isEqualTo("available");
    assertThat(seen.vpcId()).isEqualTo(vpc);
    assertThat(seen.tagSet()).containsExactly(tag("owner", "blue"));
    assertThat(addresses(seen)).hasSize(4).allMatch(address -> address.startsWith("10.20.1."));
    assertThat(seen.privateIpAddresses())
        .filteredOn(NetworkInterfacePrivateIpAddress::primary)
        .extracting(NetworkInterfacePrivateIpAddress::privateIpAddress)
        .containsExactly(seen.privateIpAddress());
    ec2.deleteNetworkInterface(r -> r.networkInterfaceId(id));
    assertThat(interfaces("subnet-id", subnet)).isEmpty();
    assertThat(code(() -> ec2.deleteNetworkInterface(r -> r.networkInterfaceId(id))))
        .isEqualTo("InvalidNetworkInterfaceID.NotFound");
  }

  @Test
  @DisplayName("Addresses are assigned and taken back, and the subnet counts them")
  void addressesCounted() {
    // Named ones: of two that it chooses, LocalStack may choose the same twice.
    String id =
        ec2.createNetworkInterface(r -> r.subnetId(subnet).privateIpAddress("10.20.1.10"))
            .networkInterface()
            .networkInterfaceId();
    assertThat(available()).isEqualTo(250);
    ec2.assignPrivateIpAddresses(
        r -> r.networkInterfaceId(id).privateIpAddresses("10.20.1.20", "10.20.1.21"));
    assertThat(addresses(interfaces("network-interface-id", id).get(0)))
        .containsExactly("10.20.1.10", "10.20.1.20", "10.20.1.21");
    assertThat(available()).isEqualTo(248);
    ec2.unassignPrivateIpAddresses(r -> r.networkInterfaceId(id).privateIpAddresses("10.20.1.21"));
    assertThat(addresses(interfaces("network-interface-id", id).get(0)))
        .containsExactly("10.20.1.10", "10.20.1.20");
    assertThat(available()).isEqualTo(249);
  }

  @Test
  @DisplayName("An interface is attached to an instance, found by it, and detached")
  void attachment() {
    Instance instance =
        ec2.runInstances(
                r ->
                    r.imageId(IMAGE)
                        .instanceType("m5.large")
                        .minCount(1)
                        .maxCount(1)
                        .subnetId(subnet))
            .instances()
            .get(0);
    String id =
        ec2.createNetworkInterface(r -> r.subnetId(subnet)).networkInterface().networkInterfaceId();
    String attachmentId =
        ec2.attachNetworkInterface(
                r -> r.networkInterfaceId(id).instanceId(instance.instanceId()).deviceIndex(1))
            .attachmentId();
    List<NetworkInterface> attached = interfaces("attachment.instance-id", instance.instanceId());
    assertThat(attached).hasSize(2);
    NetworkInterface second = interfaces("network-interface-id", id).get(0);
    assertThat(second.statusAsString()).isEqualTo("in-use");
    assertThat(second.attachment().attachmentId()).isEqualTo(attachmentId);
    assertThat(second.attachment().deviceIndex()).isEqualTo(1);
    assertThat(
            ec2.describeInstances(r -> r.instanceIds(instance.instanceId()))
                .reservations()
                .get(0)
                .instances()
                .get(0)
                .networkInterfaces())
        .hasSize(2);
    ec2.detachNetworkInterface(r -> r.attachmentId(attachmentId));
    assertThat(interfaces("network-interface-id", id).get(0).statusAsString())
        .isEqualTo("available");
    ec2.terminateInstances(r -> r.instanceIds(instance.instanceId()));
  }

  @Test
  @DisplayName("A subnet uses the main route table until another is associated")
  void routeTables() {
    assertThat(routeTables("association.main", "true")).hasSize(1);
    assertThat(routeTables("association.subnet-id", subnet)).isEmpty();
    String made = ec2.createRouteTable(r -> r.vpcId(vpc)).routeTable().routeTableId();
    String association =
        ec2.associateRouteTable(r -> r.routeTableId(made).subnetId(subnet)).associationId();
    RouteTable seen = routeTables("association.subnet-id", subnet).get(0);
    assertThat(seen.routeTableId()).isEqualTo(made);
    assertThat(seen.associations())
        .extracting(RouteTableAssociation::routeTableAssociationId)
        .containsExactly(association);
    assertThat(seen.associations().get(0).main()).isFalse();
    ec2.disassociateRouteTable(r -> r.associationId(association));
    assertThat(routeTables("association.subnet-id", subnet)).isEmpty();
    ec2.deleteRouteTable(r -> r.routeTableId(made));
    assertThat(code(() -> ec2.describeRouteTables(r -> r.routeTableIds(made))))
        .isEqualTo("InvalidRouteTableID.NotFound");
  }

  @Test
  @DisplayName("A subnet lies in one of the region's zones")
  void zones() {
    List<AvailabilityZone> zones = ec2.describeAvailabilityZones().availabilityZones();
    assertThat(zones)
        .extracting(AvailabilityZone::zoneName)
        .contains("us-east-1a", "us-east-1b", "us-east-1c");
    Subnet seen = ec2.describeSubnets(r -> r.subnetIds(subnet)).subnets().get(0);
    assertThat(zones)
        .filteredOn(zone -> zone.zoneName().equals(seen.availabilityZone()))
        .extracting(AvailabilityZone::zoneId)
        .containsExactly(seen.availabilityZoneId());
  }

  @Test
  @DisplayName("The limits of an instance type are told")
  void instanceTypes() {
    InstanceTypeInfo type =
        ec2.describeInstanceTypes(r -> r.instanceTypesWithStrings("p5.48xlarge"))
            .instanceTypes()
            .get(0);
    assertThat(type.networkInfo().maximumNetworkInterfaces()).isEqualTo(64);
    assertThat(type.networkInfo().networkCards()).hasSize(32);
    assertThat(type.networkInfo().networkCards().get(0).maximumNetworkInterfaces()).isEqualTo(2);
    assertThat(type.networkInfo().ipv4AddressesPerInterface()).isEqualTo(50);
    assertThat(type.networkInfo().ipv6AddressesPerInterface()).isEqualTo(50);
    assertThat(type.hypervisorAsString()).isEqualTo("nitro");
    assertThat(type.bareMetal()).isFalse();
  }

  @Test
  @DisplayName("What does not exist is refused by its code, and a dry run does nothing")
  void refusals() {
    assertThat(code(() -> ec2.describeVpcs(r -> r.vpcIds("vpc-00000000000000000"))))
        .isEqualTo("InvalidVpcID.NotFound");
    assertThat(code(() -> ec2.createNetworkInterface(r -> r.subnetId("subnet-00000000000000000"))))
        .isEqualTo("InvalidSubnetID.NotFound");
    assertThat(code(() -> ec2.describeInstances(r -> r.instanceIds("i-00000000000000000"))))
        .isEqualTo("InvalidInstanceID.NotFound");
    assertThat(
            code(
                () ->
                    ec2.detachNetworkInterface(
                        r -> r.attachmentId("eni-attach-00000000000000000"))))
        .isEqualTo("InvalidAttachmentID.NotFound");
    assertThat(code(() -> ec2.createNetworkInterface(r -> r.subnetId(subnet).dryRun(true))))
        .isEqualTo("DryRunOperation");
    assertThat(interfaces("subnet-id", subnet)).isEmpty();
  }

  private String group(String name) {
    return ec2.createSecurityGroup(r -> r.groupName(name).description(name).vpcId(vpc)).groupId();
  }

  private List<NetworkInterface> interfaces(String name, String value) {
    return ec2.describeNetworkInterfaces(r -> r.filters(filter(name, value))).networkInterfaces();
  }

  private List<RouteTable> routeTables(String name, String value) {
    return ec2.describeRouteTables(r -> r.filters(filter("vpc-id", vpc), filter(name, value)))
        .routeTables();
  }

  private int available() {
    return ec2.describeSubnets(r -> r.subnetIds(subnet)).subnets().get(0).availableIpAddressCount();
  }
}
