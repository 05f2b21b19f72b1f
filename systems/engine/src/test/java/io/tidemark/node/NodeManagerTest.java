package io.tidemark.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.metrics.Metric;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.testing.Samples;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Node manager tests of the catalogue (node-manager 10.3)")
class NodeManagerTest {
  private static final Duration FIVE_SECONDS = Duration.ofSeconds(5);
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);

  private final EngineConfig plain = EngineConfig.defaults();
  private final EngineConfig releasing =
      EngineConfig.defaults().releasingAfter(Duration.ofSeconds(2));

  @DisplayName(
      "C-10 C-11 C-12 C-13 C-14 C-15 C-16 C-17 C-18 C-21 the watermarks hold, whatever pods, agent and cloud do")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          C-13 default watermarks \
            | create p=8; start; 1s; is 8/0; use 7; 1s; is 15/7; pool 15
          C-14 min-allocate alone, then 20 with pre-allocate unset, which is written then \
            | create p=1 m=10; start; 1s; is 10/0; use 8; 1s; is 10/8; pool 10; wants 0 20 0 0; \
              1s; is 20/8; preAllocate 8
          C-15 min and pre-allocate together \
            | create p=1 m=10; start; 1s; is 10/0; use 9; 1s; is 10/9; use 10; 1s; is 11/10; \
              use 8; 1s; is 11/8; pool 11
          C-16 release: 19/0, 19/11, 27/19, excess waits for the agent, then 19/10 \
            | create p=4 m=15 w=4; start; 1s; is 19/0; use 11; 1s; is 19/11; use 19; 1s; \
              is 27/19; use 10; 4s; is 27/10; entries 8; acknowledges; 5s; is 19/10; pool 19; \
              marks released; cleans; 1s; entries 0; settled
          C-17 abort: an acknowledged address that is needed again is not released \
            | create p=1 m=3; start; 1s; use 3; 1s; use 2; 4s; is 4/2; entries 1; hold; \
              acknowledges; 1s; use 3; 1s; grant; 1s; entries 0; is 4/3; released 0; givenBack 1
          C-18 a released address that is assigned again is freed of its entry: 4/2 \
            | create p=1 m=3; start; 1s; use 3; 1s; use 2; 4s; is 4/2; entries 1; remember; \
              acknowledges; 1s; is 3/2; marks released; unhide; resync; 1s; entries 0; is 4/2; \
              inStep
          C-21 a missing instance is looked for once, again after a transient failure \
            | create p=8; start; 1s; missing; noRead TRANSIENT; resync; resync; 500ms; reads 1; \
              stands BLOCKED INSTANCE_MISSING false; 10s; reads 2; readSaysGone; shown; resync; \
              1s; state OK; missing; resync; 1s; reads 3; vanished; resync; 1m; resync; 1m; \
              resync; 1m; reads 3; settled
          C-10 C-11 names follow upserts and deletes, and a node is found while it exists \
            | create; start; 1s; names node1; state OK; @node2 unknown; create; 1s; \
              names node1 node2; @node1 delete; 1s; names node2; unknown
          C-12 a deleted node's gauges are removed; other names are untouched \
            | create; start; 1s; resync; 1s; value USED_IPS node1 0; value NODE_SPARE_IPS node1 8; \
              @other forget; @node1 delete; 1s; metric NODE_SPARE_IPS; unknown; @other unknown; names
          """)
  void story(String what, String story) {
    NodeStory.run(NodeWorld.idle(releasing), what, story);
  }

  @Test
  @DisplayName("C-14 a negative pre-allocate lets min-allocate alone decide")
  void negativePreAllocate() {
    NodeWorld world = NodeWorld.started(plain);
    // No store keeps a negative mark, so it comes from whoever calls the manager.
    world.manager.upsert(Samples.node("node1", -1, 10, 0));
    world.run(FIVE_SECONDS);
    assertEquals("10/0", world.availableUsed("node1"));
    world.manager.upsert(Samples.node("node1", -1, 10, 8));
    world.run(ONE_SECOND);
    assertEquals("10/8", world.availableUsed("node1"));
  }

  @Test
  @DisplayName("C-19 a hundred nodes reach 10/0, and the sums are right")
  void manyNodes() {
    NodeWorld world = NodeWorld.started(plain);
    for (int i = 0; i < 100; i++) {
      world.create("node" + i, 1, 10);
    }
    world.run(FIVE_SECONDS);
    for (int i = 0; i < 100; i++) {
      assertEquals("10/0", world.availableUsed("node" + i));
    }
    world.manager.resync();
    world.run(ONE_SECOND);
    ClusterStatistics sums = world.manager.statistics();
    assertEquals(
        new ClusterStatistics(0, 1000, 0, sums.remainingInterfaces(), 100, 0, 100, 0, 0), sums);
    assertEquals(100, world.metrics.value(Metric.NODES, "total"));
    assertEquals(0, world.metrics.value(Metric.NODES, "in-deficit"));
    assertEquals(0, world.metrics.value(Metric.NODES, "at-capacity"));
    assertEquals(1000, world.metrics.value(Metric.IPS, "available"));
    assertEquals(0, world.metrics.value(Metric.IPS, "needed"));
    assertEquals(0, world.metrics.value(Metric.IPS, "used"));
    assertEquals(2, world.metrics.value(Metric.RESYNC_TOTAL));
  }
}
