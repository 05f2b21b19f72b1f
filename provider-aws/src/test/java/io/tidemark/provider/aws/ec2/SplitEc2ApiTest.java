package io.tidemark.provider.aws.ec2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("EC2 of two accounts")
class SplitEc2ApiTest {
  private static final String LOCAL = "222222222222";
  private static final Optional<String> FIRST = Optional.empty();
  private static final InterfaceId ENI = new InterfaceId("eni-1");
  private static final InstanceId INSTANCE = new InstanceId("i-1");

  private final List<String> calls = new ArrayList<>();
  private final Map<String, Ec2Failure> failures = new HashMap<>();
  private final Ec2Api api = new SplitEc2Api(account("remote"), account("local"), LOCAL);

  /** Notes what it is asked, answers nothing much, fails on request. */
  private Ec2Api account(String name) {
    return EditedEc2.of(
        (method, arguments) -> {
          String call = name + " " + method.getName();
          calls.add(
              method.getName().endsWith("Permission")
                  ? call + " " + arguments[0] + " " + arguments[1]
                  : call);
          Ec2Failure failure = failures.get(call);
          if (failure != null) {
            throw failure;
          }
          return switch (method.getReturnType().getSimpleName()) {
            case "AwsPage" -> new AwsPage<>(List.of(), Optional.empty());
            case "AwsNetworkInterface" -> AnswerParsingTest.read(answer -> answer);
            case "Optional" -> Optional.empty();
            case "AssignedAddresses" -> new AssignedAddresses(AddressSet.of(), List.of());
            case "List" -> List.of();
            case "String" -> "a";
            default -> null;
          };
        });
  }

  private static CreateInterfaceRequest request() {
    return new CreateInterfaceRequest(
        new io.tidemark.spi.PoolId("subnet-1"),
        "d",
        List.of(),
        Map.of(),
        1,
        0,
        0,
        ConnectionTracking.DEFAULT,
        "t");
  }

  @Test
  @DisplayName("AWS-67 subnets, VPCs, route tables and groups come from the network's account")
  void network() throws Ec2Failure {
    api.describeSubnets(new SubnetFilter(Set.of(), Set.of(), Map.of()), FIRST);
    api.describeVpcs(Set.of("vpc-1"), FIRST);
    api.describeRouteTables(Set.of("vpc-1"), FIRST);
    api.securityGroupsForVpc("vpc-1", FIRST);
    api.describeSecurityGroups(Set.of("vpc-1"), FIRST);
    api.describeNetworkInterfaces(new InterfaceQuery.Available(Map.of("a", "b")), FIRST);
    api.describeNetworkInterfaces(new InterfaceQuery.Tagged(Map.of("a", "b")), FIRST);
    api.assignPrivateIpAddresses(ENI, 1);
    api.assignPrefixes(ENI, 1);
    api.assignNamedPrefix(ENI, Cidr.parse("10.0.0.16/28"));
    api.unassignPrivateIpAddresses(ENI, AddressSet.of());
    api.unassignPrefixes(ENI, List.of());
    api.assignIpv6Prefixes(ENI, 1);
    api.createTags(ENI, Map.of("a", "b"));
    api.deleteNetworkInterface(ENI);
    assertThat(calls).hasSize(15).allMatch(call -> call.startsWith("remote "));
  }

  @Test
  @DisplayName("AWS-68 instance types and instances come from the instances' account")
  void instances() throws Ec2Failure {
    api.describeInstanceTypes(Set.of("m5.large"), FIRST);
    api.describeInstances(Set.of(INSTANCE), FIRST);
    api.describeTaggedInstances(Map.of("a", "b"), FIRST);
    api.describeNetworkInterfaces(new InterfaceQuery.OfInstances(Set.of(INSTANCE)), FIRST);
    api.describeNetworkInterfaces(new InterfaceQuery.OfVpcs(Set.of("vpc-1")), FIRST);
    api.describeTag(INSTANCE, "a");
    api.describeAddresses(Map.of("a", "b"));
    assertThat(calls).hasSize(7).allMatch(call -> call.startsWith("local "));
  }

  @Test
  @DisplayName("AWS-69 a created interface is opened to the instances' account, once")
  void create() throws Ec2Failure {
    assertThat(api.createNetworkInterface(request()).id()).isEqualTo(ENI);
    assertThat(calls)
        .containsExactly(
            "remote createNetworkInterface",
            "remote createNetworkInterfacePermission eni-1 " + LOCAL);
  }

  @DisplayName("AWS-70 without the permission the interface is deleted once, and the error told")
  @ParameterizedTest(name = "AWS-70 deletion fails: {0}")
  @CsvSource({"false", "true"})
  void permission(boolean deletionFails) {
    Ec2Failure denied = Ec2Failure.refused("UnauthorizedOperation", "no", 403, "");
    failures.put("remote createNetworkInterfacePermission", denied);
    if (deletionFails) {
      failures.put(
          "remote deleteNetworkInterface", Ec2Failure.refused("InternalError", "no", 500, ""));
    }
    Ec2Failure told =
        catchThrowableOfType(Ec2Failure.class, () -> api.createNetworkInterface(request()));
    assertThat(told).isSameAs(denied);
    assertThat(calls)
        .filteredOn(call -> call.endsWith("deleteNetworkInterface"))
        .containsExactly("remote deleteNetworkInterface");
  }

  @Test
  @DisplayName("AWS-71 what was not created gets no permission and is not deleted")
  void notCreated() {
    failures.put(
        "remote createNetworkInterface", Ec2Failure.refused("InvalidGroup.NotFound", "", 400, ""));
    assertThat(catchThrowableOfType(Ec2Failure.class, () -> api.createNetworkInterface(request())))
        .isNotNull();
    assertThat(calls).containsExactly("remote createNetworkInterface");
  }

  @Test
  @DisplayName("AWS-72 attaching, detaching and elastic addresses use the instances' account only")
  void attach() throws Ec2Failure {
    api.attachNetworkInterface(ENI, INSTANCE, 1);
    api.detachNetworkInterface("eni-attach-1");
    api.associateAddress("eipalloc-1", ENI, io.tidemark.ip.IpAddress.parse("10.0.0.1"));
    assertThat(calls)
        .containsExactly(
            "local attachNetworkInterface",
            "local detachNetworkInterface",
            "local associateAddress");
  }

  @Test
  @DisplayName("addresses of what the instance was launched with are changed by its own account")
  void addressesOfPrimary() throws Ec2Failure {
    failures.put(
        "remote assignPrivateIpAddresses",
        Ec2Failure.refused("UnauthorizedOperation", "no", 403, ""));
    api.assignPrivateIpAddresses(ENI, 1);
    api.assignPrivateIpAddresses(ENI, 1);
    api.unassignPrivateIpAddresses(ENI, AddressSet.of());
    assertThat(calls)
        .containsExactly(
            "remote assignPrivateIpAddresses",
            "local assignPrivateIpAddresses",
            "local assignPrivateIpAddresses",
            "local unassignPrivateIpAddresses");
  }

  @Test
  @DisplayName("a full subnet, and a lost answer, are no matter of the owner")
  void notOfOwner() {
    for (Ec2Failure told :
        List.of(
            Ec2Failure.refused("InsufficientFreeAddressesInSubnet", "", 400, ""),
            Ec2Failure.unanswered(Ec2Failure.Ending.ANSWER_LOST, "lost", null))) {
      calls.clear();
      failures.put("remote assignPrivateIpAddresses", told);
      assertThat(catchThrowableOfType(Ec2Failure.class, () -> api.assignPrivateIpAddresses(ENI, 1)))
          .isSameAs(told);
      assertThat(calls).containsExactly("remote assignPrivateIpAddresses");
    }
  }

  @DisplayName("Delete-on-termination is set by the account that may; a lost answer stays lost")
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({"none, local", "refused, local remote", "lost, local"})
  void modify(String failure, String accounts) {
    if (!failure.equals("none")) {
      failures.put(
          "local modifyDeleteOnTermination",
          failure.equals("lost")
              ? Ec2Failure.unanswered(Ec2Failure.Ending.ANSWER_LOST, "lost", null)
              : Ec2Failure.refused("UnauthorizedOperation", "no", 403, ""));
    }
    Ec2Failure told =
        catchThrowableOfType(
            Ec2Failure.class, () -> api.modifyDeleteOnTermination(ENI, "eni-attach-1", true));
    assertThat(told != null).isEqualTo(failure.equals("lost"));
    assertThat(calls.stream().map(call -> call.replaceAll(" .*", "")).toList())
        .containsExactly(accounts.split(" ", -1));
  }
}
