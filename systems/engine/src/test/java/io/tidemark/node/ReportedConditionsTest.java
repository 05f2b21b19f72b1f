package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.ObjectEvents;
import io.tidemark.error.ErrorCode;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.metrics.Meters;
import io.tidemark.node.NodeStatistics.PodCapacity;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.InterfaceStatistics;
import io.tidemark.spi.Inventory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What is told once, counted once and closed for one reason")
class ReportedConditionsTest {
  private final List<String> told = new ArrayList<>();
  private final ReportedConditions matters =
      new ReportedConditions(
          "node1",
          new ObjectEvents() {
            @Override
            public void report(String node, ErrorCode code, String detail) {
              told.add(node + " " + code.name());
            }

            @Override
            public void cleared(String node, ErrorCode code) {
              told.add(node + " " + code.name() + " cleared");
            }
          },
          new NodeMeters(Meters.none()));

  private void stands(
      NodeState state, @Nullable BlockedReason blocked, @Nullable BlockedReason matter) {
    matters.observe(
        new NodeStatus(
            NodeStatistics.NONE,
            PodCapacity.UNKNOWN,
            state,
            Optional.ofNullable(blocked).map(reason -> new Blocked(reason, "detail")),
            Optional.ofNullable(matter).map(reason -> new Blocked(reason, "detail")),
            Map.of(),
            false));
  }

  @Test
  @DisplayName("a matter stays open while the node tries again, and ends when it is served")
  void openUntilServed() {
    stands(NodeState.BLOCKED, BlockedReason.NO_SUBNET, null);
    stands(NodeState.FILLING, null, null);
    stands(NodeState.BLOCKED, BlockedReason.NO_SUBNET, null);
    assertThat(told).containsExactly("node1 NO_SUBNET");
    stands(NodeState.OK, null, null);
    assertThat(told).containsExactly("node1 NO_SUBNET", "node1 NO_SUBNET cleared");
    stands(NodeState.BLOCKED, BlockedReason.NO_SUBNET, null);
    stands(NodeState.RELEASING, null, null);
    assertThat(told).hasSize(4).last().isEqualTo("node1 NO_SUBNET cleared");
  }

  @Test
  @DisplayName("used addresses that are gone stay open beside a node that is served")
  void besides() {
    stands(NodeState.OK, null, BlockedReason.USED_ADDRESS_GONE);
    stands(NodeState.OK, null, BlockedReason.USED_ADDRESS_GONE);
    assertThat(told).containsExactly("node1 USED_ADDRESS_GONE");
    stands(NodeState.BLOCKED, BlockedReason.NO_SUBNET, BlockedReason.USED_ADDRESS_GONE);
    stands(NodeState.OK, null, BlockedReason.USED_ADDRESS_GONE);
    assertThat(told.subList(1, told.size()))
        .containsExactly("node1 NO_SUBNET", "node1 NO_SUBNET cleared");
    stands(NodeState.FILLING, null, null);
    assertThat(told).last().isEqualTo("node1 USED_ADDRESS_GONE cleared");
    stands(NodeState.FILLING, null, null);
    assertThat(told).hasSize(4);
  }

  @Test
  @DisplayName("what passes by itself is told nobody, and a node that goes takes all along")
  void gone() {
    stands(NodeState.FILLING, BlockedReason.BACKING_OFF, null);
    assertThat(told).isEmpty();
    stands(NodeState.BLOCKED, BlockedReason.NO_SUBNET, null);
    matters.clear();
    matters.clear();
    assertThat(told).containsExactly("node1 NO_SUBNET", "node1 NO_SUBNET cleared");
  }

  @Test
  @DisplayName(
      "D-9 the cloud is closed by a failed scan, with its reason, and opened by one that"
          + " worked")
  void readiness() {
    List<String> heard = new ArrayList<>();
    InstancesApiReadiness readiness =
        new InstancesApiReadiness(now -> heard.add("ready " + now), () -> heard.add("other cause"));
    assertThat(readiness.isReady()).isTrue();
    assertThat(readiness.blocked()).isEmpty();
    readiness.set(true);
    assertThat(heard).isEmpty();
    readiness.set(false);
    assertThat(readiness.isReady()).isFalse();
    assertThat(readiness.blocked())
        .contains(new Blocked(BlockedReason.INSTANCES_API_UNSTABLE, "the cloud was not read yet"));
    Failure denied = Failure.of(Failure.Kind.CONFIGURATION, "denied", "request 1");
    readiness.failed(denied);
    assertThat(readiness.blocked().orElseThrow().detail())
        .isEqualTo("the last full scan failed with " + denied.toText());
    readiness.failed(Failure.of(Failure.Kind.CONFIGURATION, "denied", "request 2"));
    assertThat(heard).as("the same cause").containsExactly("ready false", "other cause");
    readiness.failed(Failure.of(Failure.Kind.TRANSIENT, "denied", "request 3"));
    readiness.failed(Failure.of(Failure.Kind.TRANSIENT, "down", "request 4"));
    assertThat(heard).hasSize(4);
    readiness.failed(Failure.of(Failure.Kind.TRANSIENT, "circuitOpen", "held back"));
    assertThat(readiness.blocked().orElseThrow().detail()).contains("request 4");
    readiness.set(true);
    assertThat(heard).hasSize(5).last().isEqualTo("ready true");
    readiness.failed(Failure.of(Failure.Kind.TRANSIENT, "circuitOpen", "held back"));
    assertThat(readiness.blocked().orElseThrow().detail())
        .as("no cause before")
        .contains("held back");
  }

  private static Inventory.Known inventory() {
    AddressSet singles = AddressSet.of(IpAddress.parse("10.0.0.1"), IpAddress.parse("10.0.0.2"));
    return new Inventory.Known(
        1,
        List.of(
            new AttachedInterface(new InterfaceId("eni-1"), singles, List.of()),
            new AttachedInterface(
                new InterfaceId("eni-2"), AddressSet.of(), List.of(Cidr.parse("10.0.1.0/30")))),
        new InterfaceStatistics(100, 2, 1, 1, 0, Optional.empty()));
  }

  @DisplayName("an address is attached as a single or within a block, and offered unless in doubt")
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "10.0.0.1, eni-1",
    "10.0.0.2, eni-1",
    "10.0.0.3, ",
    "10.0.1.0, eni-2",
    "10.0.1.3, eni-2",
    "10.0.1.4, "
  })
  void attached(String text, String holder) {
    IpAddress address = IpAddress.parse(text);
    assertThat(inventory().contains(address)).isEqualTo(holder != null);
    assertThat(NodePublication.pool(inventory(), AddressSet.of()).resource(address))
        .isEqualTo(Optional.ofNullable(holder));
    assertThat(NodePublication.pool(inventory(), AddressSet.of(address)).contains(address))
        .isFalse();
    assertThat(AttachedInterface.addressesOf(inventory().interfaces()).contains(address))
        .isEqualTo(holder != null);
  }
}
