package io.tidemark.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.ResourceProblem;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("How a node stands, and whether the next step is somebody else's")
class StandingTest {
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);

  private final EngineConfig plain = EngineConfig.defaults();

  private NodeWorld settled(EngineConfig config) {
    NodeWorld world = NodeWorld.filled(config);
    assertEquals("OK true", standing(world));
    world.takeRequests();
    return world;
  }

  private static String standing(NodeWorld world) {
    NodeReport report = world.report("node1");
    return report.state()
        + report.blocked().map(why -> " " + why.reason()).orElse("")
        + " "
        + report.settled();
  }

  @DisplayName("D-10 what a node does, and whether the next step is its own")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Waiting for a token, for the cloud, for the API server: not settled \
            | hold; use 2; 1s; stands FILLING false; callHangs; grant; 1s; stands FILLING false; \
              slow 1s; callEnds; 1s; stands FILLING false; 10s; stands OK true; pool 10
          Surplus without release is no reason to wait \
            | use 4; 1s; use 0; 1s; stands OK true; excess 4
          Backing off is ours, a refusal that a person must mend is not \
            | refuse TRANSIENT; use 1; 300ms; stands FILLING BACKING_OFF false; 3s; \
              stands OK true; refuse CONFIGURATION; use 2; 1s; stands BLOCKED CLOUD_REFUSED true; \
              5m; stands OK true
          A lost answer is ours until it was read back \
            | loses 0; readHangs; use 1; 10s; stands FILLING READING_BACK false; readEnds; 3s; \
              stands OK true
          A stopped instance is not ours to start, an unwritten resource is still ours \
            | stopped; stopped; stopped; use 1; 1s; stands NOT_RUNNING INSTANCE_NOT_RUNNING true; \
              answers .* failed; keepsOnly 5; resync; 1s; \
              stands NOT_RUNNING INSTANCE_NOT_RUNNING false
          D-10 A missing instance keeps its numbers and its place; gone for certain is settled \
            | refuse TRANSIENT; use 3; 100ms; vanished; 10s; \
              stands BLOCKED INSTANCE_MISSING true; is 8/3; needed 3; value NODES_STUCK TM-1210 1; shown; \
              resync; 1s; stands OK true; is 11/3
          A write that keeps failing is tried again with growing pauses, at most 45 s \
            | answers UPDATE.* failed; use 1; 5m; gets 8-25; usual; 46s; pool 9; stands OK true
          Unknown limits block the node and say the type \
            | limits x9.tiny; use 3; 1s; stands BLOCKED LIMITS_UNKNOWN true; detail x9.tiny
          """)
  void story(String what, String story) {
    NodeStory.run(NodeWorld.filled(), what, story);
  }

  @Test
  @DisplayName("N12 a node of another cloud is never changed and never written, until mended")
  void untouchable() {
    NodeStory.run(
        NodeWorld.started(plain),
        "N12",
        "other; create p=8; "
            + "1m; use 3; maintain; sync; 1s; ".repeat(5)
            + "stands BLOCKED OTHER_CLOUD true; requests; asked 0; created 0; reads 0; shown; use 0;"
            + " 1s; stands OK true; pool 8");
  }

  @Test
  @DisplayName("The release delay is due, the agent's answer is not ours")
  void releasing() {
    NodeStory.run(
        settled(plain.releasingAfter(Duration.ofSeconds(30))),
        "marked: the agent is to answer; released: it is to clean up",
        "use 4; 1s; use 0; 29s; stands RELEASING false; 2s; stands RELEASING true; acknowledges; 1s;"
            + " stands RELEASING true; cleans; 1s; stands OK true");
  }

  @Test
  @DisplayName("An unreadable version is reported; the last readable one stays in force")
  void invalid() {
    NodeWorld world = settled(plain);
    world.manager.refused(
        "node1",
        List.of(
            new ResourceProblem(
                "n.yaml:7", "spec.ipam.pre-allocate", "'many' is not a number", "")));
    assertEquals("INVALID INVALID_RESOURCE true", standing(world));
    assertEquals(
        "n.yaml:7 spec.ipam.pre-allocate: 'many' is not a number",
        world.report("node1").blocked().orElseThrow().detail());
    ScriptedNode node = world.provider.node("node1");
    node.attach(node.singles().last(5), List.of());
    world.manager.resync();
    world.run(ONE_SECOND);
    assertEquals("8/0", world.availableUsed("node1"), "it is still served");
    world.use("node1", 1);
    world.run(ONE_SECOND);
    assertEquals("OK true", standing(world));
  }

  @Test
  @DisplayName("Nothing of a manager that was closed starts any more, whatever is still queued")
  void closed() {
    NodeWorld world = NodeWorld.started(plain);
    world.create("node1", 8, 0);
    world.manager.upsert(world.resource("node1"));
    world.manager.close();
    world.manager.close();
    world.run(Duration.ofMinutes(5));
    assertEquals(0, world.provider.nodes.values().stream().mapToInt(n -> n.allocated.size()).sum());
    assertEquals(List.of(), world.takeRequests());
    assertEquals(0, world.time.pending(), "no timer is left");
  }
}
