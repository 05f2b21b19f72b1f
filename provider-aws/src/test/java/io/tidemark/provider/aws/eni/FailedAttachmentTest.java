package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.Ec2Filter;
import io.tidemark.provider.aws.ec2.EditedEc2;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.NodeOperations;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @DisplayName("is attached in the end, or deleted")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          the answer is lost: what a read shows decides, and it is attached \
            | node; loseOnce AttachNetworkInterface answer; create 4 Allocated; interfaces 2; \
              unattached 0
          the request is lost: what a read shows decides, and it is attached \
            | node; loseOnce AttachNetworkInterface request; create 4 Allocated; interfaces 2; \
              unattached 0
          the last index is taken meanwhile, and a lower one is free: ours goes, then comes \
            | node; park lower owner=them; attach lower 1; pass 1; park theirs owner=them; \
              delay AttachNetworkInterface 5s; creates 4; detach lower; 2s; attach theirs 2; \
              ends !Allocated; unattached 1; 1m; resync; create 4 Allocated
          EC2 calls the instance full: the node has no more places, for five minutes \
            | node; refuse AttachNetworkInterface AttachmentLimitExceeded; create 4 LimitReached; \
              serve; unattached 0; places 0; 5m; places 2; create 4 Allocated
          """)
  void story(String what, String story) {
    EniStory.run(new EniWorld(), what, story);
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
}
