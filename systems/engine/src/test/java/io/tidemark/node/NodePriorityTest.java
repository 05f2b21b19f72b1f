package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resilience.Priority;
import io.tidemark.resilience.Priority.Rank;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.InterfaceStatistics;
import io.tidemark.spi.Inventory;
import io.tidemark.testing.Samples;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("How urgently a node wants a token")
class NodePriorityTest {
  @DisplayName("pods that wait where no address is free come first, else what is missing decides")
  @ParameterizedTest(name = "{0} attached, {1} used, {2} pods wait, had some: {3} -> {4} {5}")
  @CsvSource({
    // free: one, none, fewer than none
    "8, 7,  1, true,  BELOW_WATERMARK, 0.533",
    "8, 8,  1, true,  PODS_WAITING,    0.562",
    "8, 9,  1, true,  PODS_WAITING,    0.588",
    // no pod waits, or nobody counts them
    "8, 8,  0, true,  BELOW_WATERMARK, 0.5",
    "8, 8,   , true,  BELOW_WATERMARK, 0.5",
    // a node that never had an address is new, not starved
    "8, 8,  1, false, BELOW_WATERMARK, 0.562",
    "0, 0,  1, false, BELOW_WATERMARK, 1.125",
    "0, 0,  1, true,  PODS_WAITING,    1.125",
    // nothing is missing
    "8, 0,  0, true,  BELOW_WATERMARK, 0",
  })
  void priority(
      int attached, int used, Integer pending, boolean hadAddresses, Rank rank, double deficit) {
    Priority priority = snapshot(attached, used, pending, false).priority(hadAddresses);
    assertThat(priority.rank()).isEqualTo(rank);
    assertThat(priority.relativeDeficit()).isBetween(deficit - 0.001, deficit + 0.001);
  }

  @Test
  @DisplayName("what comes in place of what leaves serves no pod that waits")
  void replacement() {
    Priority leaving = draining(8).priority(true);
    assertThat(leaving.rank()).isEqualTo(Rank.RELEASE);
    assertThat(draining(4).priority(true).rank())
        .as("others are missing, too")
        .isEqualTo(Rank.BELOW_WATERMARK);
  }

  private static NodeSnapshot draining(int addresses) {
    return snapshot(addresses, 0, 3, true);
  }

  private static NodeSnapshot snapshot(int attached, int used, Integer pending, boolean drains) {
    AddressSet addresses = AddressSet.ofRange(Cidr.parse("10.0.0.0/24")).first(attached);
    return NodeSnapshot.of(
        EngineConfig.of(Map.of("release-excess-ips", Boolean.toString(drains))),
        ResourceFacts.of(Samples.node("node1").instanceId("i-1").preAllocate(8).used(used).build()),
        new Inventory.Known(
            1,
            List.of(new AttachedInterface(new InterfaceId("eni-1"), addresses, List.of(), drains)),
            new InterfaceStatistics(100, 1, 1, 1, 0, Optional.empty())),
        OptionalInt.empty(),
        Optional.empty(),
        false,
        pending == null ? OptionalInt.empty() : OptionalInt.of(pending),
        OptionalInt.empty(),
        false);
  }
}
