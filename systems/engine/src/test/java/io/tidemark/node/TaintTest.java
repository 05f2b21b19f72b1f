package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.metrics.Metric;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.IpamSpec;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The scheduler is told which nodes have no address (taint-exhausted-nodes)")
class TaintTest {
  private static final Duration DELAY = Duration.ofSeconds(20);
  private static final Duration MOMENT = Duration.ofSeconds(1);

  private final NodeWorld world = NodeWorld.started(EngineConfig.defaults());

  @BeforeEach
  void tainting() {
    world.scheduler.delay = Optional.of(DELAY);
  }

  private void full(String name) {
    world.create(name, 8, 0);
    world.run(MOMENT);
    assertThat(world.availableUsed(name)).isEqualTo("8/0");
  }

  private void limited() {
    IpamSpec limit = new IpamSpec(8, 0, 8, 0, Map.of(), Optional.empty(), Set.of());
    world.create(Samples.node("node1", 8, 0, 0).withIpam(limit));
    world.run(MOMENT);
  }

  private void subnetIsExhausted(String name) {
    world.provider.node(name).blocked =
        Optional.of(new Blocked(BlockedReason.SUBNET_EXHAUSTED, "subnet-1 has 0 addresses"));
  }

  @Test
  @DisplayName("A node in an exhausted subnet is tainted after the delay, until addresses come")
  void subnet() {
    full("node1");
    full("node2");
    subnetIsExhausted("node1");
    world.use("node1", 8);
    world.run(DELAY.minus(MOMENT));
    assertThat(world.scheduler.told).isEmpty();
    world.run(MOMENT.plus(MOMENT));
    assertThat(world.scheduler.told).containsExactly("node1 SUBNET_EXHAUSTED");
    assertThat(world.metrics.value(Metric.NODES_TAINTED)).isEqualTo(1);
    assertThat(world.explain("node1").numbers())
        .containsEntry("tainted for lack of addresses", "for 1 s");
    world.provider.node("node1").blocked = Optional.empty();
    world.manager.requestMaintenance("node1");
    world.run(MOMENT);
    assertThat(world.availableUsed("node1")).isEqualTo("16/8");
    assertThat(world.scheduler.told).containsExactly("node1 SUBNET_EXHAUSTED", "node1 available");
    assertThat(world.metrics.value(Metric.NODES_TAINTED)).isZero();
  }

  @Test
  @DisplayName("Half is enough after five minutes, without any other event")
  void half() {
    full("node1");
    full("node2");
    subnetIsExhausted("node1");
    world.use("node1", 8);
    world.run(DELAY.plus(MOMENT));
    world.use("node1", 4);
    world.run(Duration.ofMinutes(4));
    assertThat(world.scheduler.taints).containsKey("node1");
    world.run(Duration.ofMinutes(1));
    assertThat(world.scheduler.taints).isEmpty();
  }

  @Test
  @DisplayName("A node that is alone is tainted when the cloud itself refuses for lack of room")
  void refusedByCloud() {
    full("node1");
    for (int i = 0; i < 40; i++) {
      world.provider.node("node1").refuseAllocation(Failure.Kind.CAPACITY);
    }
    world.use("node1", 8);
    world.run(DELAY.plus(MOMENT));
    assertThat(world.scheduler.taints).containsKey("node1");
  }

  @Test
  @DisplayName("A node at its max-allocate is tainted although nothing is missing there")
  void ownLimit() {
    limited();
    world.use("node1", 8);
    world.run(DELAY.plus(MOMENT));
    assertThat(world.scheduler.told).containsExactly("node1 MAX_ALLOCATE");
    world.use("node1", 0);
    world.run(MOMENT);
    assertThat(world.scheduler.taints).isEmpty();
  }

  @Test
  @DisplayName("No node is tainted while the cloud's API is not trusted")
  void untrusted() {
    limited();
    world.manager.setInstancesApiReadiness(false);
    world.use("node1", 8);
    world.run(DELAY.plus(MOMENT));
    assertThat(world.scheduler.told).isEmpty();
    world.manager.setInstancesApiReadiness(true);
    world.run(DELAY.plus(MOMENT));
    assertThat(world.scheduler.told).containsExactly("node1 MAX_ALLOCATE");
  }

  @Test
  @DisplayName("A taint that an earlier operator left goes when the node can serve, and with it")
  void nextLeader() {
    world.scheduler.taints.put("node1", "LEFT");
    world.scheduler.taints.put("node2", "LEFT");
    world.scheduler.taints.put("nobody", "LEFT");
    full("node1");
    assertThat(world.scheduler.taints).containsOnlyKeys("node2", "nobody");
    world.create("node2", 8, 0);
    world.run(MOMENT);
    world.manager.resync();
    world.run(MOMENT);
    assertThat(world.scheduler.taints).isEmpty();
  }

  @Test
  @DisplayName("A node whose object is deleted leaves no taint")
  void deleted() {
    limited();
    world.use("node1", 8);
    world.run(DELAY.plus(MOMENT));
    assertThat(world.scheduler.taints).containsKey("node1");
    world.server.delete("node1");
    world.run(MOMENT);
    assertThat(world.scheduler.taints).isEmpty();
  }
}
