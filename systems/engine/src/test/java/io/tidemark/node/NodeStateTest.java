package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.node.config.EngineConfig;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What is said of a node is what its object and its instance have")
class NodeStateTest {
  private static final EngineConfig PLAIN = EngineConfig.defaults();

  @Test
  @DisplayName("CO-8 a node is not reported, and not blocked, before it is read")
  void firstEvents() {
    NodeWorld world = NodeWorld.idle(PLAIN);
    List<NodeReport> told = new ArrayList<>();
    world.manager.onChange(name -> world.manager.report(name).ifPresent(told::add));
    world.create("node1", 8, 0);
    world.manager.upsert(world.resource("node1"));
    NodeReport first = world.report("node1");
    assertThat(first.state()).isEqualTo(NodeState.WAITING);
    assertThat(first.blocked()).isEmpty();
    assertThat(first.settled()).isFalse();
    world.start();
    world.run(Duration.ofSeconds(2));
    assertThat(told)
        .extracting(NodeReport::state)
        .doesNotContain(NodeState.WAITING, NodeState.INCOMPLETE);
    assertThat(told)
        .extracting(report -> report.blocked().map(Blocked::reason))
        .doesNotContain(Optional.of(BlockedReason.NO_INSTANCE_ID));
    assertThat(told.get(told.size() - 1).state()).isEqualTo(NodeState.OK);
  }

  @Test
  @DisplayName("a node that gets another instance waits for its read, and is not incomplete")
  void replaced() {
    NodeWorld world = NodeWorld.started(PLAIN);
    world.create(Samples.node("node1").preAllocate(8).build());
    world.run(Duration.ofSeconds(1));
    assertThat(world.report("node1").state()).isEqualTo(NodeState.INCOMPLETE);
    world.edit("node1", resource -> resource.withInstanceId("i-1"));
    world.run(Duration.ofSeconds(2));
    List<NodeReport> told = new ArrayList<>();
    world.manager.onChange(name -> world.manager.report(name).ifPresent(told::add));
    world.edit("node1", resource -> resource.withInstanceId("i-2"));
    world.run(Duration.ofSeconds(2));
    assertThat(told).extracting(NodeReport::state).doesNotContain(NodeState.INCOMPLETE);
  }

  @DisplayName("what is missing in the object is missing, whatever the instance has")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a node whose object lacks what is attached is filling, and ok when it is written \
            | attached 12345678; create p=8; answers UPDATE_STATUS failed; start; 1s; is 8/0; \
              needed 0; state FILLING; pool 0; says node node1 is filling; \
              says not in the object 8; \
              tells what you can do: Wait: the operator writes the addresses into the object; \
              usual; 1m; pool 8; state OK; hides not in the object; settled
          a pool that the server did not keep is missing, whatever the write was answered \
            | state OK; attached -; answers UPDATE ignored; use 3; 2s; needed 0; available 11; \
              pool 8; state FILLING
          """)
  void story(String what, String story) {
    NodeStory.run(PLAIN, what, story);
  }
}
