package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.provider.aws.ec2.Ec2Condition;
import io.tidemark.provider.aws.metadata.InstanceInterface;
import io.tidemark.resilience.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("When a program of one instance creates an interface, and where")
class InstanceCreationTest {
  private final InstanceWorld world = new InstanceWorld();
  private final InstanceInterfaces program = world.program(Samples.SETTINGS);

  private List<InstanceInterface> read() {
    return world.answer(program.read());
  }

  private Failure refused(InstanceInterfaces by) {
    return world.refusal(by.create(1, 0));
  }

  @Test
  @DisplayName("Nothing is created before the instance was read")
  void unread() {
    assertThat(refused(program).kind()).isEqualTo(Failure.Kind.TRANSIENT);
    assertThat(world.requests).isEmpty();
  }

  @DisplayName(
      "After the region's quota was met or EC2 called the instance full, five minutes' rest")
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "CreateNetworkInterface, NetworkInterfaceLimitExceeded, REGION_QUOTA",
    "AttachNetworkInterface, AttachmentLimitExceeded, INSTANCE_FULL"
  })
  void rest(String operation, String code, Ec2Condition condition) {
    read();
    world.refuse(operation, code, 400);
    assertThat(refused(program).condition()).isEqualTo(condition.text());
    world.faults();
    world.requests.clear();
    assertThat(refused(program).condition()).isEqualTo(condition.text());
    assertThat(world.requests).isEmpty();
    assertThat(world.ec2.unattached()).isZero();
    world.run(EniAccount.QUOTA_PAUSE);
    world.answer(program.create(1, 0));
  }

  @Test
  @DisplayName("Reserved places stay free")
  void reserved() {
    InstanceInterfaces reserving =
        world.program(Copies.with(SettingsSample.USUAL, "reservedInterfaces", 1));
    world.answer(reserving.read());
    world.answer(reserving.create(1, 0));
    assertThat(refused(reserving).condition()).isEqualTo(Ec2Condition.INSTANCE_FULL.text());
    assertThat(world.ec2.interfaces(world.instance)).hasSize(2);
  }

  @Test
  @DisplayName("The delete-on-termination mark of interfaces of others is not touched")
  void marksOfOthers() {
    String parked = world.ec2.parked(world.home(), "theirs", Map.of());
    world.ec2.attach(parked, world.instance, 1);
    world.run(Duration.ofMinutes(1));
    assertThat(read()).hasSize(2);
    world.run(Duration.ofMinutes(1));
    assertThat(world.requests).doesNotContain("ModifyNetworkInterfaceAttribute");
  }

  @Test
  @DisplayName("A new interface is in the subnet of the instance's own, whatever others are in")
  void ownSubnet() {
    String other = world.ec2.subnet("10.0.16.0/20");
    String parked = world.ec2.parked(other, "theirs", Map.of());
    world.ec2.attach(parked, world.instance, 1);
    world.run(Duration.ofMinutes(1));
    assertThat(read()).extracting(InstanceInterface::subnet).containsExactly(world.home(), other);
    assertThat(world.answer(program.assign(parked, 1, 0)).size()).isEqualTo(1);
    world.leaveFree(world.home(), "10.0.0.0/24", 0);
    assertThat(refused(program).condition()).isEqualTo(Ec2Condition.SUBNET_EXHAUSTED.text());
    assertThat(world.ec2.interfaces(world.instance)).hasSize(2);
  }

  @Test
  @DisplayName("Where a subnet has no free block none is asked for at once again")
  void fragmented() {
    read();
    world.fragment(world.home(), "10.0.0.0/24");
    assertThat(world.refusal(program.create(0, 1)).condition())
        .isEqualTo(Ec2Condition.SUBNET_EXHAUSTED.text());
    world.requests.clear();
    assertThat(world.refusal(program.create(0, 1)).condition())
        .isEqualTo(Ec2Condition.SUBNET_EXHAUSTED.text());
    assertThat(world.requests).doesNotContain("CreateNetworkInterface");
    assertThat(world.answer(program.create(1, 0)).singles().size()).isEqualTo(1);
  }

  @Test
  @DisplayName("In a subnet with few free addresses an interface gets as many as there are")
  void fewLeft() {
    read();
    world.leaveFree(world.home(), "10.0.0.0/24", 4);
    assertThat(world.answer(program.create(8, 0)).singles().size()).isEqualTo(3);
  }
}
