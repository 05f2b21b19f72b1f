package io.tidemark.spi.contract;

import static io.tidemark.spi.contract.ContractWorld.addresses;
import static io.tidemark.spi.contract.ContractWorld.assertAllocated;
import static io.tidemark.spi.contract.ContractWorld.known;
import static io.tidemark.spi.contract.ContractWorld.wanting;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.node.NodeState;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Capability;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The tests of a provider when the cloud throttles, shows the past, or loses an answer
 * (node-manager 13 D-2, D-4, D-8, 10.6 F-8, F-9). Subclassed through {@link AllocationContract}.
 */
abstract class FaultConformance extends WatermarkConformance {
  private static final Map<String, String> EDGE = Map.of("pool", "edge");

  // ---- throttled

  private static void assertThrottled(AllocationOutcome outcome) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            AllocationOutcome.Refused.class,
            refused -> assertThat(refused.failure().kind()).isEqualTo(Failure.Kind.THROTTLED));
  }

  @Test
  @DisplayName("D-8 a throttle that outlasts the retries is refused as throttled, nothing changed")
  void throttled() {
    world.allocated(node, 4);
    Inventory before = node.inventory();
    ReleaseAction surplus = node.prepareIpRelease(2, AddressSet.of());
    world.cloud.throttle(world.cloud.changingOperations());
    assertThrottled(world.allocate(node, 3));
    if (!lacks(Capability.NEW_INTERFACE)) {
      assertThrottled(world.createInterface(node, 4));
    }
    if (!lacks(Capability.RELEASE)) {
      assertThat(world.await(node.release(surplus, world.context())))
          .isInstanceOfSatisfying(
              ReleaseOutcome.NothingReleased.class,
              refused -> assertThat(refused.failure().kind()).isEqualTo(Failure.Kind.THROTTLED));
    }
    assertThat(node.inventory()).isEqualTo(before);
    world.cloud.throttle(Set.of());
    world.allocated(node, 3);
    assertThat(world.trulyAttached("node1")).isEqualTo(7);
  }

  @Test
  @DisplayName("F-9 throttled assignments: the node backs off and gets no interface for it")
  void noInterfaceBecauseOfAThrottle() {
    ContractWorld world = world().with(NodeShape.SMALL);
    world.start(EngineConfig.defaults());
    world.create(world.resource("node1", IpamSpec.of(4, 0, 0, 0)));
    world.act();
    assertThat(world.availableUsed("node1")).isEqualTo("4/0");
    Set<String> assignments = Set.copyOf(world.changes);
    int sent = world.changes.size();
    world.cloud.throttle(assignments);
    world.use("node1", 3);
    world.run(Duration.ofSeconds(30));
    assertThat(world.report("node1").state()).isEqualTo(NodeState.FILLING);
    // A provider may try more often before it gives up, but not for longer than a call may take.
    for (int second = 0; second < 60 && world.report("node1").blocked().isEmpty(); second++) {
      world.run(Duration.ofSeconds(1));
    }
    assertThat(world.report("node1").blocked().map(why -> why.reason()))
        .contains(BlockedReason.BACKING_OFF);
    world.run(Duration.ofMinutes(3));
    assertThat(world.availableUsed("node1")).isEqualTo("4/3");
    assertThat(world.interfaces("node1")).hasSize(1);
    assertThat(world.changes.subList(sent, world.changes.size()))
        .as("nothing but the assignment is tried, and ever less often")
        .hasSizeBetween(2, 60)
        .allMatch(assignments::contains);
    world.cloud.throttle(Set.of());
    world.run(Duration.ofMinutes(10));
    assertThat(world.availableUsed("node1")).isEqualTo("7/3");
    assertThat(world.interfaces("node1")).hasSize(1);
  }

  @Test
  @Needs(Capability.NEW_INTERFACE)
  @DisplayName("D-15 throttled at any step of a creation: no interface is left over")
  void throttledCreation() {
    ContractWorld scout = world().with(NodeShape.SMALL);
    assertAllocated(scout.createInterface(scout.node("node1", false), 4));
    Set<String> steps = new LinkedHashSet<>(scout.changes);
    for (String step : steps) {
      ContractWorld world = world().with(NodeShape.SMALL);
      NodeOperations node = world.node("node1", false);
      world.cloud.throttle(Set.of(step));
      AllocationOutcome outcome = world.createInterface(node, 4);
      assertThat(outcome)
          .as("%s throttled", step)
          .isInstanceOfAny(AllocationOutcome.Refused.class, AllocationOutcome.Allocated.class);
      boolean refused = outcome instanceof AllocationOutcome.Refused;
      world.run(Duration.ofMinutes(1));
      assertThat(world.interfaces("node1")).hasSize(refused ? 1 : 2);
      world.cloud.throttle(Set.of());
      settle(world);
      assertThat(world.cloud.unattachedInterfaces()).as("%s throttled", step).isZero();
      assertThat(world.interfaces("node1"))
          .allMatch(ContractCloud.TrueInterface::deleteOnTermination);
      assertAllocated(refused ? world.createInterface(node, 4) : world.allocate(node, 1));
      assertThat(world.interfaces("node1")).hasSize(2);
    }
  }

  /** Time for what is repaired and collected behind the nodes' backs. */
  private static void settle(ContractWorld world) {
    for (int i = 0; i < 3; i++) {
      world.await(world.provider.resync(world.context()));
      world.run(Duration.ofMinutes(10));
    }
  }

  // ---- reads that show the past

  private static void readTwice(ContractWorld world) {
    world.readInstance("node1");
    world.await(world.provider.resync(world.context()));
  }

  @Test
  @DisplayName("D-4 own writes win over reads that show the past, until reads show them")
  void ownWritesWin() {
    world.run(Duration.ofMinutes(1));
    world.cloud.lag(ContractCloud.LAG_MAX);
    assertAllocated(
        world.confirmed(
            ContractCloud.LAG_MAX, () -> node.allocateIps(wanting(node, 6), world.context())));
    readTwice(world);
    assertThat(addresses(node).size()).as("assigned, and not shown yet").isEqualTo(6);
    AddressSet kept = addresses(node);
    if (!lacks(Capability.RELEASE)) {
      ReleaseAction surplus = node.prepareIpRelease(2, AddressSet.of());
      Object released =
          world.confirmed(ContractCloud.LAG_MAX, () -> node.release(surplus, world.context()));
      assertThat(released).isInstanceOf(ReleaseOutcome.Released.class);
      kept = kept.minus(surplus.addresses());
      readTwice(world);
      assertThat(addresses(node)).as("released, and still shown").isEqualTo(kept);
    }
    if (!lacks(Capability.NEW_INTERFACE)) {
      assertAllocated(world.createInterface(node, 4));
      readTwice(world);
      assertThat(known(node).statistics().interfaces())
          .as("attached, and not shown yet")
          .isEqualTo(2);
      assertThat(addresses(node).size()).isEqualTo(kept.size() + 4);
    }
    AddressSet now = addresses(node);
    world.run(ContractCloud.LAG_MAX.multipliedBy(2));
    readTwice(world);
    world.cloud.lag(Duration.ZERO);
    readTwice(world);
    assertThat(addresses(node)).as("what the cloud shows in the end").isEqualTo(now);
    assertThat(world.trulyAttached("node1")).isEqualTo(now.size());
  }

  @Test
  @DisplayName("D-10 an instance that one read leaves out stays; gone is what stays away")
  void absenceNeedsTwoSightings() {
    ContractWorld world = world().with(NodeShape.SMALL);
    world.run(Duration.ofMinutes(1));
    world.launch("node2", NodeShape.SMALL, "subnet-a");
    NodeOperations node = world.node("node2", false);
    InstanceId young = world.instance("node2");
    world.cloud.lag(ContractCloud.LAG_MAX); // as if it had never been launched
    Object stale = world.await(world.provider.instanceSync(young, world.context()));
    assertThat(stale).isNotInstanceOf(SyncOutcome.InstanceNotFound.class);
    assertThat(node.inventory()).isInstanceOf(Inventory.Known.class);
    world.cloud.lag(Duration.ZERO);
    Object fresh = world.await(world.provider.instanceSync(young, world.context()));
    assertThat(fresh).isInstanceOf(SyncOutcome.Synced.class);
    world.terminate("node2");
    Object first = world.await(world.provider.instanceSync(young, world.context()));
    assertThat(first).isNotInstanceOf(SyncOutcome.Synced.class);
    world.run(ContractCloud.LAG_MAX.plusSeconds(1));
    Object second = world.await(world.provider.instanceSync(young, world.context()));
    assertThat(second).isInstanceOf(SyncOutcome.InstanceNotFound.class);
    assertThat(node.inventory()).isInstanceOf(Inventory.InstanceMissing.class);
  }

  @Test
  @DisplayName("F-8 a lost assignment that reads do not show yet is not made again")
  void lostAndNotShown() {
    ContractWorld world = world().with(NodeShape.SMALL);
    world.start(EngineConfig.defaults());
    world.create(world.resource("node1", IpamSpec.of(4, 0, 0, 0)));
    world.run(Duration.ofMinutes(1));
    assertThat(world.availableUsed("node1")).isEqualTo("4/0");
    world.cloud.lag(ContractCloud.LAG_MAX);
    world.loseNextAnswer();
    world.use("node1", 3);
    for (int i = 0; i < 90; i++) {
      world.run(Duration.ofSeconds(1));
      assertThat(world.trulyAttached("node1")).isLessThanOrEqualTo(7);
    }
    world.run(Duration.ofMinutes(3));
    assertThat(world.availableUsed("node1")).isEqualTo("7/3");
    assertThat(world.trulyAttached("node1")).isEqualTo(7);
  }

  // ---- answers that never come

  /** The rest of a node's life in the end, and the most it ever had. */
  private record End(String availableUsed, int attached, int interfaces, Optional<String> edge) {}

  /** A node grows over two interfaces, shrinks by the handshake, and gets a public address. */
  private End life(ContractWorld world, int peak) {
    world.with(NodeShape.SMALL);
    world.cloud.publicAddress(IpAddress.parse("192.0.2.254"), EDGE);
    world.start(EngineConfig.defaults().releasingAfter(Duration.ofSeconds(2)));
    NodeResource resource =
        world.resource("node1", new IpamSpec(8, 0, 0, 0, EDGE, Optional.empty(), Set.of()));
    world.create(resource);
    watched(world, peak);
    world.use("node1", 7);
    watched(world, peak);
    world.use("node1", 12);
    watched(world, peak);
    world.use("node1", 1);
    for (int i = 0; i < 6; i++) {
      watched(world, peak);
      world.agentAnswers("node1");
    }
    watched(world, peak);
    return new End(
        world.availableUsed("node1"),
        world.trulyAttached("node1"),
        world.interfaces("node1").size(),
        world.server.find("node1").orElseThrow().assignedStaticIp());
  }

  /** A surplus stays until the agent answers, so that a look every 15 s finds it. */
  private static void watched(ContractWorld world, int peak) {
    for (int i = 0; i < 6; i++) {
      world.run(Duration.ofSeconds(15));
      assertThat(world.trulyAttached("node1")).as("addresses at once").isLessThanOrEqualTo(peak);
    }
  }

  @Test
  @Needs(Capability.RELEASE)
  @DisplayName("F-8 the answer of a change lost, or the change itself: nothing is done twice")
  void nothingTwice() {
    nothingTwice(true);
  }

  @Test
  @Tag("long")
  @Needs(Capability.RELEASE)
  @DisplayName("F-8 the answer of any change in a node's life lost, or the change itself")
  void nothingTwiceEver() {
    nothingTwice(false);
  }

  /** Loses the first change of each operation, or each change in turn. */
  private void nothingTwice(boolean firstsAlone) {
    ContractWorld calm = world();
    int peak = 8 + 12;
    End expected = life(calm, peak);
    assertThat(expected.availableUsed()).isEqualTo("9/1");
    assertThat(expected.attached()).isEqualTo(9);
    List<String> changes = List.copyOf(calm.changes);
    for (EffectFate fate :
        List.of(EffectFate.answerLost(ContractWorld.TRAVEL), EffectFate.requestLost())) {
      for (int i = 0; i < changes.size(); i++) {
        if (firstsAlone && changes.indexOf(changes.get(i)) < i) {
          continue;
        }
        ContractWorld world = world();
        world.meets(i, fate);
        String what = changes.get(i) + " as change " + (i + 1) + ": lost " + fate.loss();
        assertThat(life(world, peak)).as(what).isEqualTo(expected);
        assertThat(world.cloud.unattachedInterfaces()).as(what).isZero();
        assertThat(world.interfaces("node1"))
            .as(what)
            .allMatch(ContractCloud.TrueInterface::deleteOnTermination);
      }
    }
  }
}
