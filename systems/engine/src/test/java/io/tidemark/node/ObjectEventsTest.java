package io.tidemark.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.resilience.Failure;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.spi.BlockedReason;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a person is told of a node")
class ObjectEventsTest {
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);

  private final NodeWorld world = settled();

  private static NodeWorld settled() {
    NodeWorld world = NodeWorld.filled();
    assertEquals(List.of(), world.told);
    return world;
  }

  @Test
  @DisplayName("A refusal is told once, however often it is met, and cleared when it is mended")
  void once() {
    world.provider.node("node1").refuseAllocation(Failure.Kind.CONFIGURATION);
    world.use("node1", 2);
    world.run(ONE_SECOND);
    assertEquals(List.of("node1 CLOUD_REFUSED"), world.told);

    world.provider.node("node1").refuseAllocation(Failure.Kind.CONFIGURATION);
    world.run(Duration.ofMinutes(5));
    assertEquals("BLOCKED", world.report("node1").state().name());
    assertEquals(List.of("node1 CLOUD_REFUSED"), world.told);

    world.run(Duration.ofMinutes(6));
    assertEquals("OK", world.report("node1").state().name());
    assertEquals(List.of("node1 CLOUD_REFUSED", "node1 CLOUD_REFUSED cleared"), world.told);

    world.provider.node("node1").refuseAllocation(Failure.Kind.CONFIGURATION);
    world.use("node1", 4);
    world.run(ONE_SECOND);
    assertEquals("node1 CLOUD_REFUSED", world.told.get(2));
  }

  @Test
  @DisplayName("A failure that passes by itself is nobody's business")
  void transientFailure() {
    world.provider.node("node1").refuseAllocation(Failure.Kind.TRANSIENT);
    world.use("node1", 1);
    world.run(Duration.ofSeconds(10));
    assertEquals(List.of(), world.told);
  }

  @Test
  @DisplayName("A node that goes takes what is open of it along")
  void gone() {
    world.provider.node("node1").refuseAllocation(Failure.Kind.CONFIGURATION);
    world.use("node1", 2);
    world.run(ONE_SECOND);
    world.manager.delete("node1");
    world.run(ONE_SECOND);
    assertEquals(List.of("node1 CLOUD_REFUSED", "node1 CLOUD_REFUSED cleared"), world.told);
  }

  @Test
  @DisplayName("An object that cannot be read is told once, of unknown nodes too")
  void unreadable() {
    List<ResourceProblem> problems =
        List.of(new ResourceProblem("nodes.yaml:3", "spec.ipam", "is no map", "Correct it."));
    world.manager.refused("node2", problems);
    world.manager.refused("node2", problems);
    assertEquals(List.of("node2 INVALID_RESOURCE"), world.told);
    world.create("node2", 8, 0);
    world.run(ONE_SECOND);
    assertEquals(List.of("node2 INVALID_RESOURCE", "node2 INVALID_RESOURCE cleared"), world.told);
  }

  @Test
  @DisplayName("What passes by itself, and what agents write while they start, is for no person")
  void reasons() {
    Set<BlockedReason> forNobody =
        Arrays.stream(BlockedReason.values())
            .filter(reason -> !ReportedConditions.isForPerson(reason))
            .collect(Collectors.toSet());
    assertEquals(
        Set.of(
            BlockedReason.NO_INSTANCE_ID,
            BlockedReason.INSTANCE_MISSING,
            BlockedReason.INSTANCE_NOT_RUNNING,
            BlockedReason.INSTANCES_API_UNSTABLE,
            BlockedReason.INSTANCES_ELSEWHERE,
            BlockedReason.BACKING_OFF,
            BlockedReason.READING_BACK),
        forNobody);
  }
}
