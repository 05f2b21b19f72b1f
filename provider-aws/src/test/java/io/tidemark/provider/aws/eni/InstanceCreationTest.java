package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.aws.ec2.Ec2Condition;
import io.tidemark.provider.aws.metadata.InstanceInterface;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("When a program of one instance creates an interface, and where")
class InstanceCreationTest {
  private final InstanceWorld world = new InstanceWorld();
  private final InstanceInterfaces program = world.program(Samples.SETTINGS);

  @DisplayName("What is created, and what is refused without a request")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Nothing is created before the instance was read \
            | cannotMake 1 TRANSIENT; quiet
          After the region's quota was met, five minutes' rest \
            | read; refuse CreateNetworkInterface NetworkInterfaceLimitExceeded; \
              cannotMake 1 quotaExceeded; serve; afresh; cannotMake 1 quotaExceeded; quiet; \
              unattached 0; 5m; make made 1
          After EC2 called the instance full, five minutes' rest \
            | read; refuse AttachNetworkInterface AttachmentLimitExceeded; \
              cannotMake 1 instanceFull; serve; afresh; cannotMake 1 instanceFull; quiet; \
              unattached 0; 5m; make made 1
          Reserved places stay free \
            | program reservedInterfaces=1; read; make made 1; cannotMake 1 instanceFull; \
              interfaces 2
          The delete-on-termination mark of interfaces of others is not touched \
            | park theirs; attach theirs 1; 1m; read 2; 1m; never ModifyNetworkInterfaceAttribute
          Where a subnet has no free block none is asked for at once again \
            | read; fragment home; cannotMake 0 1 subnetExhausted; afresh; \
              cannotMake 0 1 subnetExhausted; never CreateNetworkInterface; make made 1
          In a subnet with few free addresses an interface gets as many as there are \
            | read; leaveFree home 4; make made 8 0 3
          """)
  void story(String what, String story) {
    InstanceStory.run(what, story);
  }

  @Test
  @DisplayName("A new interface is in the subnet of the instance's own, whatever others are in")
  void ownSubnet() {
    String other = world.ec2.subnet("10.0.16.0/20");
    String parked = world.ec2.parked(other, "theirs", Map.of());
    world.ec2.attach(parked, world.instance, 1);
    world.run(Duration.ofMinutes(1));
    assertThat(world.answer(program.read()))
        .extracting(InstanceInterface::subnet)
        .containsExactly(world.home(), other);
    assertThat(world.answer(program.assign(parked, 1, 0)).size()).isEqualTo(1);
    world.leaveFree(world.home(), "10.0.0.0/24", 0);
    assertThat(world.refusal(program.create(1, 0)).condition())
        .isEqualTo(Ec2Condition.SUBNET_EXHAUSTED.text());
    assertThat(world.ec2.interfaces(world.instance)).hasSize(2);
  }
}
