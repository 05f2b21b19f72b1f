package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.Ec2Filter;
import io.tidemark.provider.aws.ec2.EditedEc2;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.NodeOperations;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.Map;
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

  private final EniWorld world = new EniWorld(Samples.SETTINGS, this::conflicting);
  private NodeOperations node;

  /** EC2 that attaches and says that the index is taken, as by an earlier request of ours. */
  private Ec2Api conflicting(Ec2Api ec2) {
    return EditedEc2.over(
        ec2,
        (request, arguments, genuine) -> {
          if (instanceUnread
              && arguments[0] instanceof Ec2Filter filter
              && filter.values().containsKey("attachment.instance-id")) {
            throw Ec2Failure.refused("UnauthorizedOperation", "not now", 403, "");
          }
          Object answer = genuine.call();
          if (conflicts && request.equals("attachNetworkInterface")) {
            throw Ec2Failure.refused(
                "InvalidParameterValue",
                "Instance already has an interface attached at device index '"
                    + arguments[2]
                    + "'.",
                400,
                "");
          }
          return answer;
        });
  }

  @BeforeEach
  void launch() {
    node = world.node("node1");
  }

  private String attachOfOthers(int index) {
    String attachment = world.attachOfOthers("node1", index, Map.of("owner", "them"));
    world.pass(1);
    return attachment;
  }

  @DisplayName("the answer is lost: what a read shows decides, and it is attached")
  @ParameterizedTest(name = "EC2 has attached it: {0}")
  @ValueSource(booleans = {true, false})
  void answerLost(boolean carriedOut) {
    EffectFate lost =
        carriedOut ? EffectFate.answerLost(EniWorld.TRAVEL) : EffectFate.requestLost();
    world.fateOnce(ATTACH, lost);
    assertThat(world.create(node, 4)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(world.interfaces("node1")).hasSize(2);
    assertThat(world.ec2.unattached()).isZero();
  }

  @Test
  @DisplayName("the index is taken by itself: it is there, and nothing is undone")
  void takenByItself() {
    attachOfOthers(1);
    conflicts = true;
    assertThat(world.create(node, 4)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(world.interfaces("node1")).hasSize(3);
    assertThat(world.requests).containsOnlyOnce(ATTACH).doesNotContain("DeleteNetworkInterface");
  }

  @Test
  @DisplayName("the index is taken and no read tells by whom: unknown, and nothing is undone")
  void takenUnread() {
    conflicts = true;
    instanceUnread = true;
    assertThat(world.create(node, 4)).isInstanceOf(AllocationOutcome.Unknown.class);
    assertThat(world.requests).doesNotContain("DeleteNetworkInterface");
  }

  @Test
  @DisplayName("the last index is taken meanwhile, and a lower one is free: ours goes, then comes")
  void lastIndexTaken() {
    String lower = attachOfOthers(1);
    String theirs = world.ec2.parked(world.home(), "theirs", Map.of("owner", "them"));
    world.delay(ATTACH, EniWorld.WHILE);
    CompletionStage<AllocationOutcome> creation = world.creating(node, 4);
    world.ec2.detach(lower);
    world.run(Duration.ofSeconds(2));
    world.ec2.attach(theirs, world.instance("node1"), 2);
    assertThat(world.await(creation)).isNotInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(world.ec2.unattached()).as("theirs").isEqualTo(1);
    world.run(Duration.ofMinutes(1));
    Object read = world.resync();
    assertThat(world.create(node, 4)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(read).isNotNull();
  }

  @Test
  @DisplayName("EC2 calls the instance full: the node has no more places, for five minutes")
  void full() {
    world.refuse(ATTACH, "AttachmentLimitExceeded", 400);
    assertThat(world.create(node, 4)).isInstanceOf(AllocationOutcome.LimitReached.class);
    world.faults();
    assertThat(world.ec2.unattached()).isZero();
    assertThat(node.prepareIpAllocation().emptyInterfaceSlots()).isZero();
    world.run(Duration.ofMinutes(5));
    assertThat(node.prepareIpAllocation().emptyInterfaceSlots()).isPositive();
    assertThat(world.create(node, 4)).isInstanceOf(AllocationOutcome.Allocated.class);
  }
}
