package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.metrics.Metric;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.PodIpPool;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Two operators on one resource (reliability: leader change, eventual consistency)")
class TwoOperatorsTest {
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);

  private final NodeWorld world = NodeWorld.filled();

  @Test
  @DisplayName(
      "a home that knows who it was: explanation, event and metric name it, until it stops")
  void named() {
    NodeStory.run(world, "named", "rival other-operator");
    world.run(ONE_SECOND);
    assertEquals(
        "another operator wrote the pool, status or marks;"
            + " the pool was last written by 'other-operator'",
        world.report("node1").blocked().orElseThrow().detail());
    assertThat(world.explain("node1").toText()).contains("TM-1217", "'other-operator'");
    assertEquals(List.of("node1 SECOND_OWNER"), world.told);
    assertEquals(Map.of("node1 other-operator", 1.0), world.metrics.all(Metric.SECOND_OWNER));

    NodeStory.run(world, "named anew", "rival third-operator");
    world.edit("node1", now -> now.withPool(PodIpPool.of(Map.of())));
    world.run(ONE_SECOND);
    assertEquals(Map.of("node1 third-operator", 1.0), world.metrics.all(Metric.SECOND_OWNER));

    world.run(Duration.ofMinutes(2));
    assertEquals(NodeState.OK, world.report("node1").state());
    assertEquals(Map.of(), world.metrics.all(Metric.SECOND_OWNER));
    assertEquals(List.of("node1 SECOND_OWNER", "node1 SECOND_OWNER cleared"), world.told);
  }

  @DisplayName("of two operators the one whose write comes last goes on, and each is known")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a pool of another stops every change and write, and what follows begins with a read \
            | rival; use 6; 29s; stands BLOCKED SECOND_OWNER false; requests; asked 1; reads 0; \
              32s; reads 1; is 14/6; state OK; inStep
          a read that fails is not the one that must come first: nothing happens before one \
            | noRead TRANSIENT; readHangs; rival; use 6; 70s; reads 2; why READING_BACK; \
              requests; asked 1; readEnds; 1s; is 14/6; state OK
          where the home does not record names the metric says unknown \
            | rival; 1s; owner unknown; because another operator wrote the pool, status or marks
          a mark of another is left alone while its maker may be giving the address back \
            | puts marked-for-release; acts; use 2; 29s; entries 1; marks ready-for-release; 32s; \
              marks
          an answer to a mark that was never seen proves that another set the mark \
            | puts ready-for-release; 1s; why SECOND_OWNER; entries 1; marks ready-for-release
          an older pool whose last write is our own was restored: it is corrected at once, and no rival told \
            | ownWrite 1000; use 3; 20s; is 11/3; ownWrite 900; rival; 1s; why none; told; \
              owner none; 20s; inStep; state OK
          a pool that another wrote is of another, however old our own last write is \
            | ownWrite 1000; use 3; 20s; rival other-operator; 1s; why SECOND_OWNER
          a second operator of our own name is one as before, since its write is newer \
            | ownWrite 1000; use 3; 20s; ownWrite 1000; rival; 1s; why SECOND_OWNER
          on another instance the node keeps still for as long \
            | rival; 1s; instance i-2; 27s; why SECOND_OWNER; owner unknown; asked 1; 34s; state OK
          writes of agents and our own whose answer was lost are of no other operator \
            | losesAnswers; use 3; 20s; slow 0s; 40s; state OK; inStep; pool 11
          what an old read may have shown at the start is offered after a later one \
            | horizon 60s; attached 12345678; create p=8 P=9; start; 1s; pool 0; unsettled; \
              attached 12345; 62s; pool 8; contains 12345; settled
          an instance born with addresses is offered at once: nobody can have taken them back \
            | horizon 60s; attached 12345678; create p=8; start; 1s; pool 8; settled
          soon after the start a later read may be older; what we added ourselves is offered \
            | horizon 60s; attached 9; create p=8 P=9; start; 1s; singles 8; inStep; adds 7; \
              resync; 50s; singles 9; inStepBut 7; detached 7; 20s; singles 8; inStep; settled
          what a predecessor called released, and what a read did not show, waits as well \
            | horizon 60s; attached 8; create p=8 P=89 D=8; start; 1s; singles 8; inStepBut 8; \
              adds 9; resync; 30s; singles 9; inStepBut 89; 40s; singles 9; inStep
          D-22 a late write of the predecessor is taken over: the node begins again with it, unblocked \
            | horizon 60s; attached 1; create p=8 P=1; meanwhile UPDATE.* pools 12; predecessor; \
              start; 1s; begun 2; told; owner none; why none; is 8/0; inStep
          D-22 what such a write took out of the pool is offered only after a later read \
            | horizon 60s; attached 12; create p=8 P=12; meanwhile UPDATE.* pools 1; predecessor; \
              start; 50s; without 2; detached 2; 20s; state OK; inStep
          D-22 it is taken over seconds later as well, as long as nothing was written here \
            | attached 1; create p=8 P=1; answers UPDATE.* failed; predecessor; start; 5s; pools 12; \
              usual; 60s; owner none; why none; inStep; pools 1; 1s; why SECOND_OWNER
          D-22 another operator's is no such write \
            | horizon 60s; attached 1; create p=8 P=1; meanwhile UPDATE.* pools 12; start; 1s; \
              why SECOND_OWNER
          D-22 and neither is one after our own first write | predecessor; rival; 1s; why SECOND_OWNER
          """)
  void story(String what, String story) {
    NodeStory.run(EngineConfig.defaults(), what, story);
  }

  @Test
  @DisplayName("the pause moves on with each write of the other, and the next episode is longer")
  void moves() {
    NodeStory.run(
        world,
        "ten writes in one episode, and then another",
        "pools 1; 20s; why SECOND_OWNER; pools 2; 20s; why SECOND_OWNER; ".repeat(5)
            + "42s; state OK; rival; 59s; why SECOND_OWNER; 62s; state OK");
  }
}
