package io.tidemark.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.node.config.EngineConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The reference-compatible profile (node-manager 13 D-21, N8)")
class ReferenceProfileTest {
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);

  private final EngineConfig reference =
      profile("reference").releasingAfter(Duration.ofSeconds(90));

  private static EngineConfig profile(String name) {
    return EngineConfig.of(Map.of("ipam-profile", name));
  }

  @Test
  @DisplayName("D-21 surplus, marks and acknowledgements wait for the scan, every 60 s")
  void waitsForScans() {
    NodeStory.run(
        NodeWorld.filled(reference),
        "scans at 60, 120, 180 and 240 s; 90 s of surplus are over at 150 s",
        "spare 2; 58s; scans 1; 2m; scans 3; marks; unsettled; 2s; marks marked-for-release;"
            + " acknowledges; 50s; is 10/0; unsettled; 10s; is 8/0");
  }

  @Test
  @DisplayName("D-21 used addresses count with their whole block, one of no interface not at all")
  void prefixCounting() {
    for (boolean profile : List.of(true, false)) {
      EngineConfig config = profile(profile ? "reference" : "tidemark");
      NodeWorld world = NodeWorld.started(config.releasingAfter(ONE_SECOND));
      ScriptedNode node = world.provider.prepared("node1");
      Cidr block = Cidr.parse("10.16.2.0/28");
      node.attach(AddressSet.of(), List.of(block));
      world.create("node1", 8, 0);
      world.run(Duration.ofMillis(100));
      world.use("node1", AddressSet.ofRange(block).last(7));
      world.run(Duration.ofMillis(500));
      assertEquals("16/7", world.availableUsed("node1"));
      assertEquals(profile ? 0 : 1, world.report("node1").excess(), "row 10 of 2.6");
      AddressSet foreign = AddressSet.of(io.tidemark.ip.IpAddress.parse("192.168.0.1"));
      world.use("node1", foreign);
      world.run(Duration.ofMillis(500));
      assertEquals(profile ? 8 : 7, world.report("node1").excess());
    }
  }

  @Test
  @DisplayName("D-21 D-14 a success does not reset the back-off")
  void backoffStays() {
    NodeStory.run(
        NodeWorld.filled(profile("reference")),
        "the seventh pause, not the first",
        "refuse TRANSIENT; ".repeat(6)
            + "use 1; 130s; is 9/1; asked 8; refuse TRANSIENT; use 2; 1500ms; asked 9; 90s; is 10/2");
  }

  @Test
  @DisplayName("D-21 D-17 scans come exactly 60 s after the last one ended, in any cluster")
  void fixedInterval() {
    NodeWorld world = NodeWorld.started(reference);
    for (int i = 0; i < 100; i++) {
      world.create("node" + i, 1, 0);
    }
    world.run(Duration.ofSeconds(58));
    assertEquals(1, world.provider.count("resync"));
    world.run(Duration.ofSeconds(242));
    assertEquals(6, world.provider.count("resync"));
  }

  @Test
  @DisplayName("D-21 no block is ever released")
  void noPrefixRelease() {
    NodeStory.run(
        reference,
        "two blocks, of which no pod uses an address",
        "inBlocks; attached BC; create p=8; start; 10m; excess 24; marks; released 0");
  }
}
