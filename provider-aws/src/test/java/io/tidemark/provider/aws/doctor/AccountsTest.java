package io.tidemark.provider.aws.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.aws.doctor.Asked.Account;
import io.tidemark.provider.aws.ec2.ConnectionTracking;
import io.tidemark.provider.aws.ec2.CreateInterfaceRequest;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.aws.ec2.EditedEc2;
import io.tidemark.provider.aws.ec2.EmulatedDoors;
import io.tidemark.provider.aws.ec2.InterfaceQuery;
import io.tidemark.provider.aws.ec2.SubnetFilter;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("With two accounts each permission is asked of those that requests go to (7.2)")
class AccountsTest {
  private static final Optional<String> FIRST = Optional.empty();
  private static final InterfaceId ENI = new InterfaceId("eni-1");
  private static final InstanceId INSTANCE = new InstanceId("i-1");
  private static final Set<String> VPC = Set.of("vpc-1");
  private static final Map<String, String> TAGS = Map.of("a", "b");

  private final Set<Account> asked = EnumSet.noneOf(Account.class);
  private final Ec2Api api =
      EmulatedDoors.split(refusing(Account.NETWORK), refusing(Account.INSTANCES), "111111111111");

  private static Set<Feature> allBut(Feature... without) {
    Set<Feature> features = EnumSet.allOf(Feature.class);
    features.removeAll(List.of(without));
    return features;
  }

  /** Refuses everything, so that the other account is asked where it may be. */
  private Ec2Api refusing(Account account) {
    return EditedEc2.of(
        (method, arguments) -> {
          asked.add(account);
          throw Ec2Failure.refused("UnauthorizedOperation", "no", 403, "");
        });
  }

  private List<PermissionProbe.Request> requests(Ec2Operation operation) {
    return switch (operation) {
      case DESCRIBE_NETWORK_INTERFACES ->
          List.of(
              ec2 -> ec2.describeNetworkInterfaces(new InterfaceQuery.OfVpcs(VPC), FIRST),
              ec2 -> ec2.describeNetworkInterfaces(new InterfaceQuery.Available(TAGS), FIRST));
      case DESCRIBE_SUBNETS ->
          List.of(ec2 -> ec2.describeSubnets(new SubnetFilter(VPC, Set.of(), Map.of()), FIRST));
      case DESCRIBE_VPCS -> List.of(ec2 -> ec2.describeVpcs(VPC, FIRST));
      case DESCRIBE_ROUTE_TABLES -> List.of(ec2 -> ec2.describeRouteTables(VPC, FIRST));
      case GET_SECURITY_GROUPS_FOR_VPC -> List.of(ec2 -> ec2.securityGroupsForVpc("vpc-1", FIRST));
      case DESCRIBE_SECURITY_GROUPS -> List.of(ec2 -> ec2.describeSecurityGroups(VPC, FIRST));
      case DESCRIBE_INSTANCES ->
          List.of(
              ec2 -> ec2.describeInstances(Set.of(INSTANCE), FIRST),
              ec2 -> ec2.describeIdleInstances(VPC, FIRST),
              ec2 -> ec2.describeTaggedInstances(TAGS, FIRST));
      case DESCRIBE_INSTANCE_TYPES ->
          List.of(ec2 -> ec2.describeInstanceTypes(Set.of("m5.large"), FIRST));
      case DESCRIBE_TAGS -> List.of(ec2 -> ec2.describeTag(INSTANCE, "a"));
      case DESCRIBE_ADDRESSES -> List.of(ec2 -> ec2.describeAddresses(TAGS));
      case CREATE_NETWORK_INTERFACE ->
          List.of(
              ec2 ->
                  ec2.createNetworkInterface(
                      new CreateInterfaceRequest(
                          new PoolId("subnet-1"),
                          "d",
                          List.of(),
                          Map.of(),
                          1,
                          0,
                          0,
                          ConnectionTracking.DEFAULT,
                          "t")));
      case ATTACH_NETWORK_INTERFACE -> List.of(ec2 -> ec2.attachNetworkInterface(ENI, INSTANCE, 1));
      case MODIFY_NETWORK_INTERFACE_ATTRIBUTE ->
          List.of(ec2 -> ec2.modifySecurityGroups(ENI, List.of("sg-1")));
      case ASSIGN_PRIVATE_IP_ADDRESSES ->
          List.of(
              ec2 -> ec2.assignPrivateIpAddresses(ENI, 1),
              ec2 -> ec2.assignPrefixes(ENI, 1),
              ec2 -> ec2.assignNamedPrefix(ENI, Cidr.parse("10.0.0.16/28")));
      case UNASSIGN_PRIVATE_IP_ADDRESSES ->
          List.of(
              ec2 -> ec2.unassignPrivateIpAddresses(ENI, AddressSet.of()),
              ec2 -> ec2.unassignPrefixes(ENI, List.of()));
      case ASSIGN_IPV6_ADDRESSES ->
          List.of(
              ec2 -> ec2.assignIpv6Prefixes(ENI, 1),
              ec2 -> ec2.assignNamedPrefix(ENI, Cidr.parse("2600::/80")));
      case DETACH_NETWORK_INTERFACE -> List.of(ec2 -> ec2.detachNetworkInterface("eni-attach-1"));
      case DELETE_NETWORK_INTERFACE -> List.of(ec2 -> ec2.deleteNetworkInterface(ENI));
      case ASSOCIATE_ADDRESS ->
          List.of(ec2 -> ec2.associateAddress("eipalloc-1", ENI, IpAddress.parse("10.0.0.9")));
      case CREATE_TAGS -> List.of(ec2 -> ec2.createTags(ENI, TAGS));
      case CREATE_NETWORK_INTERFACE_PERMISSION ->
          List.of(ec2 -> ec2.createNetworkInterfacePermission(ENI, "111111111111"));
    };
  }

  private Set<Account> sent(List<PermissionProbe.Request> requests) {
    asked.clear();
    for (PermissionProbe.Request each : requests) {
      assertThat(catchThrowableOfType(Ec2Failure.class, () -> each.send(api))).isNotNull();
    }
    return EnumSet.copyOf(asked);
  }

  @DisplayName("the same accounts that the provider's requests reach")
  @ParameterizedTest(name = "{0}")
  @EnumSource
  void asTheRequestsGo(Ec2Operation operation) {
    Set<Account> expected = sent(requests(operation));
    if (operation == Ec2Operation.MODIFY_NETWORK_INTERFACE_ATTRIBUTE) {
      assertThat(expected).as("security groups").containsExactly(Account.NETWORK);
      expected.add(Account.INSTANCES); // where the flag is tried first
    }
    assertThat(Permissions.accounts(operation, allBut()))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  @DisplayName("one account is asked for everything, once")
  @ParameterizedTest(name = "{0}")
  @EnumSource
  void oneAccount(Ec2Operation operation) {
    assertThat(Permissions.accounts(operation, allBut(Feature.TWO_ACCOUNTS)))
        .containsExactly(Account.INSTANCES);
  }

  @Test
  @DisplayName("security groups of interfaces that the network's account owns are its to change")
  void groups() {
    Ec2Operation modify = Ec2Operation.MODIFY_NETWORK_INTERFACE_ATTRIBUTE;
    assertThat(Permissions.asked(allBut()))
        .contains(Asked.ofInstances(modify), Asked.ofNetwork(modify));
    assertThat(Permissions.asked(allBut(Feature.SECURITY_GROUPS)))
        .contains(Asked.ofInstances(modify))
        .doesNotContain(Asked.ofNetwork(modify));
  }

  @Test
  @DisplayName("where no first interface serves pods, its owner changes no addresses")
  void firstInterfaces() {
    Ec2Operation assign = Ec2Operation.ASSIGN_PRIVATE_IP_ADDRESSES;
    assertThat(Permissions.asked(allBut(Feature.FIRST_INTERFACES)))
        .contains(Asked.ofNetwork(assign))
        .doesNotContain(Asked.ofInstances(assign));
    assertThat(Permissions.asked(allBut()))
        .contains(Asked.ofNetwork(assign), Asked.ofInstances(assign));
  }

  @Test
  @DisplayName("whether first interfaces serve pods is known from nodes alone")
  void nodesTell() {
    AwsTargets unknown = AwsTargets.of(List.of());
    assertThat(unknown.uses()).isEmpty();
    assertThat(unknown.mayUse()).containsExactly(Feature.FIRST_INTERFACES);
    AwsTargets known = AwsTargets.of(List.of(NodeResource.named("a")));
    assertThat(known.mayUse()).isEmpty();
  }
}
