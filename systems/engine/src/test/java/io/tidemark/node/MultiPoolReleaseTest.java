package io.tidemark.node;

import static io.tidemark.node.NodeWorld.cidrs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @DisplayName(
      "C-7 F-12 NM-C1 NM-C2 NM-C3 NM-C5 NM-C6 NM-C7 NM-C10 what is dropped goes after the delay, and"
          + " no more, also when an agent is replaced by one of the other kind")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          NM-C1 the node releases by CIDR and publishes no handshake per address \
            | attached 123; create p=1 d=2 h=123; start; 1s; holds 2 12; 4s; entries 0; 4s; \
              entries 0; 4s; entries 0; 8s; entries 0; released 1; pooled 12; state OK; settled
          C-7 another agent, nothing dropped, delay not over: no plan is asked for \
            | attached 123; create p=1 d=2 h=123; start; 1s; 30s; planned 0; holds 2 12; 4900ms; \
              planned 0; use 1; 30s; planned 0
          C-7 no plan: nothing changes and the timer stays \
            | attached 123; create p=1 d=2 h=123; start; 1s; plansNothing; holds 2 12; 10s; \
              released 0; plans; maintain; 100ms; released 1
          C-7 NM-C5 NM-C7 a single address, then a block, which is not given as addresses too \
            | attached 12B; create p=1 d=2 h=12B; start; 1s; holds 2 1B; 6s; planned 2; \
              plannedFor 2; gave 2; holds 2 1; 6s; gave B; settled
          C-7 only what is past the delay is passed on \
            | attached 123; create p=1 d=2 h=123; start; 1s; holds 2 12; 3s; holds 2 1; 2500ms; \
              plannedFor 3
          C-7 NM-C5 what the agent takes back while the call waits is not released \
            | attached 123; create p=1 d=2 h=123; start; 1s; hold; holds 2 1; 6s; waiting 1; \
              holds 2 12; grant; 1s; gave 3; released 1
          NM-C5 nor behind a watch slower than the delay: one look immediately before the release \
            | attached 123; create p=1 d=2 h=123; start; 1s; holds 2 1; 1s; lag 1m; holds 2 12; \
              afresh; 20s; released 1; gave 3; gets 1; 2m; released 1; settled
          NM-C5 a raised min-allocate behind such a watch keeps what it covers \
            | attached 123; create p=1 d=1 h=123; start; 1s; holds 1 12; 1s; lag 1m; \
              holds 1/3 12; 20s; released 0; holds 1 12; 3m; released 1
          NM-C6 an error with nothing released keeps every timer and backs off \
            | attached 123; create p=1 d=2 h=123; start; 1s; keeps; holds 2 1; 5300ms; \
              released 1; 5s; released 2; gave 23
          NM-C2 what was dropped while no operator ran is released after a delay \
            | attached 123; create p=1 d=2 h=1; start; 4900ms; released 0; 1s; gave 23
          NM-C5 with min-allocate above the demand nothing is given back and taken again \
            | attached 12345; create p=1 m=5 d=5 h=12345; start; 1s; holds 2/5 12; 10m; \
              released 0; asked 0; state OK; settled
          NM-C5 what is above min-allocate is given back, and no more \
            | attached 12345; create p=1 m=4 d=5 h=12345; start; 1s; holds 2/4 12; 10m; \
              released 1; singles 4; asked 0; settled
          NM-C5 an agent that holds too little gets others for what it left alone \
            | attached 12345; create p=1 m=5 d=5 h=12345; start; 1s; holds 2/5 12; 10m; \
              holds 4/5 12; 10m; given 2; singles 5; settled
          NM-C3 what the agent was never seen to hold goes when it writes and leaves it out \
            | attached 12345; create p=1 m=0 d=5 h=12345; start; 1s; holds 6 12345; 1s; asked 1; \
              10m; released 0; holds 5 12345; 6s; released 1; singles 5; settled
          NM-C2 what came before the agent first spoke is new to it, and not a lost release \
            | answers .* failed; attached 12; create p=1; start; 1s; holds 2; 1s; usual; 10m; \
              pool 2; released 0
          NM-C5 an object that cannot be read keeps what was dropped; reading is tried again \
            | attached 123; create p=1 d=2 h=123; start; 1s; answers GET failed; holds 2 12; \
              afresh; 20s; released 0; unsettled; sent 2-20 GET; usual; 1m; released 1; settled
          NM-C10 the demand of a multi-pool agent counts although the use of its predecessor stands \
            | attached 1234; create p=1 u=12; start; 1s; asked 0; holds 20 12; 1s; asked 1; \
              wanted 16; 5m; planned 0
          NM-C10 an operator that finds both serves either kind, and releases nothing \
            | attached 1234; create p=1 d=2 h=1 u=1; start; 1s; 5m; planned 0; released 0; \
              entries 0; holds 5 1; 1s; used 4
          NM-C10 an agent of single addresses loses none without its word, pods or not \
            | attached 1234; create p=1 d=2 h=1234; start; 1s; holds 2 1; 2s; uses 4; uses -; 5m; \
              planned 0; released 0; entries 3
          NM-C10 a timer of a multi-pool agent does not outlive the change to and fro \
            | attached 1234; create p=1 d=2 h=1234; start; 1s; holds 2 1; 4s; holds 0; 1s; \
              holds 2 1; 4s; released 0
          F-12 used entries of an instance that is gone do not count \
            | attached 1234; create p=1 u=19; start; 1s; used 2; attached -; instance i-2; 1s; used 0
          NM-C10 a multi-pool agent is not shown what a read soon after the start may show wrongly \
            | horizon 10s; attached 1234; create p=1 d=4 h=1 e=1; start; 1s; visible 1; 30s; visible 4
          """)
  void story(String what, String story) {
    NodeStory.run(world, what, story);
  }

  @Test
  @DisplayName("Release off: what is dropped stays, and the node is at rest")
  void releaseOff() {
    NodeStory.run(
        NodeWorld.idle(EngineConfig.defaults()),
        "release off",
        "attached 12; create p=1 d=2 h=1; start; 10s; released 0; state OK; settled");
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
    assertThat(world.resource("node1").pool().addresses()).doesNotContain(cidr(TWO).network());
    assertEquals(2, world.resource("node1").pool().size());
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
    assertThat(world.resource("node1").pool().addresses())
        .doesNotContain(cidr(TWO).network(), cidr(THREE).network());
    world.assertSettled("node1");
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
            Optional.empty(),
            false,
            java.util.OptionalInt.empty(),
            java.util.OptionalInt.empty(),
            false);
    assertEquals(cidrs(ONE, BLOCK), snapshot.attachedCidrs());
    assertEquals(17, AttachedInterface.addressesOf(snapshot.inventory().interfaces()).size());
    assertEquals(17, snapshot.statistics().available());
  }
}
