package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface.Attachment;
import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.provider.aws.ec2.EditedEc2;
import io.tidemark.resilience.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Interfaces that a program of an instance leaves behind unattached")
class InstanceLeftoversTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final InstanceWorld world = new InstanceWorld();
  private final InstanceInterfaces program = world.program(Samples.SETTINGS);

  /** As the loop reads when nothing changes. */
  private void readFor(InstanceInterfaces reader, int minutes) {
    for (int minute = 0; minute < minutes; minute++) {
      world.answer(reader.read());
      world.run(MINUTE);
    }
  }

  /** A creation whose answer is lost; its interface is attached to nothing. */
  private void loseCreation() {
    loseCreation(program);
  }

  private void loseCreation(InstanceInterfaces by) {
    world.answer(by.read());
    world.lose("CreateNetworkInterface", true);
    assertThat(world.refusal(by.create(2, 0)).kind()).isEqualTo(Failure.Kind.LOST);
    world.answer();
    assertThat(world.ec2.unattached()).isPositive();
  }

  @DisplayName("What is deleted, and what is not")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          D135 One whose creation was not answered is deleted, once it is five minutes old \
            | loseCreation; readFor 4; unattached 1; readFor 12; unattached 0; make made 2
          D135 One of an earlier program of the instance is deleted by the next \
            | loseCreation; program; readFor 16; unattached 0
          D135 One that was detached and not deleted is deleted later \
            | read; make made 1; readFor 20; lose DeleteNetworkInterface; cannotRemove made LOST; \
              answer; unattachedAre made; readFor 30; gone made
          D135 Those of others, and of other instances, are never deleted \
            | loseCreation; park a; \
              park b node.k8s.amazonaws.com/instance_id=@node1,tidemark.io/token=t; \
              park c Tidemark_(@node1); park d Tidemark_(@node1) tidemark.io/token=t; \
              park e Tidemark_(@node1) node.k8s.amazonaws.com/instance_id=@node1; \
              park f aws-K8S-@node1 node.k8s.amazonaws.com/instance_id=@node1; \
              park g Tidemark_(i-0) node.k8s.amazonaws.com/instance_id=i-0,tidemark.io/token=t; \
              readFor 90; unattachedAre a b c d e f g
          One that is attached while it is looked at stays \
            | loseCreation; unattachedIs made; readFor 4; attach made 2; readFor 30; at 1 made
          While nothing can be left behind EC2 is asked for it once an hour; else soon and again \
            | readFor 15; afresh; readFor 180; between DescribeNetworkInterfaces 182 184; \
              loseCreation; afresh; readFor 60; between DescribeNetworkInterfaces 62 66
          D135 One that somebody detaches is deleted; one of others leads to no listing \
            | park theirs; attach theirs 1; readFor 1; make made 1; readFor 20; afresh; \
              detach theirs; readFor 16; sent DescribeNetworkInterfaces 16; detachAt 1; readFor 16; \
              gone made; unattachedAre theirs
          Without an interval nothing is looked for \
            | loseCreation; afresh; program collectionInterval=PT0S; readFor 60; requests 60; \
              unattached 1
          """)
  void story(String what, String story) {
    InstanceStory.run(what, story);
  }

  @DisplayName("D135 A listing that lies behind is not the last")
  @ParameterizedTest(name = "after a restart: {0}")
  @ValueSource(booleans = {true, false})
  void listedTooEarly(boolean restarted) {
    boolean[] behind = {false};
    world.door =
        api ->
            EditedEc2.reads(
                api,
                (query, all) ->
                    behind[0] && query.values().containsKey("status") ? List.of() : all);
    InstanceInterfaces before = world.program(Samples.SETTINGS);
    readFor(before, 20);
    loseCreation(before);
    InstanceInterfaces next = restarted ? world.program(Samples.SETTINGS) : before;
    behind[0] = true;
    readFor(next, 1);
    behind[0] = false;
    readFor(next, 20);
    assertThat(world.ec2.unattached()).isZero();
  }

  @Test
  @DisplayName("The interface of a creation that is repeated now is not deleted")
  void repeatedNow() {
    loseCreation();
    readFor(program, 9);
    world.delay("AttachNetworkInterface", Duration.ofSeconds(8));
    world.run(MINUTE);
    var creation = program.create(2, 0);
    world.run(Duration.ofSeconds(1));
    assertThat(world.requests).endsWith("AttachNetworkInterface");
    world.answer(program.read());
    world.answer(creation);
    assertThat(world.requests).doesNotContain("DeleteNetworkInterface");
  }

  @DisplayName("One that EC2 shows as attached in part, asked for it alone, is not deleted")
  @ParameterizedTest(name = "the status says so: {0}")
  @ValueSource(booleans = {true, false})
  void shownInPart(boolean status) {
    Attachment attachment =
        new Attachment("eni-attach-1", Optional.empty(), 0, 1, false, "attaching");
    UnaryOperator<AwsNetworkInterface> inPart =
        each ->
            status
                ? Copies.with(each, Map.of("status", "in-use", "attachment", Optional.empty()))
                : Copies.with(each, "attachment", Optional.of(attachment));
    world.door = api -> EditedEc2.alone(api, inPart);
    loseCreation();
    readFor(world.program(Samples.SETTINGS), 30);
    assertThat(world.requests).doesNotContain("DeleteNetworkInterface");
    assertThat(world.ec2.unattached()).isEqualTo(1);
  }
}
