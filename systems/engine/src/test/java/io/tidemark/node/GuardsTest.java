package io.tidemark.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.ip.AddressSet;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.InMemoryNodeResourceStore.Operation;
import io.tidemark.resource.PodIpPool;
import io.tidemark.resource.StoreResult;
import io.tidemark.spi.BlockedReason;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What ends too late, or at the wrong moment, is not believed")
class GuardsTest {
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);

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

  @DisplayName("F-3 what is stale, too early or another's is not followed")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          while an operation of the cloud is under way, reads repeat at a constant pause \
            | underWay 6; sync; 1s; why READING_BACK; use 4; asked 1; 1s; asked 1; 8s; reads 7; \
              why none
          a read that began before the other operator was quiet proves nothing \
            | rival; 29s; readHangs; sync; 32s; why READING_BACK; readHangs; readEnds; 1s; \
              why READING_BACK; requests; readEnds; 1s; why none; inStep
          F-3 a conflict of the status that shows another operator is not followed by a second try \
            | collides UPDATE_STATUS rival; use 3; 29s; requests UPDATE_STATUS GET; others; \
              why SECOND_OWNER
          F-3 nor is a conflict of the pool \
            | collides UPDATE rival; use 3; 29s; requests UPDATE_STATUS UPDATE GET; others; \
              why SECOND_OWNER
          a token that comes to a node that is gone is given back, and nothing is sent \
            | hold; use 6; 1s; waiting 1; grant; forget; 1s; asked 1; givenBack 1
          """)
  void story(String what, String story) {
    NodeStory.run(NodeWorld.filled(), what, story);
  }
}
