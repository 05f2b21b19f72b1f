package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface.Attachment;
import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.provider.aws.ec2.EditedEc2;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Interfaces that a program of an instance leaves behind unattached")
class InstanceLeftoversTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final String INSTANCE = "node.k8s.amazonaws.com/instance_id";
  private static final String TOKEN = "tidemark.io/token";

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

  @Test
  @DisplayName("D135 One whose creation was not answered is deleted, once it is five minutes old")
  void lostCreation() {
    loseCreation();
    readFor(program, 4);
    assertThat(world.ec2.unattached()).as("the next attempt may take it").isEqualTo(1);
    readFor(program, 12);
    assertThat(world.ec2.unattached()).isZero();
    assertThat(world.answer(program.create(2, 0)).singles().size()).isEqualTo(2);
  }

  @Test
  @DisplayName("D135 One of an earlier program of the instance is deleted by the next")
  void restart() {
    loseCreation();
    readFor(world.program(Samples.SETTINGS), 16);
    assertThat(world.ec2.unattached()).isZero();
  }

  @Test
  @DisplayName("D135 One that was detached and not deleted is deleted later")
  void detached() {
    world.answer(program.read());
    String made = world.answer(program.create(1, 0)).id();
    readFor(program, 20);
    world.lose("DeleteNetworkInterface", false);
    CallResult<?> removed = removed(made);
    assertThat(removed.refusal().orElseThrow().kind()).isEqualTo(Failure.Kind.LOST);
    world.answer();
    assertThat(world.ec2.unattachedIds()).containsExactly(made);
    readFor(program, 30);
    assertThat(world.ec2.exists(made)).isFalse();
  }

  private CallResult<?> removed(String id) {
    var stage = program.remove(id).toCompletableFuture();
    for (int minute = 0; minute < 15 && !stage.isDone(); minute++) {
      world.run(MINUTE);
    }
    return stage.getNow(null);
  }

  @Test
  @DisplayName("D135 Those of others, and of other instances, are never deleted")
  void ofOthers() {
    loseCreation();
    String here = " (" + world.instance + ")";
    Set<String> parked =
        Set.of(
            world.ec2.parked(world.home(), "theirs", Map.of()),
            world.ec2.parked(world.home(), "theirs", Map.of(INSTANCE, world.instance, TOKEN, "t")),
            world.ec2.parked(world.home(), "Tidemark" + here, Map.of()),
            world.ec2.parked(world.home(), "Tidemark" + here, Map.of(TOKEN, "t")),
            world.ec2.parked(world.home(), "Tidemark" + here, Map.of(INSTANCE, world.instance)),
            world.ec2.parked(
                world.home(), "aws-K8S-" + world.instance, Map.of(INSTANCE, world.instance)),
            world.ec2.parked(world.home(), "Tidemark (i-0)", Map.of(INSTANCE, "i-0", TOKEN, "t")));
    readFor(program, 90);
    assertThat(world.ec2.unattachedIds()).containsExactlyInAnyOrderElementsOf(parked);
  }

  @Test
  @DisplayName("One that is attached while it is looked at stays")
  void attachedMeanwhile() {
    loseCreation();
    String left = world.ec2.unattachedIds().get(0);
    readFor(program, 4);
    world.ec2.attach(left, world.instance, 2);
    readFor(program, 30);
    assertThat(world.ec2.interfaces(world.instance))
        .extracting(each -> each.id().text())
        .contains(left);
  }

  @Test
  @DisplayName("While nothing can be left behind EC2 is asked for it once an hour")
  void rarely() {
    readFor(program, 15);
    world.requests.clear();
    readFor(program, 180);
    assertThat(listings() - 180).isBetween(2L, 4L);
    loseCreation();
    world.requests.clear();
    readFor(program, 60);
    assertThat(listings() - 60).as("asked, confirmed, asked again").isBetween(2L, 6L);
  }

  private long listings() {
    return world.sent("DescribeNetworkInterfaces");
  }

  @Test
  @DisplayName("D135 One that somebody detaches is deleted; one of others leads to no listing")
  void detachedByOthers() {
    String parked = world.ec2.parked(world.home(), "theirs", Map.of());
    String theirs = world.ec2.attach(parked, world.instance, 1);
    readFor(program, 1);
    String made = world.answer(program.create(1, 0)).id();
    readFor(program, 20);
    world.requests.clear();
    world.ec2.detach(theirs);
    readFor(program, 16);
    assertThat(listings() - 16).as("of others").isZero();
    world.ec2.detach(world.ec2.interfaces(world.instance).get(1).attachment().orElseThrow().id());
    readFor(program, 16);
    assertThat(world.ec2.exists(made)).isFalse();
    assertThat(world.ec2.unattachedIds()).containsExactly(parked);
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

  @Test
  @DisplayName("Without an interval nothing is looked for")
  void off() {
    EniSettings settings = Copies.with(SettingsSample.USUAL, "collectionInterval", Duration.ZERO);
    loseCreation();
    world.requests.clear();
    readFor(world.program(settings), 60);
    assertThat(List.copyOf(world.requests)).hasSize(60);
    assertThat(world.ec2.unattached()).isEqualTo(1);
  }
}
