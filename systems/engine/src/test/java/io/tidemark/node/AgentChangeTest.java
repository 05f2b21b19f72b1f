package io.tidemark.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.testing.NodeSample;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A node whose agent is replaced by one of the other kind: delay 5 s")
class AgentChangeTest {
  private static final AddressSet FOUR =
      AddressSet.of(
          IpAddress.parse("10.0.0.1"),
          IpAddress.parse("10.0.0.2"),
          IpAddress.parse("10.0.0.3"),
          IpAddress.parse("10.0.0.4"));

  private final NodeWorld world =
      NodeWorld.idle(EngineConfig.defaults().releasingAfter(Duration.ofSeconds(5)));
  private final ScriptedNode node = world.provider.prepared("node1");

  private void start(NodeSample object) {
    node.attach(FOUR, List.of());
    world.create(object.build());
    world.start();
    world.run(Duration.ofSeconds(1));
  }

  private int used() {
    return world.report("node1").used();
  }

  @DisplayName("NM-C10 an agent is replaced by one of the other kind")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
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
          """)
  void story(String what, String story) {
    NodeStory.run(world, what, story);
  }

  @Test
  @DisplayName(
      "NM-C10 a multi-pool agent is not shown what a read soon after the start may show wrongly")
  void shownWhole() {
    world.provider.readHorizon = Duration.ofSeconds(10);
    start(
        Samples.node("node1")
            .instanceId("i-1")
            .preAllocate(1)
            .requested(4, 0)
            .allocated("10.0.0.1/32")
            .eni(Samples.eni("eni-1", 1, "10.0.0.1")));
    assertEquals(1, shown(), "three of four may have been given back a moment before the start");
    world.run(Duration.ofSeconds(30));
    assertEquals(4, shown());
  }

  private int shown() {
    return world
        .resource("node1")
        .eniStatus()
        .orElseThrow()
        .addressesByInterface()
        .values()
        .stream()
        .mapToInt(AddressSet::size)
        .sum();
  }

  @Test
  @DisplayName("F-12 used entries of an instance that is gone do not count")
  void departed() {
    start(Samples.node("node1").instanceId("i-1").preAllocate(1).used("10.0.0.1", "10.0.9.2"));
    assertEquals(2, used());
    node.attach(AddressSet.of(), List.of());
    world.edit("node1", resource -> resource.withInstanceId("i-2"));
    world.run(Duration.ofSeconds(1));
    assertEquals(0, used());
  }
}
