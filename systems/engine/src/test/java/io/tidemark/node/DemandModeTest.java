package io.tidemark.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.node.config.EngineConfig;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Spare addresses that follow demand")
class DemandModeTest {
  private static final Map<String, String> DEMAND =
      Map.of(
          "pre-allocate-mode", "demand",
          "release-excess-ips", "true",
          "excess-ip-release-delay", "1m");

  @DisplayName("A node has what its pods, and those of nodes like it, needed before")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          before the first pod the static number holds, also as the start of the agent \
            | create p=5; start; 1s; is 5/0
          a few single pods do not prove that fewer are enough \
            | create p=8; start; 1s; use 1; 20m; use 2; 20m; use 3; 20m; is 11/3
          with four at once the spare grows \
            | create p=1; start; 1s; use 1; 20m; use 2; 20m; use 3; 20m; use 7; 20m; is 11/7
          bursts of ten: twelve, the bound of their class \
            | create p=1; start; 1s; use 1; 20m; use 11; 20m; use 21; 20m; is 33/21
          a node that takes no new pods keeps what pods hold \
            | create p=1; start; 1s; use 1; 20m; use 11; 20m; close; pending 0; use 22; 1s; is 23/22
          a multi-pool agent asks for its spare addresses itself \
            | create p=8 d=20; start; 1s; is 20/12; becomes p=8 d=32; 1s; is 32/24
          """)
  void story(String what, String story) {
    NodeStory.run(NodeWorld.idle(EngineConfig.of(DEMAND)), what, story);
  }

  @Test
  @DisplayName("Explanations say what keeps the addresses, and surplus is what half an hour leaves")
  void explained() {
    NodeWorld world = NodeWorld.idle(EngineConfig.of(DEMAND));
    NodeStory.run(world, "bursts", "create p=1; start; 1s; use 1; 20m; use 11; 20m; use 21; 20m");

    assertEquals(
        "12 cover 99.9 % of pods in the 15 s until more can be used; asks up to 12, releases above"
            + " 24",
        world.explain("node1").numbers().get("spare by demand"));
    assertEquals("12 (by demand)", world.explain("node1").numbers().get("pre-allocate"));
    assertEquals(0, world.report("node1").excess());
    NodeStory.run(world, "bursts end", "use 1; 1s");
    assertEquals(8, world.report("node1").excess());
  }
}
