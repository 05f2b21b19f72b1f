package io.tidemark.provider.aws.ec2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface.Attachment;
import io.tidemark.provider.aws.ec2.Ec2Failure.Ending;
import io.tidemark.provider.aws.ec2.Instance.State;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Every operation once from end to end; run over each way to reach the emulator. */
@SuppressWarnings("unchecked") // the builders of the SDK take generic varargs
abstract class SdkEc2ApiStories {
  private static final Optional<String> FIRST = Optional.empty();

  private Emulated world;
  private SdkEc2Api api;

  abstract Emulated open() throws Exception;

  @BeforeEach
  final void begin() throws Exception {
    world = open();
    api = world.api;
  }

  @AfterEach
  final void end() {
    world.close();
  }

  private InterfaceId made(int singles, int prefixes) throws Ec2Failure {
    return api.createNetworkInterface(world.request(singles, prefixes, 0, "t" + singles)).id();
  }

  @Test
  @DisplayName(
      "AWS-64 an interface is created, attached, marked, filled, emptied, detached and deleted")
  void life() throws Ec2Failure {
    InstanceId instance = world.instance("m5.large");
    AwsNetworkInterface made = api.createNetworkInterface(world.request(3, 0, 0, "token"));
    assertThat(made.primary()).isPresent();
    assertThat(made.singles().size()).isEqualTo(3);
    assertThat(made.tags()).isEqualTo(Map.of("owner", "test", "empty", ""));
    assertThat(made.description()).isEqualTo("made by a test");
    assertThat(made.securityGroups()).containsExactly(world.defaultGroup());
    assertThat(made.subnet()).isEqualTo(world.subnet);
    assertThat(made.vpcId()).isEqualTo(world.vpc);
    assertThat(made.attachment()).isEmpty();
    assertThat(made.unreadable()).isEmpty();
    assertThat(made.tracking()).isEqualTo(ConnectionTracking.DEFAULT);

    String attachmentId = api.attachNetworkInterface(made.id(), instance, 1);
    api.modifyDeleteOnTermination(made.id(), attachmentId, true);
    assertThat(world.one(made.id()).attachment())
        .contains(new Attachment(attachmentId, Optional.of(instance), 0, 1, true, "attached"));

    AttachedInterface added = api.assignPrivateIpAddresses(made.id(), 2);
    assertThat(added.singles().size()).isEqualTo(2);
    assertThat(added.blocks()).isEmpty();
    assertThat(world.one(made.id()).singles()).isEqualTo(made.singles().plus(added.singles()));
    api.unassignPrivateIpAddresses(made.id(), made.singles());
    assertThat(world.one(made.id()).singles()).isEqualTo(added.singles());

    AttachedInterface blocks = api.assignPrefixes(made.id(), 2);
    assertThat(blocks.singles()).isEqualTo(AddressSet.of());
    assertThat(blocks.blocks()).hasSize(2).allMatch(block -> block.prefixLength() == 28);
    AwsNetworkInterface full = world.one(made.id());
    assertThat(full.prefixes()).isEqualTo(blocks.blocks());
    assertThat(full.singles())
        .as("addresses of prefixes are no singles")
        .isEqualTo(added.singles());
    assertThat(full.addressesHeld()).isEqualTo(1 + 2 + 32);
    api.unassignPrefixes(made.id(), blocks.blocks().subList(0, 1));
    assertThat(world.one(made.id()).prefixes()).isEqualTo(blocks.blocks().subList(1, 2));

    assertThat(refusal(() -> api.deleteNetworkInterface(made.id())).code())
        .isEqualTo("InvalidParameterValue");
    api.detachNetworkInterface(attachmentId);
    assertThat(world.one(made.id()).status()).isEqualTo("available");
    api.deleteNetworkInterface(made.id());
    assertThat(ids(byId(made.id()))).isEmpty();
  }

  private static Ec2Failure refusal(ThrowingCallable call) {
    return catchThrowableOfType(Ec2Failure.class, call);
  }

  private static Ec2Filter byId(InterfaceId id) {
    return Ec2Filter.of("network-interface-id", Set.of(id.text()));
  }

  @Test
  @DisplayName("AWS-64 groups are a set; timeouts of idle connections are as asked for")
  void groups() throws Ec2Failure {
    String other =
        world
            .ec2
            .createSecurityGroup(r -> r.vpcId(world.vpc).groupName("other").description("other"))
            .groupId();
    ConnectionTracking tracking =
        new ConnectionTracking(OptionalInt.of(350), OptionalInt.empty(), OptionalInt.of(30));
    List<String> groups = List.of(other, world.defaultGroup());
    CreateInterfaceRequest usual = world.request(0, 0, 0, "t");
    AwsNetworkInterface made =
        api.createNetworkInterface(
            Copies.with(usual, Map.of("securityGroups", groups, "tracking", tracking)));
    assertThat(world.one(made.id()).tracking()).isEqualTo(tracking);
    assertThat(made.securityGroups()).isEqualTo(groups.stream().sorted().toList());
  }

  @Test
  @DisplayName("IPv6 blocks come with the interface or later, and go again")
  void ipv6() throws Ec2Failure {
    Cidr whole =
        Cidr.parse(
            world
                .ec2
                .describeVpcs(r -> r.vpcIds(world.vpc))
                .vpcs()
                .get(0)
                .ipv6CidrBlockAssociationSet()
                .get(0)
                .ipv6CidrBlock());
    Cidr block = whole.subnet(64, 1);
    PoolId dual =
        new PoolId(
            world
                .ec2
                .createSubnet(
                    r ->
                        r.vpcId(world.vpc).cidrBlock("10.0.9.0/24").ipv6CidrBlock(block.toString()))
                .subnet()
                .subnetId());
    Ec2Filter filter = Ec2Filter.of("subnet-id", Set.of(dual.text()));
    assertThat(api.describeSubnets(filter, FIRST).items().get(0).ipv6()).contains(block);
    AwsNetworkInterface made = api.createNetworkInterface(world.request(dual, 0, 0, 1, "v6"));
    assertThat(made.ipv6Prefixes()).hasSize(1);
    List<Cidr> added = api.assignIpv6Prefixes(made.id(), 1);
    assertThat(added).hasSize(1).allMatch(each -> each.prefixLength() == 80);
    AwsNetworkInterface read = world.one(made.id());
    assertThat(read.ipv6Prefixes()).containsExactly(made.ipv6Prefixes().get(0), added.get(0));
    assertThat(read.ipv6Address()).contains(made.ipv6Prefixes().get(0).last());
  }

  @Test
  @DisplayName(
      "Interfaces are found by VPC, instance, id, tags, and tags while attached to nothing")
  void queries() throws Ec2Failure {
    InstanceId instance = world.instance("m5.large");
    AwsNetworkInterface primary = world.primaryOf(instance);
    InterfaceId free = made(1, 0);
    InterfaceId attached = made(2, 0);
    api.attachNetworkInterface(attached, instance, 1);
    Map<String, String> tags = Map.of("owner", "test");
    assertThat(ids(Ec2Filter.of("vpc-id", Set.of(world.vpc))))
        .containsExactlyInAnyOrder(primary.id(), free, attached);
    assertThat(ids(Ec2Filter.of("vpc-id", Set.of("vpc-0")))).isEmpty();
    assertThat(ids(Ec2Filter.ofInstances("attachment.instance-id", Set.of(instance))))
        .containsExactlyInAnyOrder(primary.id(), attached);
    assertThat(ids(byId(free))).containsExactly(free);
    assertThat(ids(Ec2Filter.ofTags(tags))).containsExactlyInAnyOrder(free, attached);
    assertThat(ids(available(tags))).containsExactly(free);
    assertThat(ids(available(Map.of("owner", "other")))).isEmpty();
    assertThat(primary.attachment().orElseThrow().deviceIndex()).isZero();
    assertThat(primary.status()).isEqualTo("in-use");
    assertThat(primary.type()).isEqualTo("interface");
    assertThat(primary.mac()).contains(":");
    assertThat(primary.availabilityZone()).startsWith("us-east-1");
  }

  private static Ec2Filter available(Map<String, String> tags) {
    return Ec2Filter.ofTags(tags).and("status", Set.of("available"));
  }

  private List<InterfaceId> ids(Ec2Filter query) throws Ec2Failure {
    return world.read(query).stream().map(AwsNetworkInterface::id).toList();
  }

  private Ec2Filter inVpc() {
    return Ec2Filter.of("vpc-id", Set.of(world.vpc));
  }

  @Test
  @DisplayName("Subnets, VPCs, route tables and security groups are read")
  void infrastructure() throws Ec2Failure {
    world.ec2.createTags(
        r -> r.resources(world.subnet.text()).tags(t -> t.key("tier").value("pods")));
    AwsSubnet subnet =
        api.describeSubnets(inVpc().andTags(Map.of("tier", "pods")), FIRST).items().get(0);
    assertThat(subnet.id()).isEqualTo(world.subnet);
    assertThat(subnet.cidr()).hasToString("10.0.0.0/24");
    assertThat(subnet.usable()).isTrue();
    assertThat(subnet.availableAddresses()).isEqualTo(251);
    assertThat(subnet.availabilityZoneId()).isNotEmpty();
    assertThat(subnet.tags()).containsEntry("tier", "pods");
    assertThat(subnet.ipv6()).isEmpty();

    assertThat(
            api.describeVpcs(
                    Ec2Filter.of("vpc-id", Set.of(world.vpc, "vpc-00000000000000000")), FIRST)
                .items())
        .containsExactly(new Vpc(world.vpc, Optional.of(Cidr.parse("10.0.0.0/16")), List.of()));

    String table = world.ec2.createRouteTable(r -> r.vpcId(world.vpc)).routeTable().routeTableId();
    world.ec2.associateRouteTable(r -> r.routeTableId(table).subnetId(world.subnet.text()));
    List<RouteTable> tables = api.describeRouteTables(inVpc(), FIRST).items();
    assertThat(tables).hasSize(2);
    assertThat(tables).filteredOn(RouteTable::main).hasSize(1).allMatch(t -> t.subnets().isEmpty());
    assertThat(tables).contains(new RouteTable(table, world.vpc, false, Set.of(world.subnet)));

    String group = world.defaultGroup();
    assertThat(api.securityGroupsForVpc(world.vpc, FIRST).items())
        .containsExactly(new SecurityGroup(group, world.vpc, Map.of()));
    assertThat(api.describeSecurityGroups(inVpc(), FIRST).items())
        .containsExactly(new SecurityGroup(group, world.vpc, Map.of()));
  }

  @Test
  @DisplayName("Instances are found by id, of which some may be gone, and by tags")
  void instances() throws Ec2Failure {
    InstanceId instance = world.instance("m5.large");
    InstanceId gone = new InstanceId("i-0123456789abcdef0");
    Instance read =
        api.describeInstances(Ec2Filter.ofInstances("instance-id", Set.of(instance, gone)), FIRST)
            .items()
            .get(0);
    assertThat(read.id()).isEqualTo(instance);
    assertThat(read.state()).isEqualTo(State.RUNNING);
    world.ec2.createTags(
        r -> r.resources(instance.text()).tags(t -> t.key("aws-cluster").value("blue")));
    assertThat(
            api.describeInstances(Ec2Filter.ofTags(Map.of("aws-cluster", "blue")), FIRST).items())
        .extracting(Instance::id)
        .containsExactly(instance);
    assertThat(api.describeTag(instance, "aws-cluster")).contains("blue");
    assertThat(api.describeTag(instance, "other")).isEmpty();
    world.ec2.stopInstances(r -> r.instanceIds(instance.text()));
    assertThat(
            api.describeInstances(Ec2Filter.ofInstances("instance-id", Set.of(instance)), FIRST)
                .items()
                .get(0)
                .state())
        .isEqualTo(State.STOPPED);
  }

  @Test
  @DisplayName("AWS-78 p5.48xlarge has 2 interfaces of 50 on card 0, whatever its cards sum up to")
  void types() throws Ec2Failure {
    assertThat(
            api.describeInstanceTypes(
                    Ec2Filter.of("instance-type", Set.of("p5.48xlarge", "m5.large", "no.such")),
                    FIRST)
                .items())
        .containsExactlyInAnyOrder(
            new InstanceType("p5.48xlarge", 2, 64, 50, 50, "nitro", false),
            new InstanceType("m5.large", 3, 3, 10, 10, "nitro", false));
    assertThat(
            api.describeInstanceTypes(Ec2Filter.of("instance-type", Set.of("m5.metal")), FIRST)
                .items())
        .containsExactly(new InstanceType("m5.metal", 15, 15, 50, 50, "", true));
  }

  @Test
  @DisplayName("An elastic address is found by tags and given once")
  void elastic() throws Ec2Failure {
    InstanceId instance = world.instance("m5.large");
    AwsNetworkInterface primary = world.primaryOf(instance);
    String allocation = world.ec2.allocateAddress(r -> r.domain("vpc")).allocationId();
    world.ec2.createTags(r -> r.resources(allocation).tags(t -> t.key("pool").value("a")));
    ElasticAddress free = api.describeAddresses(Ec2Filter.ofTags(Map.of("pool", "a"))).get(0);
    assertThat(free.associated()).isFalse();
    IpAddress private0 = primary.primary().orElseThrow();
    api.associateAddress(allocation, primary.id(), private0);
    assertThat(api.describeAddresses(Ec2Filter.ofTags(Map.of("pool", "a"))).get(0).associated())
        .isTrue();
    assertThat(world.one(primary.id()).publicAddress()).contains(free.address());
    AwsNetworkInterface other = api.createNetworkInterface(world.request(0, 0, 0, "other"));
    Ec2Failure taken =
        refusal(() -> api.associateAddress(allocation, other.id(), other.primary().orElseThrow()));
    assertThat(taken.code()).isEqualTo("Resource.AlreadyAssociated");
  }

  @Test
  @DisplayName("Tags are added to an interface; another account is let in")
  void tagsAndPermission() throws Ec2Failure {
    InterfaceId id = made(0, 0);
    api.createTags(id, Map.of("owner", "other", "more", "x"));
    assertThat(world.one(id).tags()).isEqualTo(Map.of("owner", "other", "more", "x", "empty", ""));
    api.createNetworkInterfacePermission(id, "222222222222");
    Ec2Failure unknown =
        refusal(
            () -> api.createNetworkInterfacePermission(new InterfaceId("eni-0"), "222222222222"));
    assertThat(unknown.ending()).isEqualTo(Ending.REFUSED);
  }

  @Test
  @DisplayName("A refusal has EC2's code, text, status and request id")
  void refusal() {
    Ec2Failure failure =
        refusal(() -> api.deleteNetworkInterface(new InterfaceId("eni-0123456789abcdef0")));
    assertThat(failure.ending()).isEqualTo(Ending.REFUSED);
    assertThat(failure.code()).isEqualTo("InvalidNetworkInterfaceID.NotFound");
    assertThat(failure.text()).contains("eni-0123456789abcdef0");
    assertThat(failure.httpStatus()).isEqualTo(400);
    assertThat(failure.requestId()).isNotEmpty();
  }
}
