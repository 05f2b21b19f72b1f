package io.tidemark.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.StoreResult;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Release for a multi-pool agent, and min-allocate (node-manager 2.2, 4.9): delay 5 s")
class MultiPoolFloorTest {
  private static final int PRE_ALLOCATE = 1;
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final String[] FIVE = {
    "10.0.0.1/32", "10.0.0.2/32", "10.0.0.3/32", "10.0.0.4/32", "10.0.0.5/32"
  };

  private final NodeWorld world =
      NodeWorld.started(EngineConfig.defaults().releasingAfter(Duration.ofSeconds(5)));
  private final ScriptedNode node = world.provider.prepared("node1");

  /** Five addresses are attached and held. */
  private void holdingFive(int minAllocate) {
    AddressSet all =
        AddressSet.copyOf(
            NodeWorld.cidrs(FIVE).stream().map(Cidr::first).map(IpAddress.class::cast).toList());
    node.attach(all, List.of());
    world.create(
        Samples.node("node1")
            .instanceId("i-1")
            .preAllocate(PRE_ALLOCATE)
            .minAllocate(minAllocate)
            .requested(5, 0)
            .allocated(FIVE)
            .build());
    world.run(Duration.ofSeconds(1));
  }

  /** The agent writes what it wants and what it holds. */
  private void agentWrites(int minAllocate, int demand, String... held) {
    world.agentHolds("node1", PRE_ALLOCATE, minAllocate, demand, held);
  }

  @Test
  @DisplayName("NM-C5 with min-allocate above the demand nothing is given back and taken again")
  void keepsTheFloor() {
    holdingFive(5);
    agentWrites(5, 2, FIVE[0], FIVE[1]);
    world.run(LONG);
    assertEquals(0, node.released.size());
    assertEquals(0, node.allocated.size());
    assertEquals(NodeState.OK, world.report("node1").state());
    world.assertSettled("node1");
  }

  @Test
  @DisplayName("NM-C5 what is above min-allocate is given back, and no more")
  void downToTheFloor() {
    holdingFive(4);
    agentWrites(4, 2, FIVE[0], FIVE[1]);
    world.run(LONG);
    assertEquals(1, node.released.size());
    assertEquals(4, node.singles().size());
    assertEquals(0, node.allocated.size());
    world.assertSettled("node1");
  }

  @Test
  @DisplayName("NM-C5 an agent that holds too little gets others for what it left alone")
  void lacking() {
    holdingFive(5);
    agentWrites(5, 2, FIVE[0], FIVE[1]);
    world.run(LONG);
    agentWrites(5, 4, FIVE[0], FIVE[1]);
    world.run(LONG);
    Set<IpAddress> released = new TreeSet<>();
    node.released.forEach(action -> action.addresses().forEach(released::add));
    assertEquals(2, released.size());
    assertEquals(5, node.singles().size(), "min-allocate");
    world.assertSettled("node1"); // what is new is the agent's to take up
  }

  @Test
  @DisplayName("NM-C3 what the agent was never seen to hold goes when it writes and leaves it out")
  void leftOut() {
    holdingFive(0);
    agentWrites(0, 6, FIVE);
    world.run(Duration.ofSeconds(1));
    assertEquals(1, node.allocated.size());
    world.run(LONG);
    assertEquals(0, node.released.size(), "the agent has not spoken yet");
    agentWrites(0, 5, FIVE);
    world.run(Duration.ofSeconds(6));
    assertEquals(1, node.released.size());
    assertEquals(5, node.singles().size());
    world.assertSettled("node1");
  }

  @Test
  @DisplayName("NM-C2 what came before the agent first spoke is new to it, and not a lost release")
  void newToTheAgent() {
    boolean[] down = {true};
    world.interfere(
        (operation, name) ->
            down[0] ? Optional.of(new StoreResult.Failed("down")) : Optional.empty());
    node.attach(AddressSet.of(IpAddress.parse("10.0.0.1"), IpAddress.parse("10.0.0.2")), List.of());
    world.create(Samples.node("node1").instanceId("i-1").preAllocate(PRE_ALLOCATE).build());
    world.run(Duration.ofSeconds(1));
    agentWrites(0, 2);
    world.run(Duration.ofSeconds(1));
    down[0] = false;
    world.run(LONG);
    assertEquals(2, world.resource("node1").pool().addresses().size());
    assertEquals(0, node.released.size());
  }
}
