package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.metrics.Metric;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.IpamSpec;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Inventory;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Nodes without addresses are tainted (taint-exhausted-nodes)")
class TaintTest {
  private static final Duration DELAY = Duration.ofSeconds(20);
  private static final Duration MOMENT = Duration.ofSeconds(1);

  private final NodeWorld world = NodeWorld.started(EngineConfig.defaults());

  @BeforeEach
  void tainting() {
    world.scheduler.delay = Optional.of(DELAY);
  }

  private void full(String name) {
    world.create(name, 8, 0);
    world.run(MOMENT);
    holds(name, 50);
    assertThat(world.availableUsed(name)).isEqualTo("8/0");
  }

  private void holds(String name, int capacity) {
    world.provider.node(name).capacity = capacity;
    world.provider.node(name).refresh();
  }

  private void limited() {
    IpamSpec limit = new IpamSpec(8, 0, 8, 0, Map.of(), Optional.empty(), Set.of());
    world.create(Samples.node("node1", 8, 0, 0).withIpam(limit));
    world.run(MOMENT);
  }

  private void subnetIsExhausted(String name) {
    world.provider.node(name).blocked =
        Optional.of(new Blocked(BlockedReason.SUBNET_EXHAUSTED, "subnet-1 has 0 addresses"));
  }

  @Test
  @DisplayName("A node in an exhausted subnet is tainted after the delay, until addresses come")
  void subnet() {
    full("node1");
    full("node2");
    subnetIsExhausted("node1");
    world.use("node1", 8);
    world.run(DELAY.minus(MOMENT));
    assertThat(world.scheduler.told).isEmpty();
    world.run(MOMENT.plus(MOMENT));
    assertThat(world.scheduler.told).containsExactly("node1 SUBNET_EXHAUSTED");
    assertThat(world.metrics.value(Metric.NODES_TAINTED)).isEqualTo(1);
    assertThat(world.explain("node1").numbers())
        .containsEntry("tainted for lack of addresses", "for 1 s");
    world.provider.node("node1").blocked = Optional.empty();
    world.manager.requestMaintenance("node1");
    world.run(MOMENT);
    assertThat(world.availableUsed("node1")).isEqualTo("16/8");
    assertThat(world.scheduler.told).containsExactly("node1 SUBNET_EXHAUSTED", "node1 available");
    assertThat(world.metrics.value(Metric.NODES_TAINTED)).isZero();
  }

  @Test
  @DisplayName("Half is enough after five minutes, without any other event")
  void half() {
    tainted(4);
    world.run(Duration.ofMinutes(4));
    assertThat(world.scheduler.taints).containsKey("node1");
    world.run(Duration.ofMinutes(1));
    assertThat(world.scheduler.taints).isEmpty();
  }

  @Test
  @DisplayName("A node that is alone is tainted when the cloud itself refuses for lack of room")
  void refusedByCloud() {
    full("node1");
    for (int i = 0; i < 40; i++) {
      world.provider.node("node1").refuseAllocation(Failure.Kind.CAPACITY);
    }
    world.use("node1", 8);
    world.run(DELAY.plus(MOMENT));
    assertThat(world.scheduler.taints).containsKey("node1");
  }

  @Test
  @DisplayName("A call that fails after a refusal for lack of room says nothing of room")
  void refusalThenFailures() {
    full("node1");
    world.provider.node("node1").refuseAllocation(Failure.Kind.CAPACITY);
    for (int i = 0; i < 40; i++) {
      world.provider.node("node1").refuseAllocation(Failure.Kind.TRANSIENT);
    }
    world.use("node1", 8);
    world.run(DELAY.plus(DELAY));
    assertThat(world.scheduler.told).isEmpty();
  }

  private void refuseAndBlock(BlockedReason reason) {
    ScriptedNode node = world.provider.node("node1");
    node.nextAllocation(
        () -> {
          node.blocked = Optional.of(new Blocked(reason, "as the test wants"));
          return new AllocationOutcome.Refused(
              Failure.of(Failure.Kind.CAPACITY, "scripted", "no room"));
        });
  }

  @Test
  @DisplayName("A refusal while topping up is forgotten when the node needs nothing any more")
  void refusalForgotten() {
    full("node1");
    refuseAndBlock(BlockedReason.SUBNET_EXHAUSTED);
    world.use("node1", 4);
    world.run(MOMENT);
    world.use("node1", 0);
    world.run(MOMENT);
    world.use("node1", 8);
    world.run(DELAY.plus(MOMENT));
    assertThat(world.scheduler.told).isEmpty();
  }

  @Test
  @DisplayName("A refusal for lack of room makes a filter that matches no subnet no more certain")
  void refusalIsOfRoom() {
    full("node1");
    refuseAndBlock(BlockedReason.NO_SUBNET);
    world.use("node1", 8);
    world.run(DELAY.plus(MOMENT));
    assertThat(world.scheduler.told).isEmpty();
  }

  @Test
  @DisplayName("A missing public address is no lack of addresses for pods")
  void staticAddress() {
    full("node1");
    full("node2");
    ScriptedNode node = world.provider.node("node1");
    node.staticAnswers.add(
        () ->
            CompletableFuture.completedStage(
                new AllocationOutcome.Refused(
                    Failure.of(Failure.Kind.CONFIGURATION, "scripted", "as the test wants"))));
    IpamSpec asks = new IpamSpec(8, 0, 0, 0, Map.of("a", "b"), Optional.empty(), Set.of());
    world.edit("node1", it -> it.withIpam(asks));
    world.run(MOMENT);
    assertThat(node.staticAsked).hasSize(1);
    node.hangAllocation();
    world.use("node1", 8);
    world.run(DELAY.plus(MOMENT));
    assertThat(world.scheduler.told).isEmpty();
  }

  private void tainted(int usedLater) {
    full("node1");
    full("node2");
    subnetIsExhausted("node1");
    world.use("node1", 8);
    world.run(DELAY.plus(MOMENT));
    assertThat(world.scheduler.taints).containsKey("node1");
    world.use("node1", usedLater);
  }

  @Test
  @DisplayName("Pods that have an address and are not ready keep no taint")
  void podsNotReady() {
    world.pendingPods.put("node1", 5);
    tainted(0);
    world.run(MOMENT);
    assertThat(world.scheduler.taints).isEmpty();
  }

  @Test
  @DisplayName("After five minutes half of what a node holds is enough, where it should have more")
  void halfOfWhatItHolds() {
    tainted(5);
    world.edit("node1", it -> it.withPreAllocate(30));
    world.run(Duration.ofMinutes(6));
    assertThat(world.scheduler.taints).containsKey("node1");
    world.use("node1", 4);
    world.run(MOMENT);
    assertThat(world.scheduler.taints).isEmpty();
  }

  @Test
  @DisplayName("A node does not need more free addresses than its instance can hold")
  void smallInstance() {
    tainted(4);
    world.run(MOMENT);
    assertThat(world.scheduler.taints).containsKey("node1");
    holds("node1", 4);
    world.manager.resync();
    world.run(MOMENT);
    assertThat(world.scheduler.taints).isEmpty();
  }

  @Test
  @DisplayName("A node that holds fewer addresses than it may have needs more to take pods again")
  void reserve() {
    tainted(8);
    world.edit("node1", it -> it.withPreAllocate(16));
    world.use("node1", 0);
    world.run(MOMENT);
    assertThat(world.scheduler.taints).containsKey("node1");
    world.edit("node1", it -> it.withPreAllocate(8));
    world.run(MOMENT);
    assertThat(world.scheduler.taints).isEmpty();
  }

  @Test
  @DisplayName("Without the cloud's word on an instance the addresses in the object decide")
  void instanceUnknown() {
    tainted(8);
    world.provider.node("node1").override =
        Optional.of(
            new Inventory.InstanceMissing(
                true, Optional.of(new Blocked(BlockedReason.NOT_SELECTED, "as the test wants"))));
    world.manager.resync();
    world.run(MOMENT);
    world.use("node1", 0);
    world.run(MOMENT);
    assertThat(world.scheduler.taints).isEmpty();
  }

  @Test
  @DisplayName("A node at its max-allocate is tainted although nothing is missing there")
  void ownLimit() {
    limited();
    world.use("node1", 8);
    world.run(DELAY.plus(MOMENT));
    assertThat(world.scheduler.told).containsExactly("node1 MAX_ALLOCATE");
    world.use("node1", 0);
    world.run(MOMENT);
    assertThat(world.scheduler.taints).isEmpty();
  }

  @Test
  @DisplayName("No node is tainted while the cloud's API is not trusted")
  void untrusted() {
    limited();
    world.manager.setInstancesApiReadiness(false);
    world.use("node1", 8);
    world.run(DELAY.plus(MOMENT));
    assertThat(world.scheduler.told).isEmpty();
    world.manager.setInstancesApiReadiness(true);
    world.run(DELAY.plus(MOMENT));
    assertThat(world.scheduler.told).containsExactly("node1 MAX_ALLOCATE");
  }

  @Test
  @DisplayName("A taint that an earlier operator left goes when the node can serve, and with it")
  void nextLeader() {
    world.scheduler.taints.put("node1", "LEFT");
    world.scheduler.taints.put("node2", "LEFT");
    world.scheduler.taints.put("nobody", "LEFT");
    full("node1");
    assertThat(world.scheduler.taints).containsOnlyKeys("node2", "nobody");
    world.create("node2", 8, 0);
    world.create(Samples.node("nobody", 8, 0, 0).withInstanceId(""));
    world.run(MOMENT);
    world.manager.resync();
    world.run(MOMENT);
    assertThat(world.scheduler.taints).isEmpty();
  }

  @Test
  @DisplayName("A node whose object is deleted leaves no taint")
  void deleted() {
    limited();
    world.use("node1", 8);
    world.run(DELAY.plus(MOMENT));
    assertThat(world.scheduler.taints).containsKey("node1");
    world.server.delete("node1");
    world.run(MOMENT);
    assertThat(world.scheduler.taints).isEmpty();
  }
}
