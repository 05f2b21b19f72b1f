package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.metrics.Metric;
import io.tidemark.node.NodeStatistics.PodCapacity;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.testing.LogLines;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Pods that a node can give addresses to, against those that its kubelet takes")
class PodCapacityTest {
  private static final Duration WHILE = Duration.ofSeconds(1);

  private final NodeWorld world = NodeWorld.started(EngineConfig.defaults());

  private static void createWithCeiling(NodeWorld world, int ceiling) {
    ScriptedNode scripted = world.provider.prepared("node1");
    scripted.capacity = 27;
    scripted.refresh();
    world.create(Samples.node("node1").instanceId("i-1").maxAllocate(ceiling).build());
    world.run(WHILE);
  }

  @DisplayName("two pods of the host's network need no address")
  @ParameterizedTest(name = "{0} addresses, max-pods {1}: {2} in vain")
  @CsvSource({"27, 29, 0", "27, 30, 1", "27, 110, 81", "432, 110, 0", "0, 110, 108", "27, , 0"})
  void inVain(int addresses, Integer maxPods, int inVain) {
    OptionalInt kubelet = maxPods == null ? OptionalInt.empty() : OptionalInt.of(maxPods);
    assertThat(new PodCapacity(addresses, kubelet).promisedInVain()).isEqualTo(inVain);
  }

  @Test
  @DisplayName("a kubelet that takes more is told once per change, in metrics and to whoever asks")
  void told() {
    try (LogLines log = new LogLines(ReportedConditions.class)) {
      world.maxPods.put("node1", 110);
      createWithCeiling(world, 20);
      for (int i = 0; i < 5; i++) {
        world.manager.resync();
        world.run(Duration.ofMinutes(2));
      }
      assertThat(log.warnings()).singleElement().asString().contains("node1", "110", "at most 22");
      assertThat(world.metrics.value(Metric.NODE_POD_CAPACITY, "node1")).isEqualTo(20);
      assertThat(world.metrics.value(Metric.NODE_MAX_PODS, "node1")).isEqualTo(110);
      assertThat(world.explain("node1").numbers())
          .containsEntry("pods", "20 addresses at most, the kubelet takes 110 pods")
          .containsEntry("max-pods", "110");
      assertThat(world.manager.report("node1").orElseThrow().podCapacity()).isEqualTo(20);
      assertThat(world.manager.report("node1").orElseThrow().maxPods()).hasValue(110);
      assertThat(world.explain("node1").advice()).contains("88 pods could be placed here");
      world.maxPods.put("node1", 22);
      world.run(Duration.ofMinutes(5));
      assertThat(log.warnings()).as("nothing wrong any more").hasSize(1);
      assertThat(world.metrics.value(Metric.NODE_MAX_PODS, "node1")).isEqualTo(22);
      assertThat(world.explain("node1").advice()).isEmpty();
      world.maxPods.put("node1", 23);
      world.run(Duration.ofMinutes(5));
      assertThat(log.warnings()).hasSize(2);
      world.maxPods.remove("node1");
      world.run(Duration.ofMinutes(5));
      assertThat(world.metrics.all(Metric.NODE_MAX_PODS)).isEmpty();
      assertThat(world.manager.report("node1").orElseThrow().maxPods()).isEmpty();
    }
  }

  @Test
  @DisplayName("where no kubelet is known nothing is said, nor in the profile of the reference")
  void silent() {
    createWithCeiling(world, 20);
    assertThat(world.metrics.all(Metric.NODE_MAX_PODS)).isEmpty();
    assertThat(world.explain("node1").numbers()).doesNotContainKey("pods");
    NodeWorld reference = NodeWorld.started(EngineConfig.of(Map.of("ipam-profile", "reference")));
    reference.maxPods.put("node1", 110);
    createWithCeiling(reference, 20);
    assertThat(reference.metrics.all(Metric.NODE_MAX_PODS)).isEmpty();
    assertThat(reference.explain("node1").numbers()).doesNotContainKey("pods");
  }
}
