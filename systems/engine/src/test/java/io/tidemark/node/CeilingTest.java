package io.tidemark.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.cluster.PendingPodIndex;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.spi.AddressPlan;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What a pass asks for (node-manager 2.4, 2.5, 2.7)")
class CeilingTest {
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);

  private final EngineConfig plain = EngineConfig.defaults();

  @ParameterizedTest(name = "blocks of {0}")
  @ValueSource(ints = {1, 16})
  @DisplayName("F-15 D-13 NM-M1 M 18, a 15, u 10, w 4, six pods wait: never above 18")
  void hardCeiling(int blockSize) {
    NodeWorld world = NodeWorld.started(plain);
    ScriptedNode node = world.provider.prepared("node1");
    node.blockSize = blockSize;
    node.prefixDelegated = blockSize > 1;
    node.attach(AddressSet.ofRange(Cidr.parse("10.16.6.0/28")).last(15), List.of());
    world.pendingPods.put("node1", 6);
    world.create(
        Samples.node("node1")
            .instanceId("i-1")
            .preAllocate(8)
            .maxAllocate(18)
            .maxAboveWatermark(4)
            .used(10)
            .build());
    for (int used = 10; used <= 18; used++) {
      world.use("node1", used);
      world.run(ONE_SECOND);
      assertEquals("18/" + used, world.availableUsed("node1"));
    }
    assertEquals(OptionalInt.of(3), node.allocated.get(0).ipv4().ceiling());
    assertEquals(10, node.allocated.get(0).ipv4().wanted(), "3 needed + 4 above + 3 waiting");
    assertEquals(1, node.allocated.size());
    assertEquals(0, world.report("node1").needed());
  }

  @DisplayName("2.4 F-19 N1 NM-M1 what is asked for below a ceiling, and for pods that wait")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          NM-M1 N1 a block that fits under the ceiling is taken, the rest one by one \
            | inBlocks; create p=20 M=18; start; 1s; blocks 1; singles 2; is 18/0
          N1 where the cloud gives whole blocks alone, the rest waits for MAX_ALLOCATE \
            | lacks SINGLE_ADDRESSES; inBlocks; create p=20 M=18; start; 1s; is 16/0; \
              stands BLOCKED MAX_ALLOCATE true; because 2 addresses missing, room for 2 under the \
              ceiling, and the cloud gives them in blocks of 16; wants 20 0 32 0; 1s; is 32/0; \
              state OK
          2.4 the ceiling of an instance counts where max-allocate is not set \
            | max 5; create p=8; start; 1s; is 5/0; asked 1
          F-19 surge applies only while something is needed \
            | create p=8; start; 1s; pending 30; maintain; 1s; is 8/0; use 1; 1s; is 38/1
          """)
  void story(String what, String story) {
    NodeStory.run(NodeWorld.idle(plain), what, story);
  }

  @ParameterizedTest(name = "wanted {0}, at most {1}, blocks of {2} -> {3} blocks, {4} singles")
  @CsvSource({
    "10, -1, 16, 1, 10",
    "17, -1, 16, 2, 17",
    "17, 18, 16, 1, 17",
    "10, 3, 16, 0, 3",
    "10, 16, 16, 1, 10",
    "10, 0, 16, 0, 0",
    "7, 5, 1, 5, 5",
  })
  @DisplayName("D-13 rounding to blocks never passes the ceiling; nothing whole means singles")
  void rounding(int wanted, int ceiling, int blockSize, int blocks, int singles) {
    OptionalInt limit = ceiling < 0 ? OptionalInt.empty() : OptionalInt.of(ceiling);
    AddressPlan plan =
        new AddressPlan(100, 0, OptionalInt.empty(), blockSize, 1).wanting(wanted, limit);
    assertEquals(blocks, plan.blocks());
    assertEquals(singles, plan.singles());
  }

  @Test
  @DisplayName("F-19 surge counts pods that wait, those of the host network left out")
  void surge() {
    PendingPodIndex pods = new PendingPodIndex();
    pods.put("uid-1", "node1", true, true, "");
    pods.put("uid-2", "node1", true, true, "");
    pods.put("uid-3", "node1", true, true, "");
    pods.put("uid-4", "node1", true, false, "");
    pods.put("uid-5", "node1", true, false, "");
    pods.put("uid-6", "node1", false, false, "");
    pods.put("uid-7", "node2", true, false, "");
    assertEquals(OptionalInt.of(2), pods.onNode("node1"));
    Watermarks marks = new Watermarks(8, 0, OptionalInt.empty(), 0);
    assertEquals(2, marks.wanted(7, 0, 1, pods.onNode("node1").orElse(0)), "1 needed + surge 1");

    pods.put("uid-4", "node1", false, false, "");
    assertEquals(OptionalInt.of(1), pods.onNode("node1"), "it runs now");
    pods.remove("uid-5");
    pods.remove("uid-5");
    assertEquals(OptionalInt.of(0), pods.onNode("node1"));
    pods.put("uid-7", "node1", true, false, "");
    assertEquals(OptionalInt.of(1), pods.onNode("node1"), "a uid stands on one node");
    assertEquals(OptionalInt.of(0), pods.onNode("node2"));
    pods.put("uid-8", "", true, false, "");
    assertEquals(OptionalInt.of(0), pods.onNode(""), "placed nowhere yet");
    pods.put("uid-8", "node2", true, false, "");
    assertEquals(OptionalInt.of(1), pods.onNode("node2"));
  }

  @Test
  @DisplayName("Pods without an address: until one is shown, the pod runs or is gone")
  void unaddressed() {
    PendingPodIndex pods = new PendingPodIndex();
    for (String pod : new String[] {"a", "b", "c"}) {
      pods.put("uid-" + pod, "node1", true, false, "ns/" + pod);
    }
    pods.put("uid-d", "node1", true, true, "ns/d");
    pods.put("uid-e", "node1", true, false, "");
    assertEquals(Set.of("ns/a", "ns/b", "ns/c"), pods.unaddressed("node1"));
    assertEquals(OptionalInt.of(4), pods.onNode("node1"));

    pods.put("uid-a", "node1", true, false, "");
    pods.put("uid-b", "node1", false, false, "ns/b");
    pods.put("uid-e", "node1", true, false, "ns/e");
    assertEquals(Set.of("ns/c", "ns/e"), pods.unaddressed("node1"));
    assertEquals(OptionalInt.of(3), pods.onNode("node1"));
    pods.put("uid-c", "node2", true, false, "ns/c");
    pods.remove("uid-e");
    assertEquals(Set.of(), pods.unaddressed("node1"));
    assertEquals(Set.of("ns/c"), pods.unaddressed("node2"));
    assertEquals(OptionalInt.of(1), pods.onNode("node1"), "the one that has an address");
  }

  @Test
  @DisplayName("D-12 surplus below the minimum batch is kept, at the batch it goes")
  void batches() {
    NodeStory.run(
        NodeWorld.filled(inBatches(3).releasingAfter(Duration.ofSeconds(2))),
        "batches of three",
        "surplus 2; 5s; entries 0; excess 0; surplus 3; 5s; entries 3");
  }

  @Test
  @DisplayName("F-22 use that swings between 6 and 7 costs no call after the first round (D-12)")
  void swinging() {
    NodeWorld world = NodeWorld.started(inBatches(2).releasingAfter(Duration.ofMinutes(3)));
    world.create(
        Samples.node("node1")
            .instanceId("i-1")
            .preAllocate(8)
            .minAllocate(10)
            .maxAboveWatermark(4)
            .used(6)
            .build());
    world.run(ONE_SECOND);
    for (int round = 0; round < 12; round++) {
      world.use("node1", round % 2 == 0 ? 7 : 6);
      world.run(Duration.ofMinutes(5));
      if (round == 1) {
        world.provider.node("node1").allocated.clear();
      }
    }
    assertEquals(0, world.provider.node("node1").allocated.size());
    assertEquals(0, world.provider.node("node1").released.size());
    assertEquals(0, world.resource("node1").releaseIps().size());
  }

  private static EngineConfig inBatches(int addresses) {
    return EngineConfig.of(
        Map.of(
            "release-excess-ips", "true",
            "release-hysteresis", "true",
            "release-min-batch", Integer.toString(addresses)));
  }
}
