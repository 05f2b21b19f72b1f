package io.tidemark.operator.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigSource;
import io.tidemark.config.CoreConfig;
import io.tidemark.metrics.NoMetrics;
import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.time.StopSignal;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The wait of a standby")
class StandbyTest {
  /** A home that is lost before its turn came. */
  private static final class LostHome implements NodeHome {
    private final TaskScheduler scheduler;

    LostHome(TaskScheduler scheduler) {
      this.scheduler = scheduler;
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
    public CompletionStage<?> turn() {
      return new CompletableFuture<>();
    }

    @Override
    public CompletionStage<String> lost() {
      return CompletableFuture.completedStage("another operator holds the lease");
    }

    @Override
    public CompletionStage<?> flush() {
      return CompletableFuture.completedStage("");
    }

    @Override
    public List<String> shutDown() {
      return List.of();
    }

    @Override
    public void close() {
      shutDown();
    }
  }

  @Test
  @DisplayName("D-22 ends when the lease is lost before the nodes were read anew")
  void lost() throws InterruptedException, ExecutionException {
    ConfigSource source = ConfigSource.of(Map.of());
    EngineSetup setup =
        new EngineSetup(
            Providers.installed().named("mock", "test"),
            (scheduler, effects, readOnly) -> new LostHome(scheduler),
            CoreConfig.read(source, new ConfigProblems()),
            source,
            NoMetrics.IPAM,
            NoMetrics.CLOUD,
            false);
    try (Standby standby = Standby.open(setup)) {
      assertThat(standby.await(new StopSignal(), Optional.of(Duration.ofSeconds(30))))
          .isEqualTo(Standby.Turn.LOST);
    }
  }
}
