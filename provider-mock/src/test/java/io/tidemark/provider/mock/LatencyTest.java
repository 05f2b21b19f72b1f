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
  @DisplayName("delays each answer on the scheduler")
  void delays() {
    ProviderWorld world =
        new ProviderWorld(CloudSettings.calm(), Map.of("mock-latency", "100ms"), "10.0.0.0/20");
    CompletableFuture<SyncOutcome> answer =
        world.provider.resync(world.context()).toCompletableFuture();

    world.pass(Duration.ofMillis(99));
    assertThat(world.cloud.calls()).hasSize(1);
    world.pass(Duration.ofMillis(1));
    assertThat(world.cloud.calls()).hasSize(2);
    assertThat(answer).isNotCompleted();
    world.pass(Duration.ofMillis(100));
    assertThat(answer).isCompleted();
  }

  @Test
  @DisplayName("delays no answer past the deadline")
  void deadline() {
    ProviderWorld world =
        new ProviderWorld(CloudSettings.calm(), Map.of("mock-latency", "10m"), "10.0.0.0/20");
    world.provider.resync(world.context());

    world.pass(Duration.ofMinutes(1).minusMillis(1));
    assertThat(world.cloud.calls()).hasSize(1);
    world.pass(Duration.ofMillis(1));
    assertThat(world.cloud.calls()).hasSize(2);
  }
}
