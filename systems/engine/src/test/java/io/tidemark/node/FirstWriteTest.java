package io.tidemark.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.node.config.EngineConfig;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AddressPlan;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The first write of a node waits for its first addresses")
class FirstWriteTest {
  private static final Duration ALMOST =
      NodeStatusWriter.WriteSchedule.LONGEST_FIRST_PASS.minusMillis(1);
  private static final List<String> STATUS = List.of("UPDATE_STATUS node1");
  private static final List<String> STATUS_AND_SPEC =
      List.of("UPDATE_STATUS node1", "UPDATE node1");

  private final NodeWorld world = NodeWorld.started(EngineConfig.defaults());
  private final ScriptedNode node = world.provider.prepared("node1");

  @Test
  @DisplayName("from nothing to the watermark: one write of the status and one of the spec")
  void together() {
    world.create("node1", 8, 0);
    world.run(Duration.ofMinutes(1));
    assertEquals("8/0", world.availableUsed("node1"));
    assertEquals(STATUS_AND_SPEC, world.takeRequests());
  }

  @Test
  @DisplayName("a first pass that takes seconds delays it, and both come with the addresses")
  void slowPass() {
    CompletableFuture<AllocationOutcome> answer = node.hangAllocation();
    world.create("node1", 8, 0);
    world.run(ALMOST);
    assertEquals(List.of(), world.takeRequests());
    answer.complete(node.grow(new AddressPlan(8, 8, OptionalInt.empty(), 1, 1)));
    world.run(Duration.ofMinutes(1));
    assertEquals(STATUS_AND_SPEC, world.takeRequests());
  }

  @Test
  @DisplayName("but not for longer than half a minute")
  void bounded() {
    CompletableFuture<AllocationOutcome> answer = node.hangAllocation();
    world.create("node1", 8, 0);
    world.run(NodeStatusWriter.WriteSchedule.LONGEST_FIRST_PASS.plusMillis(10));
    assertEquals(STATUS, world.takeRequests());
    answer.complete(node.grow(new AddressPlan(8, 8, OptionalInt.empty(), 1, 1)));
    world.run(Duration.ofMinutes(1));
    assertEquals(STATUS_AND_SPEC, world.takeRequests());
  }

  @Test
  @DisplayName("a pass that fails ends the wait")
  void failed() {
    node.refuseAllocation(Failure.Kind.CONFIGURATION);
    world.create("node1", 8, 0);
    world.run(Duration.ofMillis(100));
    assertEquals(STATUS, world.takeRequests());
  }

  @Test
  @DisplayName("of a node that is blocked, or asks for nothing, it does not wait")
  void nothingToWaitFor() {
    node.blocked = Optional.of(new Blocked(BlockedReason.NO_SUBNET, "none fits"));
    world.create("node1", 8, 0);
    world.run(Duration.ofMillis(100));
    assertEquals(STATUS, world.takeRequests());
  }
}
