package io.tidemark.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.ResourceProblem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Who is told the names of changed nodes needs no look at all of them (node-manager 5)")
class ChangesTest {
  private static final Duration STEP = Duration.ofMillis(10);
  private static final Duration ONE_MINUTE = Duration.ofMinutes(1);

  private final NodeWorld world =
      NodeWorld.started(EngineConfig.defaults().releasingAfter(Duration.ofSeconds(2)));
  private final List<String> told = new ArrayList<>();
  private final Map<String, String> followed = new TreeMap<>();

  ChangesTest() {
    world.manager.onChange(told::add);
  }

  @Test
  @DisplayName("a copy kept by the changes is equal to all reports after each step")
  void follows() {
    world.create("node1", 8, 0);
    world.create("node2", 8, 0);
    follow(Duration.ofSeconds(3));
    world.use("node1", 7);
    follow(Duration.ofSeconds(3));
    world.use("node1", 1);
    follow(Duration.ofSeconds(4));
    world.agentActs("node1");
    follow(Duration.ofSeconds(4));
    world.manager.refused(
        "node2", List.of(new ResourceProblem("node2.yaml", "spec", "is not an object", "mend it")));
    follow(STEP);
    assertEquals(NodeState.INVALID, world.report("node2").state());
    world.edit("node2", resource -> resource);
    world.manager.upsert(world.resource("node2"));
    follow(Duration.ofSeconds(2));
    assertEquals(NodeState.OK, world.report("node2").state());
    world.server.delete("node2");
    follow(Duration.ofSeconds(2));
    assertEquals(1, followed.size());
    world.create("node2", 8, 0);
    follow(Duration.ofSeconds(3));
    assertEquals("8/0", world.availableUsed("node2"));
  }

  @Test
  @DisplayName("nothing is told while nothing happens, nor of a node beside the one that changes")
  void quiet() {
    world.create("node1", 8, 0);
    world.create("node2", 8, 0);
    world.run(ONE_MINUTE);
    told.clear();
    world.run(ONE_MINUTE);
    world.manager.resync();
    world.run(ONE_MINUTE);
    assertEquals(List.of(), told);
    world.use("node2", 7);
    world.run(ONE_MINUTE);
    assertEquals(List.of("node2"), told.stream().distinct().toList());
  }

  /** In steps, and compares after each. */
  private void follow(Duration time) {
    for (Duration at = Duration.ZERO; at.compareTo(time) < 0; at = at.plus(STEP)) {
      world.run(STEP);
      for (String name : told) {
        world
            .manager
            .report(name)
            .ifPresentOrElse(
                report -> followed.put(name, shown(report)), () -> followed.remove(name));
      }
      told.clear();
      Map<String, String> all = new TreeMap<>();
      world.manager.reports().forEach(report -> all.put(report.name(), shown(report)));
      assertEquals(all, followed, "after " + at.plus(STEP));
    }
  }

  /** All but whether something is queued just now. */
  private static String shown(NodeReport report) {
    return report.toString().replaceAll("settled=\\w+", "");
  }
}
