package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.metrics.Meters;
import io.tidemark.node.NodeStatistics.PodCapacity;
import io.tidemark.resource.HandshakeState;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Sums over all nodes, kept by differences (node-manager 5.5, 13 D-3)")
class ClusterTotalsTest {
  private final ClusterTotals totals = new ClusterTotals(Meters.none());

  private static NodeStatus standing(
      NodeStatistics statistics, Optional<BlockedReason> reason, int marked) {
    return new NodeStatus(
        statistics,
        PodCapacity.UNKNOWN,
        NodeState.FILLING,
        reason.map(each -> new Blocked(each, "detail")),
        Optional.empty(),
        marked == 0 ? Map.of() : Map.of(HandshakeState.MARKED_FOR_RELEASE, marked),
        true);
  }

  private static NodeStatistics numbers(
      int available, int used, int capacity, int needed, int withRoom, int slots) {
    return new NodeStatistics(available, used, capacity, needed, 0, 2, withRoom, slots);
  }

  private static final NodeStatus FULL =
      standing(numbers(10, 10, 20, 8, 0, 0), Optional.empty(), 0);
  private static final NodeStatus ROOMY =
      standing(numbers(12, 4, 40, 0, 1, 2), Optional.of(BlockedReason.NO_SUBNET), 3);

  private ClusterTotals.Share counted(String node, NodeStatus status, long nowNanos) {
    ClusterTotals.Share share = totals.new Share(node);
    assertThat(share.join()).isTrue();
    share.update(status, nowNanos);
    return share;
  }

  @Test
  @DisplayName("every number of every node counts once, and goes with its node")
  void sums() {
    ClusterTotals.Share full = counted("full", FULL, 0);
    ClusterTotals.Share roomy = counted("roomy", ROOMY, 0);
    assertThat(full.join()).as("twice").isFalse();
    assertThat(totals.snapshot()).isEqualTo(new ClusterStatistics(14, 8, 8, 3, 1, 2, 2, 1, 1));
    assertThat(totals.handshakes())
        .containsEntry(HandshakeState.MARKED_FOR_RELEASE, 3L)
        .containsEntry(HandshakeState.RELEASED, 0L);
    assertThat(totals.stuck())
        .containsEntry(BlockedReason.NO_SUBNET, 1L)
        .containsEntry(BlockedReason.OUT_OF_INTERFACES, 0L);
    full.leave();
    full.leave();
    assertThat(totals.snapshot()).isEqualTo(new ClusterStatistics(4, 8, 0, 3, 1, 2, 1, 0, 0));
    roomy.leave();
    assertThat(totals.snapshot()).isEqualTo(new ClusterStatistics(0, 0, 0, 0, 0, 0, 0, 0, 0));
    assertThat(totals.handshakes()).containsEntry(HandshakeState.MARKED_FOR_RELEASE, 0L);
    assertThat(totals.stuck()).containsEntry(BlockedReason.NO_SUBNET, 0L);
  }

  @Test
  @DisplayName("a change replaces what the node counted before, and counts nothing of others")
  void change() {
    counted("node1", FULL, 0).update(ROOMY, 1);
    totals.new Share("unknown").update(FULL, 2);
    assertThat(totals.snapshot()).isEqualTo(new ClusterStatistics(4, 8, 0, 3, 1, 2, 1, 0, 0));
    assertThat(totals.handshakes()).containsEntry(HandshakeState.MARKED_FOR_RELEASE, 3L);
  }

  @DisplayName("at capacity is a known node without room and without a free address")
  @ParameterizedTest(name = "{0} of {1} used, capacity {2}, room on {3}, {4} slots -> {5}")
  @CsvSource({
    "8, 8, 8, 0,  0, 1, 0",
    "8, 7, 8, 0,  0, 0, 0",
    "8, 8, 8, 1,  0, 0, 1",
    "8, 8, 8, 0,  1, 0, 1",
    "8, 8, 8, 0, -1, 1, 0",
    "8, 8, 8, 2, -1, 0, 2",
    "8, 8, 1, 0,  0, 1, 0",
    "0, 0, 0, 0,  0, 0, 0",
  })
  void atCapacity(
      int available, int used, int capacity, int withRoom, int slots, int full, int remaining) {
    counted(
        "node1",
        standing(numbers(available, used, capacity, 0, withRoom, slots), Optional.empty(), 0),
        0);
    assertThat(totals.snapshot().atCapacity()).isEqualTo(full);
    assertThat(totals.snapshot().remainingInterfaces()).isEqualTo(remaining);
    assertThat(totals.snapshot().emptyInterfaceSlots()).isEqualTo(Math.max(0, slots));
  }

  @Test
  @DisplayName(
      "while the instance is not known the object says pool, use and need, the rest stands")
  void written() {
    NodeStatistics before = new NodeStatistics(9, 5, 27, 3, 2, 4, 6, 7);
    NodeStatistics now = before.written(2, 1, 4);
    assertThat(now).isEqualTo(new NodeStatistics(2, 1, 27, 4, 2, 4, 6, 7));
  }

  @Test
  @DisplayName("the oldest deficit is known whichever ends first, and never negative")
  void deficitAges() {
    assertThat(totals.oldestDeficit(100)).isEqualTo(Duration.ZERO);
    ClusterTotals.Share first = counted("b", FULL, 10);
    ClusterTotals.Share twin = counted("a", FULL, 10);
    ClusterTotals.Share later = counted("c", FULL, 40);
    assertThat(totals.oldestDeficit(100)).isEqualTo(Duration.ofNanos(90));
    assertThat(totals.oldestDeficit(5)).isEqualTo(Duration.ZERO);
    first.update(ROOMY, 50);
    assertThat(totals.oldestDeficit(100)).isEqualTo(Duration.ofNanos(90));
    twin.leave();
    assertThat(totals.oldestDeficit(100)).isEqualTo(Duration.ofNanos(60));
    later.update(FULL, 90);
    assertThat(totals.oldestDeficit(100)).as("since it began").isEqualTo(Duration.ofNanos(60));
    later.leave();
    assertThat(totals.oldestDeficit(100)).isEqualTo(Duration.ZERO);
  }

  @DisplayName("the earlier of two instants, and only one to come")
  @ParameterizedTest(name = "{0} or {1} at {2} -> {3}")
  @CsvSource({
    "  , 20, 10, 20",
    "30, 20, 10, 20",
    "20, 30, 10, 20",
    "20, 20, 10, 20",
    "30, 10, 10, 30",
    "30, 11, 10, 11",
    "30,   , 10, 30",
    "  ,  9, 10,   ",
  })
  void earliest(Long known, Long candidate, long now, Long expected) {
    assertThat(NodeEnvironment.earlier(optional(known), optional(candidate), now))
        .isEqualTo(optional(expected));
  }

  private static OptionalLong optional(Long value) {
    return value == null ? OptionalLong.empty() : OptionalLong.of(value);
  }
}
