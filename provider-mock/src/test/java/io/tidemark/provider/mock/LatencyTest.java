package io.tidemark.provider.mock;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.mock.cloud.CloudSettings;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Latency of the embedded cloud")
class LatencyTest {
  @Test
  @DisplayName("delays each answer on the scheduler, and none past the deadline")
  void delays() {
    ProviderWorld world =
        new ProviderWorld(
            CloudSettings.calm(),
            Map.of("mock-latency", "default=100ms,DescribeSubnets=10m"),
            "10.0.0.0/20");
    CompletableFuture<SyncOutcome> answer =
        world.provider.resync(world.context()).toCompletableFuture();

    world.pass(Duration.ofMillis(100));
    assertThat(world.cloud.calls()).hasSize(1);
    world.pass(Duration.ofMillis(59_899));
    assertThat(answer).isNotCompleted();
    assertThat(world.cloud.calls()).hasSize(1);
    world.pass(Duration.ofMillis(1));
    assertThat(world.cloud.calls()).hasSize(2);
  }
}
