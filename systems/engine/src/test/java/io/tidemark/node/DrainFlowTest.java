package io.tidemark.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.ip.AddressSet;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.HandshakeState;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.BlockedReason;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A node with an interface that shall be emptied")
class DrainFlowTest {
  private static final Duration A_MOMENT = Duration.ofMillis(200);

  private final NodeWorld world =
      NodeWorld.started(EngineConfig.defaults().releasingAfter(Duration.ofMinutes(3)));
  private final ScriptedNode node = full();

  /** Eight addresses, none used. */
  private ScriptedNode full() {
    world.create("a", 8, 0);
    world.run(Duration.ofSeconds(1));
    assertEquals("8/0", world.availableUsed("a"));
    return world.provider.node("a");
  }

  /** Marks all attached addresses as leaving; the next look finds that. */
  private AddressSet drain() {
    AddressSet old = node.singles();
    node.drain();
    world.manager.requestMaintenance("a");
    return old;
  }

  private static CompletionStage<AllocationOutcome> noRoom() {
    return CompletableFuture.completedStage(
        new AllocationOutcome.PoolExhausted(ScriptedProvider.GLOBAL));
  }

  private Optional<BlockedReason> reason() {
    return world.blockedReason("a");
  }

  @Test
  @DisplayName("gets others first; then those go by the handshake, like any surplus")
  void replaced() {
    AddressSet old = drain();
    world.run(Duration.ofSeconds(1));
    assertEquals("16/0", world.availableUsed("a"));
    world.run(Duration.ofMinutes(4));
    assertEquals(old, AddressSet.copyOf(world.resource("a").releaseIps().keySet()));
    assertEquals(0, node.released.size(), "the agent did not answer yet");
    world.agentAnswers("a", HandshakeState.READY_FOR_RELEASE);
    world.run(Duration.ofMinutes(1));
    world.agentCleansUp("a");
    world.run(Duration.ofMinutes(1));
    assertEquals("8/0", world.availableUsed("a"));
    assertEquals(0, node.singles().intersect(old).size());
    assertEquals(NodeState.OK, world.report("a").state());
  }

  @Test
  @DisplayName("whose replacement failed gives pods what they lack at once")
  void failureOfReplacement() {
    node.refuseAllocation(Failure.Kind.TRANSIENT);
    AddressSet old = drain();
    world.run(A_MOMENT);
    assertEquals(2, node.allocated.size(), "the first eight, and the one that was refused");
    assertEquals(Optional.empty(), reason(), "nothing is missing");
    world.use("a", old.first(4));
    world.run(A_MOMENT);
    assertEquals(3, node.allocated.size());
    assertEquals(8, node.allocated.get(2).ipv4().wanted(), "four missing, four replaced with them");
    assertEquals("16/4", world.availableUsed("a"));
  }

  @Test
  @DisplayName("whose pods lack addresses when the token comes books a failure as theirs")
  void failureOfNeedAtTheToken() {
    world.provider.calls.hold();
    AddressSet old = drain();
    world.run(A_MOMENT);
    assertEquals(1, world.provider.calls.waiters().size(), "a replacement waits for its turn");
    world.use("a", old.first(4));
    world.run(A_MOMENT);
    node.refuseAllocation(Failure.Kind.TRANSIENT);
    world.provider.calls.grantAll();
    world.run(A_MOMENT);
    assertEquals(2, node.allocated.size());
    assertEquals(Optional.of(BlockedReason.BACKING_OFF), reason());
  }

  @Test
  @DisplayName("counts answers without room for pods apart from those for the replacement")
  void noRoomApart() {
    node.allocations.add(DrainFlowTest::noRoom);
    node.allocations.add(DrainFlowTest::noRoom);
    CompletableFuture<AllocationOutcome> third = node.hangAllocation();
    AddressSet old = drain();
    world.run(A_MOMENT);
    assertEquals(4, node.allocated.size());
    world.use("a", old.first(4));
    world.run(A_MOMENT);
    for (int i = 0; i < 3; i++) {
      node.allocations.add(DrainFlowTest::noRoom);
    }
    third.complete(new AllocationOutcome.PoolExhausted(ScriptedProvider.GLOBAL));
    world.run(Duration.ofMillis(400));
    assertEquals(Optional.empty(), reason(), "three answers without room, not six");
    assertEquals(0, world.report("a").needed());
  }
}
