package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Cordoned nodes and those about to go keep no spare addresses (pre-allocate-cordoned)")
class ClosedNodesTest {
  private static final Duration WHILE = Duration.ofSeconds(1);

  @DisplayName(
      "What is missing: the agent's start, the floor, pods that wait; never more than open")
  @ParameterizedTest(name = "a={0} u={1} p={2} m={3} M={4} pending={5}: open {6}, closed {7}")
  @CsvSource({
    "0, 0, 8, 0, 0, 0, 8, 8", // an agent that starts waits for 8
    "0, 0, 8, 20, 0, 0, 20, 20", // or for its floor
    "5, 0, 8, 0, 0, 0, 3, 3", // whatever is used of them
    "8, 0, 8, 12, 0, 0, 4, 4",
    "8, 9, 8, 0, 0, 0, 9, 1",
    "8, 7, 8, 0, 0, 90, 7, 7", // never more than an open node misses
    "8, 5, 8, 0, 0, 0, 5, 0", // full enough to start, nobody waits
    "8, 8, 8, 0, 0, 0, 8, 0",
    "8, 8, 8, 0, 0, 3, 8, 3", // three wait
    "8, 6, 8, 0, 0, 3, 6, 1", // two of them find a free one
    "8, 8, 4, 0, 0, 9, 4, 4", // the rest is asked for by the next pass
    "10, 8, 8, 20, 0, 0, 10, 10",
    "16, 16, 8, 0, 18, 5, 2, 2", // the ceiling holds
    "20, 18, 8, 0, 18, 5, 0, 0",
    "4, 9, 8, 0, 0, 0, 13, 5", // used may exceed available while data is stale
    "30, 2, 8, 0, 0, 0, 0, 0"
  })
  void needed(int a, int u, int p, int m, int max, int pending, int open, int closed) {
    OptionalInt ceiling = max == 0 ? OptionalInt.empty() : OptionalInt.of(max);
    Watermarks marks = new Watermarks(p, m, ceiling, 4);
    assertThat(marks.needed(a, u)).isEqualTo(open);
    assertThat(marks.neededWhenClosed(a, u, pending)).isEqualTo(closed);
  }

  @Test
  @DisplayName(
      "a resource with a deletion timestamp keeps all it has and grows for waiting pods alone, until"
          + " it is gone")
  void beingDeleted() {
    NodeWorld world = NodeWorld.started(EngineConfig.defaults());
    world.pendingPods.put("node1", 0);
    world.create(marked(Samples.node("node1", 8, 0, 0)));
    world.run(WHILE);
    assertThat(world.resource("node1").beingDeleted()).isTrue();
    world.use("node1", 8);
    world.run(Duration.ofMinutes(30));
    assertThat(world.report("node1").state()).isEqualTo(NodeState.OK);
    assertThat(world.availableUsed("node1")).isEqualTo("8/8");

    world.pendingPods.put("node1", 3);
    world.manager.requestMaintenance("node1");
    world.run(WHILE);
    assertThat(world.availableUsed("node1")).isEqualTo("11/8");
    world.manager.delete("node1");
    world.run(WHILE);
    assertThat(world.manager.report("node1")).isEmpty();
  }

  private static NodeResource marked(NodeResource resource) {
    String text =
        NodeResourceJson.print(resource)
            .replaceFirst(
                "\"metadata\":\\{",
                "\"metadata\":{\"deletionTimestamp\":\"2026-01-01T00:00:00Z\",");
    return NodeResourceJson.parse(text, "test")
        .match(
            read -> read,
            refused -> {
              throw new AssertionError(refused.problems().toString());
            });
  }

  @DisplayName("a closed node keeps what it has and gets what its agent waits for")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a scan alone notices that a node was opened; nothing is taken when it is closed \
            | create p=8; start; 1s; pending 0; close; 30m; is 8/0; use 3; 1s; is 8/3; open; 10m; \
              is 11/3
          a cordoned node that joins is filled as far as its agent waits for, and no further \
            | pending 0; close; create w=4; start; 1s; is 8/0
          a cordoned node gets what its pods wait for, and spares again when it is open \
            | create p=8; start; 1s; pending 0; close; use 8; 1s; is 8/8; state OK; needed 0; \
              says pre-allocate 8 (not kept: the node takes no new pods); \
              says needed 0 for the start of its agent and pods that wait; pending 2; maintain; 1s; \
              is 10/8; pending 0; open; maintain; 1s; is 16/8
          """)
  void story(String what, String story) {
    NodeStory.run(NodeWorld.idle(EngineConfig.defaults()), what, story);
  }

  @Test
  @DisplayName(
      "where waiting pods are not counted, and in the profile of the reference, all is kept")
  void keptAllTheSame() {
    EngineConfig plain = EngineConfig.defaults();
    NodeWorld uncounted = NodeWorld.started(plain);
    NodeWorld reference = NodeWorld.started(EngineConfig.of(Map.of("ipam-profile", "reference")));
    reference.pendingPods.put("node1", 0);
    for (NodeWorld world : new NodeWorld[] {uncounted, reference}) {
      world.closed.add("node1");
      world.create("node1", 8, 0);
      world.run(WHILE);
      world.use("node1", 8);
      world.run(Duration.ofMinutes(2));
      assertThat(world.availableUsed("node1")).isEqualTo("16/8");
    }
  }
}
