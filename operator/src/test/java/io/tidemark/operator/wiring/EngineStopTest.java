package io.tidemark.operator.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigSource;
import io.tidemark.config.CoreConfig;
import io.tidemark.metrics.NoMetrics;
import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The end of the engine")
class EngineStopTest {
  /** A home that takes its time to write. */
  private static final class SlowHome implements NodeHome {
    private final TaskScheduler scheduler;
    private final Duration takes;
    private final CompletableFuture<String> written = new CompletableFuture<>();

    SlowHome(TaskScheduler scheduler, Duration takes) {
      this.scheduler = scheduler;
      this.takes = takes;
    }

    @Override
    public NodeResourceStore store() {
      return new InMemoryNodeResourceStore().client(scheduler);
    }

    @Override
    public List<ResourceProblem> refused() {
      return List.of();
    }

    @Override
    public CompletionStage<?> flush() {
      scheduler.after(takes, () -> written.complete("written"));
      return written;
    }

    @Override
    public List<String> shutDown() {
      return written.isDone() ? List.of() : List.of("the last write");
    }

    @Override
    public void close() {
      shutDown();
    }
  }

  private static StopReport stopped(Duration writing, Duration bound) throws InterruptedException {
    ConfigSource source = ConfigSource.of(Map.of());
    EngineSetup setup =
        new EngineSetup(
            Providers.installed().named("mock", "test"),
            (scheduler, effects, readOnly) -> new SlowHome(scheduler, writing),
            CoreConfig.read(source, new ConfigProblems()),
            source,
            NoMetrics.IPAM,
            NoMetrics.CLOUD,
            false);
    try (Standby standby = Standby.open(setup);
        Engine engine = standby.engine()) {
      return engine.stop(bound);
    }
  }

  @Test
  @DisplayName("waits for writes that are under way before it lets go of the home")
  void waitsForWrites() throws InterruptedException {
    StopReport report = stopped(Duration.ofMillis(400), Duration.ofSeconds(30));

    assertThat(report.unknown()).isEmpty();
    assertThat(report.isClean()).isTrue();
  }

  @Test
  @DisplayName("waits no longer than its bound, and says what is left")
  void bounded() throws InterruptedException {
    StopReport report = stopped(Duration.ofMinutes(5), Duration.ofSeconds(1));

    assertThat(report.unknown()).containsExactly("the last write");
    assertThat(report.isClean()).isFalse();
  }
}
