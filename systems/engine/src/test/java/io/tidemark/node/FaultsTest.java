package io.tidemark.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.node.config.EngineConfig;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.testing.LogLines;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Faults (node-manager 10.6)")
class FaultsTest {
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);

  private final NodeWorld world = NodeWorld.filled();
  private final ScriptedNode node = world.provider.node("node1");

  @DisplayName(
      "F-5 F-6 F-7 F-8 F-9 F-11 F-12 F-13 F-14 NM-L6 D-2 D-8 D-11 D-14 D-20 a node and what befalls it")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          F-6 a node not running is left alone for its grace, then tried once more \
            | stopped; use 4; 59s; asked 2; state NOT_RUNNING; why INSTANCE_NOT_RUNNING; settled; \
              3s; asked 3; is 12/4; metric ALLOCATION_DURATION allocateIP success global=2.0
          F-6 a sign of life ends the grace at once \
            | stopped; use 4; 1s; use 5; 1s; is 13/5
          F-7 D-11 after a pass with nothing to do the next one starts at once \
            | maintain; 20ms; use 8; 50ms; is 16/8; scans 1
          F-8 once it was read, a node that misses nothing stands well without another pass \
            | loses 4; readHangs; use 4; 1s; why READING_BACK; maintain; 1s; readEnds; 1s; is 12/4; \
              state OK; why none
          D-20 a shortage that pods end is no reason any more \
            | room 0; use 4; 1s; why OUT_OF_INTERFACES; use 0; 1s; state OK
          F-9 D-8 a throttle creates no interface and backs off \
            | slots 3; refuse THROTTLED; use 4; 500ms; asked 2; created 0; why BACKING_OFF; \
              detail TM-2001 CALL_THROTTLED; state FILLING; unsettled; 3s; created 0; is 12/4
          D-8 D-2 a limit that the cloud knows better than we: read back before anything else \
            | limit; readHangs; use 4; 1s; why READING_BACK; readEnds; 1m; is 12/4
          D-8 no room where it was asked for: four plans elsewhere, then it backs off \
            | exhausted; exhausted; exhausted; exhausted; exhausted; use 4; 400ms; asked 5; \
              why BACKING_OFF
          D-14 back-off grows, by pauses of 2 to 64 s, and is forgotten after a success \
            | refuse TRANSIENT; refuse TRANSIENT; refuse TRANSIENT; refuse TRANSIENT; \
              refuse TRANSIENT; refuse TRANSIENT; use 4; 130s; is 12/4; asked 8; \
              refuse TRANSIENT; use 5; 2100ms; asked 10; is 13/5
          F-11 NM-L6 D-14 deleted during a pause: nothing follows \
            | refuse TRANSIENT; use 4; 300ms; why BACKING_OFF; delete; 100ms; \
              fewerTimers; 10m; asked 2; forgotten 1
          F-11 NM-L6 deleted while a call is on the wire: cancelled, and its end changes nothing \
            | callHangs; use 4; 100ms; asked 2; requests; delete; 100ms; cancelled; \
              forgotten 0; unknown; callEnds; 10m; forgotten 1; asked 2; released 0; requests
          F-11 deleted while it waits for a token: the place in the queue is given up \
            | hold; use 4; 100ms; waiting 1; delete; 100ms; waiting 0; forgotten 1; asked 1
          A token for a plan that changed goes back in the same turn \
            | hold; use 4; 100ms; use 0; 100ms; grant; 100ms; givenBack 1; asked 1
          F-5 a recovered API serves the deficit without any event of the node \
            | noScan TRANSIENT; create p=8; start; 500ms; is 0/0; why INSTANCES_API_UNSTABLE; \
              unsettled; 1s; is 8/0; settled
          F-8 D-2 a lost answer forbids decisions until this instance was read later \
            | @a create p=8; @b create p=8; start; 1s; @a loses 4; readHangs; use 4; 1s; \
              why READING_BACK; asked 2; @b sync; 1s; @a use 5; 1s; asked 2; scanFromBeforeLoss; \
              resync; 1s; asked 2; readEnds; 1s; is 13/5; wanted 1
          D-8 the cloud's own hint how long to wait is heeded \
            | refuse THROTTLED 40s; use 4; 39s; asked 2; 2s; asked 3
          F-11 a node that comes back waits until its past life is quiet \
            | callHangs; use 4; 100ms; delete; 100ms; again; 1s; asked 2; callEnds; 1s; is 12/4; \
              asked 2
          F-12 another instance under the same name: the old one is dropped, the new one read \
            | missing; afresh; instance i-new; 1s; \
              log deleteInstance i-node1, createNode node1 i-new, instanceSync i-new
          F-12 a write that is under way when the instance changes is not made on the new one \
            | meanwhile UPDATE missing + instance i-new; use 4; 1s; pool 8
          F-13 a node without instance id is incomplete and costs nothing until the id arrives \
            | start; 1ms; scans 1; create p=8 i=-; 30s; stands INCOMPLETE NO_INSTANCE_ID true; \
              scans 1; reads 0; begun 0; requests; instance i-1; 1s; is 8/0
          F-14 a failing or hanging node delays no other \
            | @bad create p=8; @worse create p=8; @good create p=8; start; 1s; @bad loses 0; \
              readHangs; use 4; @worse callHangs; use 4; 1s; @good use 4; 30ms; is 12/4; ready
          """)
  void story(String what, String story) {
    NodeStory.run(EngineConfig.defaults(), what, story);
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Failure.Kind.class)
  @DisplayName("D-8 each kind of failure has its own reaction")
  void reactions(Failure.Kind kind) {
    node.refuseAllocation(kind);
    CompletableFuture<SyncOutcome> read = world.provider.hangInstanceSync();
    world.use("node1", 4);
    world.run(Duration.ofMillis(300));
    boolean readsBack = world.provider.count("instanceSync") == 1;
    String reaction =
        world.report("node1").state()
            + world.blockedReason("node1").map(why -> " " + why).orElse("")
            + (readsBack ? " reads" : "");
    String expected =
        switch (kind) {
          case THROTTLED, TRANSIENT -> "FILLING BACKING_OFF";
          case CAPACITY, CANCELLED -> "OK";
          case CONFLICT, NOT_FOUND, LOST -> "FILLING READING_BACK reads";
          case NOT_RUNNING -> "NOT_RUNNING INSTANCE_NOT_RUNNING";
          case CONFIGURATION -> "BLOCKED CLOUD_REFUSED";
        };
    assertEquals(expected, reaction);
    read.complete(new SyncOutcome.Synced(world.provider.generation()));
    world.run(Duration.ofMinutes(6));
    assertEquals("12/4", world.availableUsed("node1"), "every kind ends well in the end");
  }

  @Test
  @DisplayName("F-16 no slot left, or fewer than none: no call, one warning per hour")
  void noSlots() {
    try (LogLines log = new LogLines(NodeBackoff.class)) {
      node.lacksSlots(1);
      node.refresh();
      world.use("node1", 4);
      world.run(ONE_SECOND);
      assertEquals(Optional.of(BlockedReason.OUT_OF_INTERFACES), world.blockedReason("node1"));
      assertEquals(NodeState.BLOCKED, world.report("node1").state());
      world.assertSettled("node1");
      for (int i = 0; i < 59; i++) {
        world.manager.requestMaintenance("node1");
        world.run(Duration.ofMinutes(1));
      }
      assertEquals(0, node.created.size());
      assertEquals(1, log.warnings().size(), () -> log.warnings().toString());
      world.run(Duration.ofMinutes(2));
      world.manager.requestMaintenance("node1");
      world.run(ONE_SECOND);
      assertEquals(2, log.warnings().size());
      assertEquals("8/4", world.availableUsed("node1"));
    }
  }
}
