package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.metrics.Metric;
import io.tidemark.metrics.TestMeters;
import io.tidemark.node.NodeStatistics.PodCapacity;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The gauges of a node")
class NodeMetersTest {
  private final TestMeters measured = new TestMeters();
  private final NodeMeters meters = new NodeMeters(measured.meters);

  private static NodeStatistics numbers(int available, int used, int capacity, int needed) {
    return new NodeStatistics(available, used, capacity, needed, 0, 0, 0, 0);
  }

  private static PodCapacity pods(OptionalInt maxPods) {
    return new PodCapacity(27, maxPods);
  }

  @Test
  @DisplayName("F-18 go with it, and return with it")
  void gone() {
    meters.numbers("n1", numbers(8, 3, 8, 2));
    meters.numbers("n2", numbers(9, 3, 9, 2));
    meters.numbers("n1", numbers(10, 3, 12, 2));
    assertThat(measured.all(Metric.AVAILABLE_IPS)).isEqualTo(Map.of("n1", 12.0, "n2", 9.0));
    assertThat(measured.value(Metric.USED_IPS, "n1")).isEqualTo(3);
    assertThat(measured.value(Metric.NEEDED_IPS, "n1")).isEqualTo(2);
    assertThat(measured.value(Metric.NODE_SPARE_IPS, "n1")).isEqualTo(7);
    meters.gone("n1");
    meters.gone("unknown");
    for (Metric each :
        new Metric[] {
          Metric.AVAILABLE_IPS, Metric.USED_IPS, Metric.NEEDED_IPS, Metric.NODE_SPARE_IPS
        }) {
      assertThat(measured.all(each)).containsOnlyKeys("n2");
    }
    meters.numbers("n1", numbers(1, 0, 1, 0));
    assertThat(measured.value(Metric.AVAILABLE_IPS, "n1")).isEqualTo(1);
  }

  @Test
  @DisplayName("Pods and the kubelet: there while the kubelet is known")
  void podCapacity() {
    meters.podCapacity("n1", pods(OptionalInt.of(110)));
    meters.podCapacity("n2", pods(OptionalInt.empty()));
    assertThat(measured.all(Metric.NODE_POD_CAPACITY)).isEqualTo(Map.of("n1", 27.0));
    assertThat(measured.all(Metric.NODE_MAX_PODS)).isEqualTo(Map.of("n1", 110.0));
    meters.podCapacity("n1", pods(OptionalInt.empty()));
    assertThat(measured.all(Metric.NODE_POD_CAPACITY)).isEmpty();
    assertThat(measured.all(Metric.NODE_MAX_PODS)).isEmpty();
    meters.podCapacity("n1", pods(OptionalInt.of(29)));
    assertThat(measured.all(Metric.NODE_MAX_PODS)).hasSize(1);
    meters.gone("n1");
    assertThat(measured.all(Metric.NODE_MAX_PODS)).isEmpty();
  }

  @Test
  @DisplayName("Who else writes the pool: one at a time, there while it does")
  void secondOwner() {
    meters.secondOwner("n1", Optional.of("one"));
    meters.secondOwner("n2", Optional.of("unknown"));
    meters.secondOwner("n1", Optional.of("two"));
    assertThat(measured.all(Metric.SECOND_OWNER))
        .isEqualTo(Map.of("n1 two", 1.0, "n2 unknown", 1.0));
    meters.secondOwner("n1", Optional.empty());
    meters.gone("n2");
    assertThat(measured.all(Metric.SECOND_OWNER)).isEmpty();
  }

  @Test
  @DisplayName("NM-S8 A79 Addresses in use that are gone, and those not taken: while there are any")
  void unlessZero() {
    meters.usedAddressesGone("n1", 0);
    assertThat(measured.all(Metric.USED_IPS_GONE)).isEmpty();
    meters.usedAddressesGone("n1", 3);
    meters.usedAddressesGone("n2", 1);
    meters.usedAddressesGone("n1", 2);
    meters.offeredNotTaken("n1", 16);
    assertThat(measured.all(Metric.USED_IPS_GONE)).isEqualTo(Map.of("n1", 2.0, "n2", 1.0));
    assertThat(measured.all(Metric.OFFERED_NOT_TAKEN_IPS)).isEqualTo(Map.of("n1", 16.0));
    meters.usedAddressesGone("n1", 0);
    meters.offeredNotTaken("n1", 0);
    meters.gone("n2");
    assertThat(measured.all(Metric.USED_IPS_GONE)).isEmpty();
    assertThat(measured.all(Metric.OFFERED_NOT_TAKEN_IPS)).isEmpty();
    meters.usedAddressesGone("n1", 1);
    assertThat(measured.all(Metric.USED_IPS_GONE)).hasSize(1);
  }

  @Test
  @DisplayName("A manager that begins anew replaces those of the one before")
  void again() {
    meters.numbers("n1", numbers(8, 3, 8, 2));
    new NodeMeters(measured.meters).numbers("n1", numbers(5, 3, 5, 2));
    assertThat(measured.all(Metric.AVAILABLE_IPS)).isEqualTo(Map.of("n1", 5.0));
  }
}
