package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.resource.InMemoryNodeResourceStore.Operation;
import io.tidemark.resource.StoreResult;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A resource that the home refuses (node-manager 6)")
class RefusedResourceTest {
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);

  private final NodeWorld world = NodeWorld.filled();

  @Test
  @DisplayName("NM-S5 what the home refuses is told, left in peace, and written once it is mended")
  void refused() {
    world.answer(Operation.UPDATE, new StoreResult.Refused("spec.ipam.pool: too long"));
    world.use("node1", 3);
    world.run(ONE_SECOND);
    List<String> first = world.takeRequests();
    assertEquals(Set.of("UPDATE_STATUS node1", "UPDATE node1"), Set.copyOf(first));
    assertThat(first).as("no read, no second attempt at one write").hasSizeLessThanOrEqualTo(3);
    assertEquals(NodeState.BLOCKED, world.report("node1").state());
    assertEquals(
        Optional.of(new Blocked(BlockedReason.INVALID_RESOURCE, "spec.ipam.pool: too long")),
        world.report("node1").blocked());
    world.assertSettled("node1"); // the next step is a person's
    world.run(Duration.ofMinutes(10));
    List<String> repeated = world.takeRequests();
    assertEquals(Set.of("UPDATE node1"), Set.copyOf(repeated));
    assertThat(repeated).as("in ten minutes").hasSizeLessThanOrEqualTo(40);
    assertEquals(List.of("node1 INVALID_RESOURCE"), world.told);

    world.answerAsUsual();
    world.use("node1", 4);
    world.run(ONE_SECOND);
    assertEquals(12, world.resource("node1").pool().size());
    assertEquals(NodeState.OK, world.report("node1").state());
    assertEquals(List.of("node1 INVALID_RESOURCE", "node1 INVALID_RESOURCE cleared"), world.told);
  }

  @Test
  @DisplayName("a refusal that ends by itself, as of a rule that was wrong, is noticed in a minute")
  void refusalEnds() {
    world.answer(Operation.UPDATE_STATUS, new StoreResult.Refused("status: not now"));
    world.use("node1", 3);
    world.run(ONE_SECOND);
    assertEquals(Set.of("UPDATE_STATUS node1"), Set.copyOf(world.takeRequests()));
    world.answerAsUsual();
    world.run(Duration.ofMinutes(1));
    assertEquals(11, world.resource("node1").pool().size());
    assertEquals(NodeState.OK, world.report("node1").state());
  }

  @Test
  @DisplayName("a refusal stands while the home is away: it is not told as mended and then anew")
  void refusalAndOutage() {
    StoreResult[] answer = {new StoreResult.Refused("spec.ipam.pool: too long")};
    world.interfere(
        (operation, name) ->
            operation == Operation.UPDATE ? Optional.of(answer[0]) : Optional.empty());
    world.use("node1", 3);
    world.run(ONE_SECOND);
    answer[0] = new StoreResult.Failed("away");
    world.run(Duration.ofMinutes(5));
    assertEquals(NodeState.BLOCKED, world.report("node1").state());
    answer[0] = new StoreResult.Refused("spec.ipam.pool: too long");
    world.run(Duration.ofMinutes(5));
    assertEquals(List.of("node1 INVALID_RESOURCE"), world.told);
  }
}
