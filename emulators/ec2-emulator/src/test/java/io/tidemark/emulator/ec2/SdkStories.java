package io.tidemark.emulator.ec2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.AttachNetworkInterfaceResponse;
import software.amazon.awssdk.services.ec2.model.CreateSubnetResponse;
import software.amazon.awssdk.services.ec2.model.Ec2Exception;
import software.amazon.awssdk.services.ec2.model.Filter;
import software.amazon.awssdk.services.ec2.model.Instance;
import software.amazon.awssdk.services.ec2.model.InstanceStateName;
import software.amazon.awssdk.services.ec2.model.InstanceType;
import software.amazon.awssdk.services.ec2.model.NetworkInterface;
import software.amazon.awssdk.services.ec2.model.ResourceType;
import software.amazon.awssdk.services.ec2.model.Subnet;
import software.amazon.awssdk.services.ec2.model.Tag;
import software.amazon.awssdk.services.ec2.model.TagSpecification;
import software.amazon.awssdk.services.ec2.model.Vpc;

/** The requirements on the SDK, whatever the transport. */
abstract class SdkStories {
  abstract void with(Consumer<Ec2Client> story) throws Exception;

  @Test
  @DisplayName("VPCs: create, describe with tags, delete")
  void vpcs() throws Exception {
    with(
        ec2 -> {
          Vpc vpc =
              ec2.createVpc(
                      r -> r.cidrBlock("10.0.0.0/16").tagSpecifications(tags(ResourceType.VPC)))
                  .vpc();
          Vpc seen = ec2.describeVpcs(r -> r.vpcIds(vpc.vpcId())).vpcs().get(0);
          assertThat(seen.cidrBlockAssociationSet()).hasSize(1);
          assertThat(seen.cidrBlockAssociationSet().get(0).cidrBlockState().stateAsString())
              .isEqualTo("associated");
          assertThat(seen.tags()).containsExactly(tag("Name", "test"));
          assertThat(ec2.describeVpcs().vpcs()).extracting(Vpc::isDefault).contains(true, false);
          ec2.deleteVpc(r -> r.vpcId(vpc.vpcId()));
          assertThat(code(() -> ec2.describeVpcs(r -> r.vpcIds(vpc.vpcId()))))
              .isEqualTo("InvalidVpcID.NotFound");
        });
  }

  @Test
  @DisplayName("Instances: run, describe, stop, start, terminate")
  void instances() throws Exception {
    with(
        ec2 -> {
          Subnet subnet = subnet(ec2, "10.0.0.0/24");
          Instance pending = run(ec2, subnet);
          assertThat(pending.state().name()).isEqualTo(InstanceStateName.PENDING);
          assertThat(instance(ec2, pending).state().name()).isEqualTo(InstanceStateName.RUNNING);
          assertThat(instance(ec2, pending).networkInterfaces()).hasSize(1);
          assertThat(instance(ec2, pending).launchTime()).isNotNull();
          assertThat(
                  ec2.stopInstances(r -> r.instanceIds(pending.instanceId()))
                      .stoppingInstances()
                      .get(0)
                      .previousState()
                      .name())
              .isEqualTo(InstanceStateName.RUNNING);
          ec2.startInstances(r -> r.instanceIds(pending.instanceId()));
          ec2.terminateInstances(r -> r.instanceIds(pending.instanceId()));
          assertThat(instance(ec2, pending).state().name()).isEqualTo(InstanceStateName.TERMINATED);
          assertThat(instance(ec2, pending).networkInterfaces()).isEmpty();
        });
  }

  @Test
  @DisplayName("Interfaces: create, attach, modify, assign, unassign, detach, delete")
  void interfaces() throws Exception {
    with(
        ec2 -> {
          Subnet subnet = subnet(ec2, "10.0.0.0/24");
          Instance instance = run(ec2, subnet);
          NetworkInterface made =
              ec2.createNetworkInterface(
                      r ->
                          r.subnetId(subnet.subnetId())
                              .description("pods")
                              .ipv4PrefixCount(1)
                              .tagSpecifications(tags(ResourceType.NETWORK_INTERFACE)))
                  .networkInterface();
          String id = made.networkInterfaceId();
          assertThat(made.ipv4Prefixes().get(0).ipv4Prefix()).endsWith("/28");
          ec2.describeInstances();
          AttachNetworkInterfaceResponse attached =
              ec2.attachNetworkInterface(
                  r ->
                      r.networkInterfaceId(id)
                          .instanceId(instance.instanceId())
                          .deviceIndex(1)
                          .networkCardIndex(0));
          ec2.modifyNetworkInterfaceAttribute(
              r ->
                  r.networkInterfaceId(id)
                      .attachment(
                          a -> a.attachmentId(attached.attachmentId()).deleteOnTermination(true)));
          List<String> added =
              ec2
                  .assignPrivateIpAddresses(
                      r -> r.networkInterfaceId(id).secondaryPrivateIpAddressCount(2))
                  .assignedPrivateIpAddresses()
                  .stream()
                  .map(a -> a.privateIpAddress())
                  .toList();
          assertThat(added).hasSize(2);
          NetworkInterface seen = seen(ec2, instance, 1);
          assertThat(seen.attachment().deleteOnTermination()).isTrue();
          assertThat(seen.attachment().statusAsString()).isEqualTo("attached");
          assertThat(seen.attachment().attachTime()).isNotNull();
          assertThat(seen.privateIpAddresses()).hasSize(3);
          assertThat(seen.tagSet()).containsExactly(tag("Name", "test"));
          ec2.unassignPrivateIpAddresses(r -> r.networkInterfaceId(id).privateIpAddresses(added));
          ec2.detachNetworkInterface(r -> r.attachmentId(attached.attachmentId()));
          assertThat(
                  ec2.describeNetworkInterfaces(r -> r.networkInterfaceIds(id))
                      .networkInterfaces()
                      .get(0)
                      .statusAsString())
              .isEqualTo("available");
          ec2.deleteNetworkInterface(r -> r.networkInterfaceId(id));
          assertThat(code(() -> ec2.deleteNetworkInterface(r -> r.networkInterfaceId(id))))
              .isEqualTo("InvalidNetworkInterfaceID.NotFound");
        });
  }

  @Test
  @DisplayName("Listings: the SDK's paginator walks through all pages")
  void pages() throws Exception {
    with(
        ec2 -> {
          Subnet subnet = subnet(ec2, "10.0.0.0/24");
          for (int i = 0; i < 23; i++) {
            ec2.createNetworkInterface(r -> r.subnetId(subnet.subnetId()));
          }
          assertThat(
                  ec2.describeNetworkInterfacesPaginator(r -> r.maxResults(5)).stream()
                      .map(page -> page.networkInterfaces().size()))
              .containsExactly(5, 5, 5, 5, 3);
        });
  }

  @Test
  @DisplayName("IPv6: a dual-stack subnet, addresses and prefixes; CIDR reservations")
  void ipv6() throws Exception {
    with(
        ec2 -> {
          Vpc vpc =
              ec2.createVpc(r -> r.cidrBlock("10.0.0.0/24").amazonProvidedIpv6CidrBlock(true))
                  .vpc();
          String block = vpc.ipv6CidrBlockAssociationSet().get(0).ipv6CidrBlock();
          Subnet subnet =
              ec2.createSubnet(
                      r ->
                          r.vpcId(vpc.vpcId())
                              .cidrBlock("10.0.0.0/24")
                              .ipv6CidrBlock(block.replace("/56", "/64")))
                  .subnet();
          assertThat(subnet.ipv6CidrBlockAssociationSet()).hasSize(1);
          NetworkInterface made =
              ec2.createNetworkInterface(r -> r.subnetId(subnet.subnetId()).ipv6PrefixCount(1))
                  .networkInterface();
          assertThat(made.ipv6Prefixes()).hasSize(1);
          List<String> added =
              ec2.assignIpv6Addresses(
                      r -> r.networkInterfaceId(made.networkInterfaceId()).ipv6AddressCount(2))
                  .assignedIpv6Addresses();
          assertThat(
                  ec2.unassignIpv6Addresses(
                          r -> r.networkInterfaceId(made.networkInterfaceId()).ipv6Addresses(added))
                      .unassignedIpv6Addresses())
              .isEqualTo(added);
          String reservation =
              ec2.createSubnetCidrReservation(
                      r ->
                          r.subnetId(subnet.subnetId())
                              .cidr("10.0.0.128/25")
                              .reservationType("prefix"))
                  .subnetCidrReservation()
                  .subnetCidrReservationId();
          assertThat(
                  ec2.getSubnetCidrReservations(r -> r.subnetId(subnet.subnetId()))
                      .subnetIpv4CidrReservations())
              .hasSize(1);
          assertThat(
                  ec2.deleteSubnetCidrReservation(r -> r.subnetCidrReservationId(reservation))
                      .deletedSubnetCidrReservation()
                      .cidr())
              .isEqualTo("10.0.0.128/25");
        });
  }

  @Test
  @DisplayName("A refusal carries code, text, status and request id")
  void refusal() throws Exception {
    with(
        ec2 -> {
          Ec2Exception refused =
              catchThrowableOfType(
                  Ec2Exception.class, () -> ec2.deleteVpc(r -> r.vpcId("vpc-0123456789abcdef0")));
          assertThat(refused.awsErrorDetails().errorCode()).isEqualTo("InvalidVpcID.NotFound");
          assertThat(refused.awsErrorDetails().errorMessage())
              .isEqualTo("The vpc ID 'vpc-0123456789abcdef0' does not exist");
          assertThat(refused.statusCode()).isEqualTo(400);
          assertThat(refused.requestId()).hasSize(36);
          assertThat(code(() -> ec2.describeVpcs(r -> r.dryRun(true))))
              .isEqualTo("DryRunOperation");
        });
  }

  static Subnet subnet(Ec2Client ec2, String block) {
    String vpc = ec2.createVpc(r -> r.cidrBlock(block)).vpc().vpcId();
    CreateSubnetResponse made =
        ec2.createSubnet(
            r -> r.vpcId(vpc).cidrBlock(block).tagSpecifications(tags(ResourceType.SUBNET)));
    return made.subnet();
  }

  static Instance run(Ec2Client ec2, Subnet subnet) {
    return ec2.runInstances(
            r ->
                r.imageId(World.IMAGE)
                    .instanceType(InstanceType.M5_LARGE)
                    .minCount(1)
                    .maxCount(1)
                    .subnetId(subnet.subnetId()))
        .instances()
        .get(0);
  }

  private static Instance instance(Ec2Client ec2, Instance instance) {
    return ec2.describeInstances(r -> r.instanceIds(instance.instanceId()))
        .reservations()
        .get(0)
        .instances()
        .get(0);
  }

  private static NetworkInterface seen(Ec2Client ec2, Instance instance, int device) {
    return ec2.describeNetworkInterfaces(
            r ->
                r.filters(
                    filter("attachment.instance-id", instance.instanceId()),
                    filter("attachment.device-index", Integer.toString(device))))
        .networkInterfaces()
        .get(0);
  }

  static String code(Runnable call) {
    return catchThrowableOfType(Ec2Exception.class, call::run).awsErrorDetails().errorCode();
  }

  static Filter filter(String name, String... values) {
    return Filter.builder().name(name).values(values).build();
  }

  private static TagSpecification tags(ResourceType type) {
    return TagSpecification.builder().resourceType(type).tags(tag("Name", "test")).build();
  }

  private static Tag tag(String key, String value) {
    return Tag.builder().key(key).value(value).build();
  }
}
