package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.ip.IpAddress;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.InMemoryNodeResourceStore.Interference;
import io.tidemark.resource.InMemoryNodeResourceStore.Operation;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodIpPool;
import io.tidemark.resource.StoreResult;
import io.tidemark.testing.LogLines;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Writing the resource (node-manager 6)")
class NodeStatusWriterTest {
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);

  private final NodeWorld world = NodeWorld.filled();

  private final EngineConfig plain = EngineConfig.defaults();

  /** Acts at the next requests of one kind, and answers them when an answer is given. */
  private static Interference on(
      Operation operation, int times, Runnable act, @Nullable StoreResult answer) {
    int[] left = {times};
    return (asked, name) -> {
      if (asked != operation || left[0] == 0) {
        return Optional.empty();
      }
      left[0]--;
      act.run();
      return Optional.ofNullable(answer);
    };
  }

  @Test
  @DisplayName("F-2 NM-S6 status before spec; a late address waits for the next write")
  void statusFirst() {
    ScriptedNode node = world.provider.node("node1");
    IpAddress late = IpAddress.parse("10.16.7.7");
    List<String> pools = new ArrayList<>();
    world.time.afterEachStep(
        () -> {
          PodIpPool pool = world.resource("node1").pool();
          String now = pool.size() + (pool.contains(late) ? " with the late one" : "");
          if (pools.isEmpty() || !pools.get(pools.size() - 1).equals(now)) {
            pools.add(now);
          }
        });
    world.interfere(
        on(
            Operation.UPDATE,
            1,
            () -> {
              // Between the two writes the cloud changes; the first says all of the second.
              assertEquals(11, shown(world.resource("node1")).size());
              node.attach(node.singles().plus(late), List.of());
            },
            null));
    world.use("node1", 3);
    world.run(ONE_SECOND);
    assertEquals(List.of("8", "11", "12 with the late one"), pools);
    assertEquals(
        List.of("UPDATE_STATUS node1", "UPDATE node1", "UPDATE_STATUS node1", "UPDATE node1"),
        world.takeRequests());
  }

  @Test
  @DisplayName(
      "a manager is written when no node has a turn or a write left, however slow they are")
  void written() {
    NodeWorld world = NodeWorld.started(plain);
    world.fate = EffectFate.answered(Duration.ofMillis(300), Duration.ofMillis(300));
    world.create("node1", 8, 0);
    int unwritten = 0;
    while (world.time.nanos() < Duration.ofSeconds(10).toNanos() && world.time.step()) {
      boolean full =
          world.manager.report("node1").map(NodeReport::available).equals(Optional.of(8));
      boolean stored = world.resource("node1").pool().size() == 8;
      if (full && !stored) {
        unwritten++;
        assertThat(world.manager.isWritten()).as("at %s ns", world.time.nanos()).isFalse();
      }
    }
    assertThat(unwritten).as("steps with a full node that is not stored").isPositive();
    assertThat(world.manager.isWritten()).as("in the end").isTrue();
  }

  @Test
  @DisplayName("F-2 no pool ever names an address that the written status does not show")
  void poolNeverAheadOfStatus() {
    NodeWorld world = NodeWorld.started(plain);
    world.fate = EffectFate.answered(Duration.ofMillis(30), Duration.ofMillis(30));
    world.create("node1", 4, 0);
    Set<Integer> sizes = new TreeSet<>();
    for (int step = 0; step < 400; step++) {
      world.run(Duration.ofMillis(5));
      if (step % 20 == 0) {
        world.use("node1", step / 20);
      }
      NodeResource stored = world.resource("node1");
      Set<IpAddress> shown = shown(stored);
      assertThat(shown).as("shown, of the pool").containsAll(stored.pool().addresses());
      sizes.add(stored.pool().size());
    }
    assertThat(sizes).as("sizes of the pool as it grew").hasSizeGreaterThan(3);
  }

  @Test
  @DisplayName("F-2 status and pool are of one picture, though a read comes in before the write")
  void onePicture() {
    ScriptedNode node = world.provider.node("node1");
    IpAddress gone = node.singles().at(node.singles().size() - 1); // no pod uses it
    List<String> broken = new ArrayList<>();
    world.time.afterEachStep(
        () -> {
          NodeResource stored = world.resource("node1");
          if (stored.pool().contains(gone)
              && !shown(stored).contains(gone)
              && !stored.releaseIps().containsKey(gone)) {
            broken.add("the agent may take " + gone + " although no interface has it");
          }
        });
    boolean[] lost = {false};
    node.beforeStatus =
        () -> {
          if (!lost[0]) {
            lost[0] = true;
            node.attach(node.singles().minus(gone), List.of());
          }
        };
    world.use("node1", 3);
    world.run(ONE_SECOND);
    assertTrue(lost[0], "nothing was written, so nothing was lost meanwhile");
    assertEquals(List.of(), broken);
    assertThat(world.resource("node1").pool().addresses()).doesNotContain(gone);
    world.assertSettled("node1");
  }

  @Test
  @DisplayName(
      "F-2 an address that changes its interface is refused to agents until the pool says so")
  void movedAddress() {
    ScriptedNode node = world.provider.node("node1");
    IpAddress moved = node.singles().first().orElseThrow();
    List<String> story = new ArrayList<>();
    world.time.afterEachStep(
        () -> {
          NodeResource stored = world.resource("node1");
          String now = stored.pool().resource(moved) + " " + stored.releaseIps().get(moved);
          if (story.isEmpty() || !story.get(story.size() - 1).equals(now)) {
            story.add(now);
          }
        });
    node.drain();
    world.manager.resync();
    world.use("node1", 1);
    world.run(Duration.ofSeconds(5));
    assertEquals(
        List.of(
            "Optional[eni-node1] null",
            "Optional[eni-node1] RELEASED",
            "Optional[eni-old-node1] RELEASED",
            "Optional[eni-old-node1] null"),
        story);
  }

  @Test
  @DisplayName("F-12 what is known of one instance is not written about another of the same name")
  void otherInstance() {
    boolean[] replaced = {false};
    List<String> tooEarly = new ArrayList<>();
    world.interfere(
        (operation, name) -> {
          if (operation == Operation.UPDATE_STATUS && !replaced[0]) {
            replaced[0] = true;
            world.edit("node1", now -> now.withInstanceId("i-another"));
          } else if (operation != Operation.GET
              && world.provider.count("createNode node1 i-another") == 0) {
            tooEarly.add(operation.name());
          }
          return Optional.empty();
        });
    world.use("node1", 3);
    world.run(ONE_SECOND);
    assertEquals(List.of(), tooEarly);
    assertEquals(1, world.provider.count("createNode node1 i-another"));
    world.assertSettled("node1");
  }

  @DisplayName("F-3 NM-S3 NM-S5 attempts, and what is left alone")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          F-3 one conflict: read, applied again, written \
            | answers UPDATE_STATUS conflict 1; use 3; 500ms; \
              requests UPDATE_STATUS GET UPDATE_STATUS UPDATE; pool 11; conflicts 1
          F-3 NM-S5 two conflicts: the spec is left alone and the next trigger writes \
            | answers UPDATE_STATUS conflict 2; use 3; 400ms; \
              requests UPDATE_STATUS GET UPDATE_STATUS; pool 8; unsettled; 3s; \
              requests UPDATE_STATUS UPDATE; pool 11; settled
          NM-S5 a status that cannot be written, for whatever reason, keeps the spec as it is \
            | answers UPDATE_STATUS failed; use 3; 2m; never UPDATE; pool 8
          NM-S3 equal content costs no request, own writes coming back included \
            | resync; maintain; touch; 30s; resync; maintain; touch; 30s; resync; maintain; \
              touch; 30s; requests
          F-3 a write that is tried again says what is known then, not what it set out with \
            | collides UPDATE_STATUS adds 9; use 3; 500ms; \
              requests UPDATE_STATUS GET UPDATE_STATUS UPDATE; pool 12
          F-4 NM-S2 an agent's answer that causes the conflict survives it \
            | create p=1 m=3; start; 1s; adds 12; resync; 4s; entries 2; hold; afresh; \
              collides UPDATE_STATUS acknowledges; adds 3; resync; 1s; gets 1; visible 6; \
              entries 2; marks ready-for-release
          the first write has the addresses of a pass that is quick \
            | create p=8; start; 1m; is 8/0; requests UPDATE_STATUS UPDATE
          and those of a pass that takes almost half a minute \
            | callHangs; create p=8; start; 29999ms; requests; callEnds; 1m; \
              requests UPDATE_STATUS UPDATE
          but it waits no longer than that \
            | callHangs; create p=8; start; 30010ms; requests UPDATE_STATUS; callEnds; 1m; \
              requests UPDATE_STATUS UPDATE
          a first pass that fails ends the wait \
            | refuse CONFIGURATION; create p=8; start; 100ms; requests UPDATE_STATUS
          the first write of a node that is blocked does not wait \
            | blocked NO_SUBNET; create p=8; start; 100ms; requests UPDATE_STATUS
          """)
  void story(String what, String story) {
    NodeStory.run(plain.releasingAfter(Duration.ofSeconds(2)), what, story);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          F-3 when its status is written | answers UPDATE_STATUS gone 1; use 3; 400ms; never GET; settled
          F-3 when its spec is written | answers UPDATE gone 1; use 3; 400ms; never GET; settled
          C-4 and ever after, without another attempt \
            | answers .* gone; use 3; 1m; requests UPDATE_STATUS; settled
          """)
  @DisplayName("F-3 C-4 an object that is gone is no failure and no warning")
  void gone(String what, String story) {
    try (LogLines log = new LogLines(NodeStatusWriter.class)) {
      NodeStory.run(world, what, story);
      assertEquals(List.of(), log.warnings());
    }
  }

  @Test
  @DisplayName("NM-S1 usage that the agent writes meanwhile is never overwritten")
  void usageIsTheAgents() {
    int[] pods = {3};
    world.interfere(
        (operation, name) -> {
          if (operation == Operation.UPDATE_STATUS && pods[0] < 6) {
            world.use("node1", ++pods[0]);
          }
          return Optional.empty();
        });
    world.use("node1", 3);
    for (int i = 0; i < 50; i++) {
      world.run(Duration.ofMillis(100));
      assertEquals(pods[0], world.resource("node1").used().size(), "what the agent wrote last");
    }
    assertEquals(6, pods[0]);
    assertEquals("14/6", world.availableUsed("node1"));
    assertEquals(14, world.resource("node1").pool().size());
  }

  @Test
  @DisplayName("NM-S4 a node has at most one request to the API server under way")
  void oneAtATime() {
    NodeWorld world = NodeWorld.started(plain);
    world.fate = EffectFate.answered(Duration.ofMillis(200), Duration.ofMillis(200));
    world.create("node1", 4, 0);
    world.create("node2", 4, 0);
    for (int pods = 0; pods < 30; pods++) {
      world.use("node1", pods);
      world.manager.resync();
      world.run(Duration.ofMillis(50));
    }
    world.run(Duration.ofSeconds(5));
    assertEquals(1, world.mostWritesAtOnce);
    assertEquals(33, world.resource("node1").pool().size());
  }

  /** Addresses that the written status shows. */
  private static Set<IpAddress> shown(NodeResource stored) {
    Set<IpAddress> shown = new TreeSet<>();
    stored
        .eniStatus()
        .ifPresent(status -> status.enis().values().forEach(eni -> shown.addAll(eni.addresses())));
    return shown;
  }
}
