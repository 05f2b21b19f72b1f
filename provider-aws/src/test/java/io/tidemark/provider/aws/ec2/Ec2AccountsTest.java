package io.tidemark.provider.aws.ec2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.ip.AddressSet;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.InterfaceId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("EC2 of two accounts")
class Ec2AccountsTest {
  private static final String LOCAL = "222222222222";
  private static final InterfaceId ENI = new InterfaceId("eni-1");
  private final Ec2Failure denied = Ec2Failure.refused("UnauthorizedOperation", "no", 403, "");
  private final Ec2Failure lost =
      Ec2Failure.unanswered(Ec2Failure.Ending.ANSWER_LOST, "lost", null);

  private final List<String> calls = new ArrayList<>();
  private final Map<String, Ec2Failure> failures = new HashMap<>();
  private final Ec2Accounts ec2 = Ec2Accounts.two(account("remote"), account("local"), LOCAL);

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
            case "AwsNetworkInterface" -> AnswerParsingTest.read(answer -> answer);
            case "AttachedInterface" -> new AttachedInterface(ENI, AddressSet.of(), List.of());
            default -> null;
          };
        });
  }

  private Ec2Failure creationFailure() {
    return catchThrowableOfType(Ec2Failure.class, () -> ec2.create(EmulatedDoors.REQUEST));
  }

  private AttachedInterface assign() throws Ec2Failure {
    return ec2.byOwner(ENI, api -> api.assignPrivateIpAddresses(ENI, 1));
  }

  @Test
  @DisplayName("AWS-69 a created interface is opened to the instances' account, once")
  void create() throws Ec2Failure {
    assertThat(ec2.create(EmulatedDoors.REQUEST).id()).isEqualTo(ENI);
    assertThat(calls)
        .containsExactly(
            "remote createNetworkInterface",
            "remote createNetworkInterfacePermission eni-1 " + LOCAL);
  }

  @DisplayName("AWS-70 without the permission the interface is deleted once, and the error told")
  @ParameterizedTest(name = "AWS-70 deletion fails: {0}")
  @ValueSource(booleans = {false, true})
  void permission(boolean deletionFails) {
    failures.put("remote createNetworkInterfacePermission", denied);
    if (deletionFails) {
      failures.put("remote deleteNetworkInterface", lost);
    }
    assertThat(creationFailure()).isSameAs(denied);
    assertThat(calls)
        .filteredOn(call -> call.endsWith("deleteNetworkInterface"))
        .containsExactly("remote deleteNetworkInterface");
  }

  @Test
  @DisplayName("AWS-71 what was not created gets no permission and is not deleted")
  void notCreated() {
    failures.put("remote createNetworkInterface", denied);
    assertThat(creationFailure()).isSameAs(denied);
    assertThat(calls).containsExactly("remote createNetworkInterface");
  }

  @Test
  @DisplayName("addresses of what the instance was launched with are changed by its own account")
  void addressesOfPrimary() throws Ec2Failure {
    failures.put("remote assignPrivateIpAddresses", denied);
    assertThat(assign()).isEqualTo(assign());
    assertThat(calls)
        .containsExactly(
            "remote assignPrivateIpAddresses",
            "local assignPrivateIpAddresses",
            "local assignPrivateIpAddresses");
  }

  @Test
  @DisplayName("a full subnet, and a lost answer, are no matter of the owner")
  void notOfOwner() {
    Ec2Failure full = Ec2Failure.refused("InsufficientFreeAddressesInSubnet", "", 400, "");
    for (Ec2Failure told : List.of(full, lost)) {
      calls.clear();
      failures.put("remote assignPrivateIpAddresses", told);
      assertThat(catchThrowableOfType(Ec2Failure.class, this::assign)).isSameAs(told);
      assertThat(calls).containsExactly("remote assignPrivateIpAddresses");
    }
  }

  @DisplayName("Delete-on-termination is set by the account that may; a lost answer stays lost")
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({"none, local", "refused, local remote", "lost, local"})
  void modify(String failure, String accounts) {
    if (!failure.equals("none")) {
      failures.put("local modifyDeleteOnTermination", failure.equals("lost") ? lost : denied);
    }
    Ec2Failure told =
        catchThrowableOfType(
            Ec2Failure.class, () -> ec2.modifyDeleteOnTermination(ENI, "eni-attach-1", true));
    assertThat(told != null).isEqualTo(failure.equals("lost"));
    assertThat(calls.stream().map(call -> call.replaceAll(" .*", "")).toList())
        .containsExactly(accounts.split(" ", -1));
  }
}
