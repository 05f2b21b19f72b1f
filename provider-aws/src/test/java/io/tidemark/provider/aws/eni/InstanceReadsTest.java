package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface.Attachment;
import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.provider.aws.ec2.EditedEc2;
import io.tidemark.provider.aws.metadata.InstanceInterface;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.InstanceId;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What a program of one instance takes from EC2's descriptions")
class InstanceReadsTest {
  private final InstanceWorld world = new InstanceWorld();

  /** Edits the interfaces of an answer about the instance. */
  private UnaryOperator<List<AwsNetworkInterface>> shown = all -> all;

  private final InstanceInterfaces program = program();

  private InstanceInterfaces program() {
    world.door =
        api ->
            EditedEc2.reads(
                api,
                (query, all) ->
                    query.values().containsKey("attachment.instance-id") ? shown.apply(all) : all);
    return world.program(Samples.SETTINGS);
  }

  private List<String> read() {
    return world.answer(program.read()).stream().map(InstanceInterface::id).toList();
  }

  /** EC2 shows the second interface with another attachment. */
  private void second(UnaryOperator<Attachment> changed) {
    shown =
        all ->
            all.stream()
                .map(
                    each ->
                        each.attachment().filter(at -> at.deviceIndex() > 0).isPresent()
                            ? Copies.with(each, "attachment", each.attachment().map(changed))
                            : each)
                .toList();
  }

  private void attachOfOthers() {
    world.attachOfOthers("node1", 1, Map.of());
    world.run(Duration.ofMinutes(1));
  }

  @Test
  @DisplayName("An interface that is attached to another instance is not one of this instance")
  void ofAnother() {
    attachOfOthers();
    assertThat(read()).hasSize(2);
    second(at -> Copies.with(at, "instance", Optional.of(new InstanceId("i-0"))));
    assertThat(read()).hasSize(1);
  }

  @Test
  @DisplayName("An interface that is being detached is not there any more")
  void leaving() {
    attachOfOthers();
    for (String status : List.of("detaching", "detached")) {
      shown = all -> all;
      assertThat(read()).hasSize(2);
      second(at -> Copies.with(at, "status", status));
      assertThat(read()).as(status).hasSize(1);
    }
  }

  @Test
  @DisplayName(
      "A description without the instance's own interface is a failure and changes nothing")
  void inPart() {
    attachOfOthers();
    String own = read().get(0);
    shown = all -> all.stream().filter(each -> !each.id().text().equals(own)).toList();
    CallResult<List<InstanceInterface>> result = world.await(program.read());
    assertThat(result.refusal().map(Failure::condition)).contains("notAttached");
    assertThat(world.answer(program.assign(own, 1, 0)).size()).isEqualTo(1);
  }

  @DisplayName(
      "The next program finds a lost creation again in whatever order EC2 shows the others")
  @ParameterizedTest(name = "reversed: {0}")
  @ValueSource(booleans = {false, true})
  void anyOrder(boolean reversed) {
    read();
    world.answer(program.create(1, 0));
    world.lose("CreateNetworkInterface", true);
    assertThat(world.refusal(program.create(2, 0)).kind()).isEqualTo(Failure.Kind.LOST);
    world.answer();
    InstanceInterfaces next = program();
    shown =
        all -> {
          if (reversed) {
            Collections.reverse(all);
          }
          return all;
        };
    assertThat(world.answer(next.read())).hasSize(2);
    world.answer(next.create(2, 0));
    assertThat(world.ec2.interfaces(world.instance)).hasSize(3);
    assertThat(world.ec2.unattached()).isZero();
  }
}
