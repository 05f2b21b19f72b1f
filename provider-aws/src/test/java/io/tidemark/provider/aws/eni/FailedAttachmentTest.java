package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.pace.Ec2FaultRule;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.AwsPage;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.InterfaceQuery;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.NodeOperations;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A new interface whose attachment fails (provider-aws 2.5, 2.6)")
class FailedAttachmentTest {
  private static final String ATTACH = "AttachNetworkInterface";

  private boolean conflicts;
  private boolean instanceUnread;

  private final EniWorld world = new EniWorld(Samples.SETTINGS, Conflicting::new);
  private final String home = world.ec2.subnet("10.0.0.0/24");
  private NodeOperations node;

  /** EC2 that attaches and says that the index is taken, as by an earlier request of ours. */
  private final class Conflicting extends NamedEc2Api {
    Conflicting(Ec2Api ec2) {
      super(ec2);
    }

    @Override
    public String attachNetworkInterface(InterfaceId id, InstanceId to, int deviceIndex)
        throws Ec2Failure {
      String attached = super.attachNetworkInterface(id, to, deviceIndex);
      if (conflicts) {
        throw Ec2Failure.refused(
            "InvalidParameterValue",
            "Instance already has an interface attached at device index '" + deviceIndex + "'.",
            400,
            "");
      }
      return attached;
    }

    @Override
    public AwsPage<AwsNetworkInterface> describeNetworkInterfaces(
        InterfaceQuery query, Optional<String> token) throws Ec2Failure {
      if (instanceUnread && query instanceof InterfaceQuery.OfInstances) {
        throw Ec2Failure.refused("UnauthorizedOperation", "not now", 403, "");
      }
      return super.describeNetworkInterfaces(query, token);
    }
  }

  @BeforeEach
  void launch() {
    world.launch("node1", "m5.large", home);
    node = world.node("node1", world.spec("m5.large", home).build(), false, false);
  }

  private CompletionStage<AllocationOutcome> begin() {
    AllocationAction plan = node.prepareIpAllocation();
    return node.createInterface(
        plan.with(plan.ipv4().wanting(4, OptionalInt.empty()), 0), world.context());
  }

  private AllocationOutcome create() {
    return world.await(begin());
  }

  private String attachOfOthers(int index) {
    String theirs = world.ec2.parked(home, "theirs", Map.of("owner", "them"));
    String attachment = world.ec2.attach(theirs, world.instance("node1"), index);
    world.run(Duration.ofMinutes(1));
    world.resync();
    return attachment;
  }

  @DisplayName("the answer is lost: what a read shows decides, and it is attached")
  @ParameterizedTest(name = "EC2 has attached it: {0}")
  @ValueSource(booleans = {true, false})
  void answerLost(boolean carriedOut) {
    EffectFate lost =
        carriedOut ? EffectFate.answerLost(EniWorld.TRAVEL) : EffectFate.requestLost();
    boolean[] first = {true};
    world.fates(
        each -> {
          boolean loses = each.equals(ATTACH) && first[0];
          first[0] = first[0] && !loses;
          return loses ? lost : EffectFate.answered(EniWorld.TRAVEL, EniWorld.TRAVEL);
        });
    assertThat(create()).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(world.interfaces("node1")).hasSize(2);
    assertThat(world.ec2.unattached()).isZero();
  }

  @Test
  @DisplayName("the index is taken by itself: it is there, and nothing is undone")
  void takenByItself() {
    attachOfOthers(1);
    conflicts = true;
    assertThat(create()).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(world.interfaces("node1")).hasSize(3);
    assertThat(world.requests).containsOnlyOnce(ATTACH).doesNotContain("DeleteNetworkInterface");
  }

  @Test
  @DisplayName("the index is taken and no read tells by whom: unknown, and nothing is undone")
  void takenUnread() {
    conflicts = true;
    instanceUnread = true;
    assertThat(create()).isInstanceOf(AllocationOutcome.Unknown.class);
    assertThat(world.requests).doesNotContain("DeleteNetworkInterface");
  }

  @Test
  @DisplayName("the last index is taken meanwhile, and a lower one is free: ours goes, then comes")
  void lastIndexTaken() {
    String lower = attachOfOthers(1);
    String theirs = world.ec2.parked(home, "theirs", Map.of("owner", "them"));
    world.fates(
        each ->
            EffectFate.answered(
                each.equals(ATTACH) ? EniWorld.WHILE : EniWorld.TRAVEL, EniWorld.TRAVEL));
    CompletionStage<AllocationOutcome> creation = begin();
    world.ec2.detach(lower);
    world.run(Duration.ofSeconds(2));
    world.ec2.attach(theirs, world.instance("node1"), 2);
    assertThat(world.await(creation)).isNotInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(world.ec2.unattached()).as("theirs").isEqualTo(1);
    world.run(Duration.ofMinutes(1));
    Object read = world.resync();
    assertThat(create()).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(read).isNotNull();
  }

  @Test
  @DisplayName("EC2 calls the instance full: the node has no more places, for five minutes")
  void full() {
    world.faults(
        Ec2FaultRule.failing(ATTACH, new Ec2Error("AttachmentLimitExceeded", "full", 400)));
    assertThat(create()).isInstanceOf(AllocationOutcome.LimitReached.class);
    world.faults();
    assertThat(world.ec2.unattached()).isZero();
    assertThat(node.prepareIpAllocation().emptyInterfaceSlots()).isZero();
    world.run(Duration.ofMinutes(5));
    assertThat(node.prepareIpAllocation().emptyInterfaceSlots()).isPositive();
    assertThat(create()).isInstanceOf(AllocationOutcome.Allocated.class);
  }
}
