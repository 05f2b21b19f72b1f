package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.InterfaceStatistics;
import io.tidemark.spi.Inventory;
import io.tidemark.testing.NodeSample;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The numbers of a node with the sums that led to them (node-manager 13 D-19)")
class ExplainedNumbersTest {
  private static final AddressSet RANGE = AddressSet.ofRange(Cidr.parse("10.0.0.0/24"));

  private EngineConfig config = EngineConfig.defaults().releasingAfter(Duration.ofSeconds(5));
  private final NodeSample resource = Samples.node("node1").instanceId("i-1");
  private int attached = 8;
  private int draining;
  private OptionalInt instanceCeiling = OptionalInt.empty();
  private OptionalInt pending = OptionalInt.empty();
  private OptionalInt maxPods = OptionalInt.empty();
  private boolean closed;
  private boolean prefixes;

  private NodeSnapshot snapshot() {
    AttachedInterface kept =
        new AttachedInterface(new InterfaceId("eni-1"), RANGE.first(attached), List.of());
    AttachedInterface emptied =
        new AttachedInterface(new InterfaceId("eni-2"), RANGE.last(draining), List.of()).drained();
    return NodeSnapshot.of(
        config,
        ResourceFacts.of(resource.build()),
        new Inventory.Known(
            1,
            draining == 0 ? List.of(kept) : List.of(kept, emptied),
            new InterfaceStatistics(27, 3, 1, 2, 0, Optional.empty())),
        instanceCeiling,
        Optional.empty(),
        prefixes,
        pending,
        maxPods,
        closed);
  }

  private Map<String, String> numbers() {
    return Explanation.numbersOf(snapshot());
  }

  private Explanation explain(Optional<Blocked> blocked, AddressSet missed, OptionalLong waited) {
    NodeSnapshot now = snapshot();
    return Explanation.of(
        "node1",
        NodeState.FILLING,
        Optional.of(now),
        Optional.of(new MaintenancePlan.Idle()),
        blocked,
        ReleaseHandshake.NONE,
        now.facts(),
        missed,
        Optional.empty(),
        waited);
  }

  private Explanation explain(Optional<Blocked> blocked) {
    return explain(blocked, AddressSet.of(), OptionalLong.empty());
  }

  private String advice() {
    return explain(Optional.empty()).advice();
  }

  @Test
  @DisplayName("in reading order, with the default named and nothing said that is not known")
  void plain() {
    assertThat(numbers())
        .containsExactly(
            Map.entry("available", "8"),
            Map.entry("used", "0"),
            Map.entry("spare", "8"),
            Map.entry("capacity", "27"),
            Map.entry("pre-allocate", "8 (default, none is written)"),
            Map.entry("min-allocate", "0"),
            Map.entry("ceiling", "none known"),
            Map.entry("max-above-watermark", "0"),
            Map.entry("pending pods", "not counted"),
            Map.entry("needed", "0 = 8 - 8, not below 0, not above the ceiling"),
            Map.entry("asks for", "0"),
            Map.entry("excess", "0"),
            Map.entry("interfaces", "3 attached, 1 with room, 2 empty slots"),
            Map.entry("prefix delegation", "no"));
  }

  @Test
  @DisplayName("with the floor, the ceiling's origin, waiting pods and the kubelet where known")
  void everything() {
    resource.preAllocate(4).minAllocate(12).maxAboveWatermark(2).used(3);
    pending = OptionalInt.of(9);
    maxPods = OptionalInt.of(110);
    instanceCeiling = OptionalInt.of(27);
    prefixes = true;
    assertThat(numbers())
        .containsEntry("used", "3")
        .containsEntry("spare", "5")
        .containsEntry("pre-allocate", "4")
        .containsEntry("min-allocate", "12")
        .containsEntry("ceiling", "27 (instance)")
        .containsEntry("max-above-watermark", "2")
        .containsEntry("pending pods", "9")
        .containsEntry("needed", "4 = max(4 - 5, 12 - 8), not below 0, not above the ceiling")
        .containsEntry("asks for", "11")
        .containsEntry("max-pods", "110")
        .containsEntry("pods", "27 addresses at most, the kubelet takes 110 pods")
        .containsEntry("prefix delegation", "yes");
    resource.maxAllocate(20).used(15);
    assertThat(numbers())
        .containsEntry("ceiling", "20 (max-allocate)")
        .containsEntry("spare", "-7");
  }

  @Test
  @DisplayName("of a multi-pool agent the use is its demand")
  void multiPool() {
    resource.preAllocate(2).requested(5, 0);
    assertThat(numbers()).containsEntry("used", "3 (from the agent's demand)");
  }

  @Test
  @DisplayName("of a node that takes no new pods")
  void closed() {
    closed = true;
    pending = OptionalInt.of(0);
    attached = 5;
    assertThat(numbers())
        .containsEntry(
            "pre-allocate", "8 (default, none is written) (not kept: the node takes no new pods)")
        .containsEntry("needed", "3 for the start of its agent and pods that wait");
  }

  @Test
  @DisplayName("of an interface that shall be emptied")
  void draining() {
    draining = 4;
    assertThat(numbers())
        .containsEntry(
            "draining",
            "1 interface, 4 free addresses: 4 may leave now, 0 others must come first for the rest");
    attached = 6;
    assertThat(numbers().get("draining"))
        .isEqualTo(
            "1 interface, 4 free addresses: 2 may leave now, 2 others must come first for the"
                + " rest");
  }

  @Test
  @DisplayName("of a node whose instance is not known: what its object says")
  void objectAlone() {
    resource.preAllocate(4).minAllocate(5).maxAllocate(6).maxAboveWatermark(7).used(2);
    resource.pool("eni-1", "10.0.0.1", "10.0.0.2", "10.0.0.3");
    assertThat(Explanation.numbersOf(ResourceFacts.of(resource.build())))
        .containsExactly(
            Map.entry("available", "3 (as the object says)"),
            Map.entry("used", "2"),
            Map.entry("pre-allocate", "4"),
            Map.entry("min-allocate", "5"),
            Map.entry("max-allocate", "6"),
            Map.entry("max-above-watermark", "7"));
  }

  @DisplayName("a wait for the cloud is told from five seconds on")
  @ParameterizedTest(name = "{0} ms: {1}")
  @CsvSource({"4999, ", "5000, 5 s", "61000, 61 s"})
  void waits(long millis, String told) {
    Map<String, String> numbers =
        explain(Optional.empty(), AddressSet.of(), OptionalLong.of(millis * 1_000_000)).numbers();
    assertThat(numbers.get("waits for its turn at the cloud")).isEqualTo(told);
  }

  @Test
  @DisplayName("the advice: why it is blocked, else what holds it back, else what is in vain")
  void advices() {
    assertThat(advice()).startsWith("Wait: the operator writes");
    listed();
    assertThat(advice()).isEmpty();
    maxPods = OptionalInt.of(110);
    assertThat(advice()).startsWith("The kubelet takes 110");
    instanceCeiling = OptionalInt.of(6);
    assertThat(advice()).startsWith("The kubelet takes 110 pods, and there can be addresses for 6");
    resource.used(5);
    assertThat(advice())
        .isEqualTo(
            "5 addresses below its watermarks, because the instance allows no more. "
                + BlockedReason.OUT_OF_INTERFACES.remedy());
    resource.maxAllocate(6);
    assertThat(advice())
        .endsWith("because max-allocate allows no more. " + BlockedReason.MAX_ALLOCATE.remedy());
    closed = true;
    pending = OptionalInt.of(0);
    assertThat(advice()).startsWith("The kubelet takes 110");
    Blocked why = new Blocked(BlockedReason.NO_SUBNET, "none fits");
    assertThat(explain(Optional.of(why)).advice()).isEqualTo(why.reason().remedy());
  }

  /** The object has what is attached. */
  private void listed() {
    resource.pool(
        "eni-1",
        IntStream.rangeClosed(1, 8).mapToObj(each -> "10.0.0." + each).toArray(String[]::new));
  }

  @Test
  @DisplayName("the text names what stops the node and what is open, and used addresses that hide")
  void text() {
    listed();
    Blocked stops = new Blocked(BlockedReason.NO_SUBNET, "none fits");
    Blocked open = new Blocked(BlockedReason.USED_ADDRESS_GONE, "one is gone");
    String text =
        explain(
                Optional.of(stops),
                AddressSet.of(IpAddress.parse("10.0.0.77")),
                OptionalLong.empty())
            .toText();
    assertThat(text)
        .startsWith("node node1 is " + NodeState.FILLING.text() + "\n  available")
        .contains("\nblocked: " + stops.reason().label() + " NO_SUBNET: none fits\n")
        .contains("used, not in the cloud", "1 (a later read decides): ", "10.0.0.77")
        .contains("\nplan: idle: nothing to do\n")
        .doesNotContain("release handshake")
        .endsWith("what you can do: " + stops.reason().remedy() + "\n");
    assertThat(explain(Optional.of(open)).toText()).contains("\nopen: " + open.reason().label());
    List<String> lines = explain(Optional.empty()).toText().lines().toList();
    assertThat(lines.get(1)).isEqualTo("  available            8");
    assertThat(lines.get(8)).isEqualTo("  max-above-watermark  0");
    assertThat(lines).last().isEqualTo("what you can do: nothing is wrong");
  }

  @Test
  @DisplayName("a release under way is counted by phase")
  void handshakes() {
    NodeSnapshot now = snapshot();
    ReleaseHandshake marked =
        ReleaseHandshake.NONE
            .candidates(RANGE.first(2), Set.of(), 0, 0)
            .candidates(RANGE.first(3), Set.of(), 0, 9);
    Explanation explained =
        Explanation.of(
            "node1",
            NodeState.FILLING,
            Optional.of(now),
            Optional.empty(),
            Optional.empty(),
            marked,
            now.facts(),
            AddressSet.of(),
            Optional.empty(),
            OptionalLong.empty());
    assertThat(explained.handshakes()).isEqualTo(Map.of("candidate", 1, "marked", 2));
    assertThat(explained.plan()).isEqualTo("none: the instance is not known");
    assertThat(explained.toText()).contains("\n  release handshake: {candidate=1, marked=2}\n");
  }
}
