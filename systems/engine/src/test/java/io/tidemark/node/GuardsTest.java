package io.tidemark.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.ip.AddressSet;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.InMemoryNodeResourceStore.Interference;
import io.tidemark.resource.InMemoryNodeResourceStore.Operation;
import io.tidemark.resource.PodIpPool;
import io.tidemark.resource.StoreResult;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What ends too late, or at the wrong moment, is not believed")
class GuardsTest {
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);

  /** At the first request of one kind another operator writes a pool, and the request conflicts. */
  private static Interference rivalAt(NodeWorld world, Operation operation, PodIpPool pool) {
    boolean[] done = {false};
    return (asked, name) -> {
      if (asked != operation || done[0]) {
        return Optional.empty();
      }
      done[0] = true;
      world.edit(name, now -> now.withPool(pool));
      return Optional.of(new StoreResult.Conflict());
    };
  }

  @Test
  @DisplayName("while an operation of the cloud is under way, reads repeat at a constant pause")
  void operationUnderWay() {
    NodeWorld world = NodeWorld.filled();
    for (int read = 0; read < 6; read++) {
      world
          .provider
          .hangInstanceSync()
          .complete(
              new SyncOutcome.Failed(
                  Failure.of(
                      Failure.Kind.TRANSIENT,
                      SyncOutcome.Failed.OPERATION_UNDER_WAY,
                      "the machine is being changed")));
    }
    world.manager.requestInstanceSync("node1");
    world.run(ONE_SECOND);
    assertEquals(Optional.of(BlockedReason.READING_BACK), world.blockedReason("node1"));
    world.use("node1", 4);
    int allocated = world.provider.node("node1").allocated.size();
    world.run(ONE_SECOND);
    assertEquals(allocated, world.provider.node("node1").allocated.size(), "nothing is decided");
    world.run(Duration.ofSeconds(8));
    assertEquals(7, world.provider.count("instanceSync "), "six pauses did not grow");
    assertEquals(Optional.empty(), world.blockedReason("node1"));
  }

  @Test
  @DisplayName("a read that began before the other operator was quiet proves nothing")
  void readBegunTooEarly() {
    NodeWorld world = NodeWorld.filled();
    world.rivalWritesPool("node1");
    world.run(Duration.ofSeconds(29));
    CompletableFuture<SyncOutcome> early = world.provider.hangInstanceSync();
    world.manager.requestInstanceSync("node1");
    world.run(Duration.ofSeconds(32));
    assertEquals(
        Optional.of(BlockedReason.READING_BACK), world.blockedReason("node1"), "the pause is over");
    CompletableFuture<SyncOutcome> later = world.provider.hangInstanceSync();
    early.complete(new SyncOutcome.Synced(world.provider.generation()));
    world.run(ONE_SECOND);
    assertEquals(Optional.of(BlockedReason.READING_BACK), world.blockedReason("node1"));
    assertEquals(List.of(), world.takeRequests());
    later.complete(new SyncOutcome.Synced(world.provider.generation()));
    world.run(ONE_SECOND);
    assertEquals(Optional.empty(), world.blockedReason("node1"));
    assertEquals(
        world.provider.node("node1").singles(), world.resource("node1").pool().addresses());
  }

  @Test
  @DisplayName("F-3 a pool that was refused, and stands in the object all the same, is another's")
  void refusedWriteIsNotOurs() {
    NodeWorld world = NodeWorld.filled();
    AddressSet next = world.provider.node("node1").singles().plus(world.provider.take(3));
    world.provider.node("node1").attach(next, List.of());
    PodIpPool same = PodIpPool.of(Map.of("eni-node1", next));
    boolean[] refused = {false};
    world.interfere(
        (operation, name) -> {
          if (operation == Operation.UPDATE && !refused[0]) {
            refused[0] = true;
            return Optional.of(new StoreResult.Conflict());
          }
          if (operation == Operation.GET) {
            world.edit(name, now -> now.withPool(same));
          }
          return Optional.empty();
        });
    world.use("node1", 3);
    world.run(ONE_SECOND);
    assertEquals(same, world.resource("node1").pool());
    assertEquals(Optional.of(BlockedReason.SECOND_OWNER), world.blockedReason("node1"));
  }

  @Test
  @DisplayName("F-3 a conflict that shows another operator is not followed by a second attempt")
  void noSecondAttempt() {
    for (Operation at : List.of(Operation.UPDATE_STATUS, Operation.UPDATE)) {
      NodeWorld world = NodeWorld.filled();
      world.interfere(rivalAt(world, at, PodIpPool.of(Map.of("eni-9", NodeWorld.FOREIGN))));
      world.use("node1", 3);
      world.run(Duration.ofSeconds(29));
      List<String> requests = world.takeRequests();
      assertEquals("GET node1", requests.get(requests.size() - 1), "after a conflict of " + at);
      assertEquals(NodeWorld.FOREIGN, world.resource("node1").pool().addresses());
      assertEquals(Optional.of(BlockedReason.SECOND_OWNER), world.blockedReason("node1"));
    }
  }

  @Test
  @DisplayName("an answer that travelled longer than a newer version does not hide that one")
  void olderAnswer() {
    NodeWorld world = NodeWorld.filled();
    world.fate = EffectFate.answered(Duration.ofMillis(10), Duration.ofSeconds(2));
    world.use("node1", 3);
    world.run(Duration.ofMillis(500));
    assertEquals("11/3", world.availableUsed("node1"));
    world.use("node1", 6);
    Set<String> standings = new LinkedHashSet<>();
    for (int step = 0; step < 3_000; step++) {
      world.run(Duration.ofMillis(10));
      standings.add(world.availableUsed("node1"));
    }
    assertEquals(Set.of("14/6"), standings, "never that of the older answer again");
    world.assertSettled("node1");
  }

  @Test
  @DisplayName("a token that comes to a node that is gone is given back, and nothing is sent")
  void tokenAfterTheEnd() {
    NodeWorld world = NodeWorld.filled();
    world.provider.calls.hold();
    world.use("node1", 6);
    world.run(ONE_SECOND);
    assertEquals(1, world.provider.calls.waiters().size());
    ImmediateCalls.Waiter waiter = world.provider.calls.waiters().get(0);
    // The token and the deletion come in one instant; the lane's turn follows both.
    waiter.grant();
    world.manager.delete("node1");
    world.run(ONE_SECOND);
    assertEquals(1, world.provider.node("node1").allocated.size(), "the first filling alone");
    assertEquals(1, world.provider.calls.givenBack());
  }

  @Test
  @DisplayName("M14 the time for the work begins with the token, however long that was awaited")
  void timeBeginsWithToken() {
    NodeWorld world = NodeWorld.filled();
    world.provider.calls.hold();
    world.use("node1", 6);
    world.run(Duration.ofMinutes(50));
    assertEquals(
        Optional.empty(), world.blockedReason("node1"), "to wait for a turn is no trouble");
    assertEquals(1, world.provider.calls.waiters().size(), "and the place is kept");
    world.provider.calls.grantAll();
    world.run(ONE_SECOND);
    assertEquals("14/6", world.availableUsed("node1"));
    long left = world.provider.node("node1").lastContext().deadlineNanos() - world.time.nanos();
    Duration timeout = EngineConfig.defaults().maintenance().passTimeout();
    assertEquals(timeout, Duration.ofNanos(left).plus(ONE_SECOND));
  }
}
