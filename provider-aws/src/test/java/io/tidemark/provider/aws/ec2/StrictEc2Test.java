package io.tidemark.provider.aws.ec2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.pace.Ec2FaultRule;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The strict EC2, as the provider meets it (provider-aws 10.8, 11.3)")
class StrictEc2Test {
  private final Ec2Emulator emulator = Emulated.emulator();
  private final Emulated ec2 = Emulated.in(emulator, 0);

  private static void assertRefused(Ec2Condition condition, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            Ec2Failure.class,
            failure ->
                assertThat(
                        Ec2Condition.of(
                            new Ec2ErrorClassifier()
                                .classify(Ec2Operation.DELETE_NETWORK_INTERFACE.kind(), failure)))
                    .isEqualTo(condition));
  }

  @Test
  @DisplayName("AWS-64 two of eight are created and attached; only what is detached can be deleted")
  void lifeOfTwo() throws Ec2Failure {
    InstanceId instance = ec2.instance("m5.large");
    List<InterfaceId> made = new java.util.ArrayList<>();
    List<String> attachments = new java.util.ArrayList<>();
    for (int i = 1; i <= 2; i++) {
      AwsNetworkInterface each = ec2.api.createNetworkInterface(ec2.request(8, 0, 0, "token-" + i));
      assertThat(each.singles().size()).isEqualTo(8);
      assertThat(each.securityGroups()).containsExactly(ec2.defaultGroup());
      made.add(each.id());
      attachments.add(ec2.api.attachNetworkInterface(each.id(), instance, i));
    }
    assertThat(ec2.read(new InterfaceQuery.OfInstances(Set.of(instance)))).hasSize(3);
    assertRefused(Ec2Condition.ENI_IN_USE, () -> ec2.api.deleteNetworkInterface(made.get(0)));
    for (int i = 0; i < 2; i++) {
      ec2.api.detachNetworkInterface(attachments.get(i));
      ec2.api.deleteNetworkInterface(made.get(i));
    }
    assertRefused(Ec2Condition.ENI_GONE, () -> ec2.api.deleteNetworkInterface(made.get(0)));
    assertThat(ec2.read(new InterfaceQuery.OfInstances(Set.of(instance)))).hasSize(1);
  }

  @Test
  @DisplayName("AWS-64 groups are a set: their order and repetition do not matter")
  void groups() throws Ec2Failure {
    String other =
        ec2.ec2
            .createSecurityGroup(r -> r.vpcId(ec2.vpc).groupName("other").description("other"))
            .groupId();
    AwsNetworkInterface made =
        ec2.api.createNetworkInterface(
            new CreateInterfaceRequest(
                ec2.subnet,
                "",
                List.of(other, ec2.defaultGroup()),
                Map.of(),
                0,
                0,
                0,
                new ConnectionTracking(
                    OptionalInt.of(350), OptionalInt.empty(), OptionalInt.of(30)),
                "t"));
    assertThat(ec2.one(made.id()).tracking())
        .isEqualTo(
            new ConnectionTracking(OptionalInt.of(350), OptionalInt.empty(), OptionalInt.of(30)));
    assertThat(ec2.api.createNetworkInterface(ec2.request(0, 0, 0, "u")).tracking())
        .isEqualTo(ConnectionTracking.DEFAULT);
    assertThat(made.securityGroups())
        .isEqualTo(List.copyOf(new TreeSet<>(Set.of(other, ec2.defaultGroup()))));
    var groups = ec2.api.describeSecurityGroups(Set.of(ec2.vpc), Optional.empty()).items();
    assertThat(groups).extracting(SecurityGroup::id).contains(other, ec2.defaultGroup());
  }

  @Test
  @DisplayName("AWS-64 an injected error is what each changing operation answers")
  void injected() throws Ec2Failure {
    InstanceId instance = ec2.instance("m5.large");
    AwsNetworkInterface made = ec2.api.createNetworkInterface(ec2.request(2, 0, 0, "token"));
    Map<String, ThrowingCallable> calls =
        Map.of(
            "CreateNetworkInterface",
            () -> ec2.api.createNetworkInterface(ec2.request(2, 0, 0, "another")),
            "AttachNetworkInterface",
            () -> ec2.api.attachNetworkInterface(made.id(), instance, 1),
            "DeleteNetworkInterface",
            () -> ec2.api.deleteNetworkInterface(made.id()),
            "AssignPrivateIpAddresses",
            () -> ec2.api.assignPrivateIpAddresses(made.id(), 1),
            "UnassignPrivateIpAddresses",
            () -> ec2.api.unassignPrivateIpAddresses(made.id(), made.singles().first(1)),
            "ModifyNetworkInterfaceAttribute",
            () -> ec2.api.modifyDeleteOnTermination(made.id(), "eni-attach-0", true));
    for (Map.Entry<String, ThrowingCallable> each : calls.entrySet()) {
      emulator.faults(
          List.of(
              Ec2FaultRule.failing(
                  each.getKey(), new Ec2Error("InsufficientCapacity", "injected", 500))));
      assertThatThrownBy(each.getValue())
          .as(each.getKey())
          .isInstanceOfSatisfying(
              Ec2Failure.class,
              failure -> assertThat(failure.code()).isEqualTo("InsufficientCapacity"));
    }
    emulator.faults(List.of());
    assertThat(ec2.one(made.id()).singles()).as("nothing was done").isEqualTo(made.singles());
    assertThat(ec2.one(made.id()).attachment()).isEmpty();
  }
}
