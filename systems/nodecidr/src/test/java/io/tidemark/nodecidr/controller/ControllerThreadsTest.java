package io.tidemark.nodecidr.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.InMemoryClusterNodes;
import io.tidemark.cluster.ObjectEvents;
import io.tidemark.cluster.run.ControllerParts;
import io.tidemark.metrics.Meters;
import io.tidemark.nodecidr.TestCidrs;
import io.tidemark.resilience.Fence;
import io.tidemark.testing.Hang;
import io.tidemark.time.PooledEffectRunner;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import io.tidemark.time.WorkerPool;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A controller of node CIDRs on threads")
class ControllerThreadsTest {
  private static final int NODES = 400;

  @Test
  @Timeout(Hang.SECONDS)
  @DisplayName("NC-L1 NC-L2 NC-L3 gives each node its own block while nodes come and go all over")
  void many() throws Exception {
    ThreadTaskScheduler scheduler = ThreadTaskScheduler.start("timer", SystemTime.instance());
    try (scheduler;
        WorkerPool lanes = new WorkerPool("lanes", 8, 10_000);
        PooledEffectRunner effects = new PooledEffectRunner("requests", 8, 10_000, scheduler)) {
      InMemoryClusterNodes server = new InMemoryClusterNodes(SystemTime.instance());
      NodeCidrController controller =
          new NodeCidrController(
              new ControllerSettings(
                  TestCidrs.of("10.0.0.0/12,24"),
                  Duration.ofMillis(20),
                  false,
                  8,
                  Hang.LIMIT,
                  "ours"),
              new ControllerParts(
                  server.client("ours", scheduler),
                  ObjectEvents.NONE,
                  Meters.none(),
                  effects,
                  lanes,
                  scheduler,
                  Fence.OPEN,
                  new Random(1)),
              Optional.empty(),
              Optional.empty());
      for (int i = 0; i < NODES; i += 2) {
        assertThat(server.create(ClusterNode.named("n" + i, ""))).isPresent();
      }
      assertThat(controller.start(CidrTakeOver::clean).toCompletableFuture().get()).isTrue();
      for (int i = 1; i < NODES; i += 2) {
        assertThat(server.create(ClusterNode.named("n" + i, ""))).isPresent();
        if (i % 5 == 0) {
          assertThat(server.delete("n" + (i - 1))).isTrue();
          assertThat(server.create(ClusterNode.named("n" + (i - 1), ""))).isPresent();
        }
      }
      CompletableFuture<Void> rest = new CompletableFuture<>();
      await(
          () ->
              server.all().stream().noneMatch(node -> node.podCidrs().isEmpty())
                  && controller.isSettled()
                  && controller.ranges().get(0).claimed() == NODES,
          rest,
          scheduler);
      rest.get();
      List<String> blocks =
          server.all().stream().flatMap(node -> node.podCidrs().all().stream()).distinct().toList();
      assertThat(blocks).hasSize(NODES);
      assertThat(controller.stop().toCompletableFuture().get()).isEqualTo(List.of());
    }
  }

  private static void await(
      BooleanSupplier holds, CompletableFuture<Void> rest, ThreadTaskScheduler scheduler) {
    if (holds.getAsBoolean()) {
      rest.complete(null);
    } else {
      scheduler.after(Duration.ofMillis(10), () -> await(holds, rest, scheduler));
    }
  }
}
