package io.tidemark.node;

import static io.tidemark.node.NodeWorld.cidrs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.InMemoryNodeResourceStore.Operation;
import io.tidemark.resource.StoreResult;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Release for a multi-pool agent (node-manager 4.9, C-7): delay 5 s")
class MultiPoolReleaseTest {
  private static final Duration DELAY = Duration.ofSeconds(5);
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);
  private static final String ONE = "10.0.0.1/32";
  private static final String TWO = "10.0.0.2/32";
  private static final String THREE = "10.0.0.3/32";
  private static final String BLOCK = "10.0.0.16/28";

  private final NodeWorld world = NodeWorld.idle(EngineConfig.defaults().releasingAfter(DELAY));
  private final ScriptedNode node = world.provider.prepared("node1");

  private static Cidr cidr(String text) {
    return Cidr.parse(text);
  }

  /** Singles and blocks are attached and held; pre-allocate 1, one address in use. */
  private void holding(String... held) {
    AddressSet singles = AddressSet.of();
    Set<Cidr> blocks = new TreeSet<>();
    for (Cidr each : cidrs(held)) {
      if (each.isSingle()) {
        singles = singles.plus(each.network());
      } else {
        blocks.add(each);
      }
    }
    node.attach(singles, List.copyOf(blocks));
    world.create(
        Samples.node("node1")
            .instanceId("i-1")
            .preAllocate(1)
            .requested(2, 0)
            .allocated(held)
            .build());
    world.start();
    world.run(ONE_SECOND);
  }

  /** The agent holds exactly these from now on. */
  private void agentHolds(String... held) {
    world.agentHolds("node1", 1, 0, 2, held);
  }

  @Test
  @DisplayName("NM-C1 the node releases by CIDR and publishes no handshake per address")
  void noHandshake() {
    holding(ONE, TWO, THREE);
    agentHolds(ONE, TWO);
    for (int second = 0; second < 20; second++) {
      world.run(ONE_SECOND);
      assertEquals(Map.of(), world.resource("node1").releaseIps());
    }
    assertEquals(1, node.released.size());
    assertEquals(Set.of("10.0.0.1", "10.0.0.2"), texts(world.resource("node1").pool().addresses()));
    assertEquals(NodeState.OK, world.report("node1").state());
    world.assertSettled("node1"); // nothing is left to follow
  }

  private static Set<String> texts(AddressSet addresses) {
    Set<String> texts = new TreeSet<>();
    addresses.forEach(address -> texts.add(address.toString()));
    return texts;
  }

  @Test
  @DisplayName("C-7 another agent, nothing dropped, delay not over: no plan is asked for")
  void notAsked() {
    holding(ONE, TWO, THREE);
    world.run(Duration.ofSeconds(30));
    assertEquals(List.of(), node.cidrsAsked, "nothing dropped");
    agentHolds(ONE, TWO);
    world.run(Duration.ofMillis(4_900));
    assertEquals(List.of(), node.cidrsAsked, "delay not over");
    world.use("node1", 1); // publishes use: no multi-pool agent any more
    world.run(Duration.ofSeconds(30));
    assertEquals(List.of(), node.cidrsAsked, "another agent");
  }

  @Test
  @DisplayName("C-7 no plan: nothing changes and the timer stays")
  void nothingPlanned() {
    holding(ONE, TWO, THREE);
    node.cidrPlan = Optional.of(List.of());
    agentHolds(ONE, TWO);
    world.run(Duration.ofSeconds(10));
    assertEquals(0, node.released.size());
    node.cidrPlan = Optional.empty();
    world.manager.requestMaintenance("node1");
    world.run(Duration.ofMillis(100));
    assertEquals(1, node.released.size(), "no second delay");
  }

  @Test
  @DisplayName("C-7 NM-C5 a single address, then a block is released after the delay")
  void singleAndBlock() {
    holding(ONE, TWO, BLOCK);
    agentHolds(ONE, BLOCK);
    world.run(Duration.ofSeconds(6));
    assertEquals(List.of(cidrs(TWO), cidrs(TWO)), node.cidrsAsked, "planned, and again by token");
    assertEquals(AddressSet.of(cidr(TWO).network()), node.released.get(0).addresses());
    agentHolds(ONE);
    world.run(Duration.ofSeconds(6));
    assertEquals(List.of(cidr(BLOCK)), node.released.get(1).blocks());
    assertEquals(AddressSet.of(), node.released.get(1).addresses(), "NM-C7 not as addresses too");
    world.assertSettled("node1");
  }

  @Test
  @DisplayName("C-7 only what is past the delay is passed on")
  void onlyPastTheDelay() {
    holding(ONE, TWO, THREE);
    agentHolds(ONE, TWO);
    world.run(Duration.ofSeconds(3));
    agentHolds(ONE);
    world.run(Duration.ofMillis(2_500));
    assertEquals(Set.of(cidrs(THREE)), Set.copyOf(node.cidrsAsked));
  }

  @Test
  @DisplayName("C-7 NM-C5 what the agent takes back while the call waits is not released")
  void takenBack() {
    holding(ONE, TWO, THREE);
    world.provider.calls.hold();
    agentHolds(ONE);
    world.run(Duration.ofSeconds(6));
    assertEquals(1, world.provider.calls.waiters().size());
    agentHolds(ONE, TWO);
    world.provider.calls.grantAll();
    world.run(ONE_SECOND);
    assertEquals(AddressSet.of(cidr(THREE).network()), node.released.get(0).addresses());
    assertEquals(1, node.released.size());
  }

  @Test
  @DisplayName("NM-C5 what is taken back behind a watch slower than the delay is not released")
  void takenBackUnseen() {
    holding(ONE, TWO, THREE);
    agentHolds(ONE);
    world.run(ONE_SECOND);
    world.watchLag = Duration.ofMinutes(1);
    agentHolds(ONE, TWO);
    world.takeRequests();
    world.run(Duration.ofSeconds(20));
    assertEquals(1, node.released.size());
    assertEquals(AddressSet.of(cidr(THREE).network()), node.released.get(0).addresses());
    assertEquals(
        1,
        world.takeRequests().stream().filter(request -> request.startsWith("GET")).count(),
        "one look, immediately before the release");
    world.run(Duration.ofMinutes(2));
    assertEquals(1, node.released.size());
    world.assertSettled("node1");
  }

  @Test
  @DisplayName(
      "NM-C5 a raised min-allocate behind a watch slower than the delay keeps what it covers")
  void floorRaisedUnseen() {
    AddressSet three =
        AddressSet.of(cidr(ONE).network(), cidr(TWO).network(), cidr(THREE).network());
    node.attach(three, List.of());
    world.create(
        Samples.node("node1")
            .instanceId("i-1")
            .preAllocate(1)
            .requested(1, 0)
            .allocated(ONE, TWO, THREE)
            .build());
    world.start();
    world.run(ONE_SECOND);
    world.agentHolds("node1", 1, 0, 1, ONE, TWO);
    world.run(ONE_SECOND);
    world.watchLag = Duration.ofMinutes(1);
    world.agentHolds("node1", 1, 3, 1, ONE, TWO);
    world.run(Duration.ofSeconds(20));
    assertEquals(List.of(), node.released);
    world.agentHolds("node1", 1, 0, 1, ONE, TWO);
    world.run(Duration.ofMinutes(3));
    assertEquals(1, node.released.size(), "it is the floor that kept it");
  }

  @Test
  @DisplayName("NM-C5 an object that cannot be read keeps what was dropped; reading is tried again")
  void unreadable() {
    holding(ONE, TWO, THREE);
    world.answer(Operation.GET, new StoreResult.Failed("scripted"));
    agentHolds(ONE, TWO);
    world.takeRequests();
    world.run(Duration.ofSeconds(20));
    assertEquals(List.of(), node.released);
    world.assertUnsettled("node1");
    long looks = world.takeRequests().size();
    assertThat(looks).as("looks in 15 s").isBetween(2L, 20L);
    world.answerAsUsual();
    world.run(Duration.ofMinutes(1));
    assertEquals(1, node.released.size());
    world.assertSettled("node1");
  }

  @Test
  @DisplayName("NM-C6 an error with nothing released keeps every timer and backs off")
  void error() {
    holding(ONE, TWO, THREE);
    node.nextRelease(
        () ->
            new ReleaseOutcome.NothingReleased(
                Failure.of(Failure.Kind.TRANSIENT, "scripted", "no")));
    agentHolds(ONE);
    world.run(Duration.ofMillis(5_300));
    assertEquals(1, node.released.size());
    world.run(Duration.ofSeconds(5));
    assertEquals(2, node.released.size(), "again after the pause, without a new delay");
    assertEquals(2, node.released.get(1).addresses().size());
  }

  @Test
  @DisplayName("NM-C6 C-7 an error after a part keeps that part's progress")
  void partial() {
    holding(ONE, TWO, THREE);
    node.releases.add(
        () -> {
          AddressSet two = AddressSet.of(cidr(TWO).network());
          ReleaseAction first = node.released.get(0).only(two, List.of());
          ReleaseOutcome.Released done = (ReleaseOutcome.Released) node.shrink(first);
          return CompletableFuture.completedStage(
              new ReleaseOutcome.Released(
                  done.addresses(),
                  done.blocks(),
                  Optional.of(Failure.of(Failure.Kind.TRANSIENT, "scripted", "half done")),
                  done.generation()));
        });
    agentHolds(ONE);
    world.run(Duration.ofMillis(5_300));
    assertEquals(Set.of("10.0.0.1", "10.0.0.3"), texts(world.resource("node1").pool().addresses()));
    world.assertUnsettled("node1");
    world.run(Duration.ofSeconds(5));
    assertEquals(2, node.released.size());
    assertEquals(AddressSet.of(cidr(THREE).network()), node.released.get(1).addresses());
  }

  @Test
  @DisplayName("C-7 two interfaces: two calls, everything is cleared")
  void twoInterfaces() {
    holding(ONE, TWO, THREE);
    node.cidrPlan =
        Optional.of(List.of(node.plan(cidrs(TWO)).get(0), node.plan(cidrs(THREE)).get(0)));
    node.releases.add(
        () -> {
          node.cidrPlan = Optional.empty(); // the second interface comes with the next pass
          return CompletableFuture.completedStage(node.shrink(node.released.get(0)));
        });
    agentHolds(ONE);
    world.run(Duration.ofSeconds(6));
    assertEquals(2, node.released.size());
    Set<String> left = texts(world.resource("node1").pool().addresses());
    assertThat(left).doesNotContain("10.0.0.2", "10.0.0.3");
    world.assertSettled("node1");
  }

  @Test
  @DisplayName("NM-C2 what was dropped while no operator ran is released after a delay")
  void afterRestart() {
    node.attach(
        AddressSet.of(cidr(ONE).network(), cidr(TWO).network(), cidr(THREE).network()), List.of());
    world.create(
        Samples.node("node1")
            .instanceId("i-1")
            .preAllocate(1)
            .requested(2, 0)
            .allocated(ONE)
            .build());
    world.start();
    world.run(Duration.ofMillis(4_900));
    assertEquals(0, node.released.size());
    world.run(ONE_SECOND);
    assertEquals(2, node.released.get(0).addresses().size());
  }

  @Test
  @DisplayName("NM-C7 what is attached is listed as a block or as single addresses, never as both")
  void attachedOnce() {
    node.attach(AddressSet.of(cidr(ONE).network()), List.of(cidr(BLOCK)));
    NodeSnapshot snapshot =
        NodeSnapshot.of(
            EngineConfig.defaults(),
            ResourceFacts.of(Samples.node("node1", 1, 0, 0)),
            (io.tidemark.spi.Inventory.Known) node.inventory(),
            node.maximumAllocatableIpv4(),
            false,
            java.util.OptionalInt.empty(),
            java.util.OptionalInt.empty(),
            false);
    assertEquals(cidrs(ONE, BLOCK), snapshot.attachedCidrs());
    assertEquals(17, AttachedInterface.addressesOf(snapshot.inventory().interfaces()).size());
    assertEquals(17, snapshot.statistics().available());
  }

  @Test
  @DisplayName("Release off: what is dropped stays, and the node is at rest")
  void releaseOff() {
    NodeWorld off = NodeWorld.started(EngineConfig.defaults());
    off.provider
        .prepared("node1")
        .attach(AddressSet.of(cidr(ONE).network(), cidr(TWO).network()), List.of());
    off.create(
        Samples.node("node1")
            .instanceId("i-1")
            .preAllocate(1)
            .requested(2, 0)
            .allocated(ONE)
            .build());
    off.run(Duration.ofSeconds(10));
    assertEquals(0, off.provider.node("node1").released.size());
    assertEquals(NodeState.OK, off.report("node1").state());
    off.assertSettled("node1");
  }
}
