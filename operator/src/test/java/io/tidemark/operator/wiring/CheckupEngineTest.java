package io.tidemark.operator.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigSource;
import io.tidemark.config.CoreConfig;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.metrics.NoMetrics;
import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.Checkup;
import io.tidemark.spi.ProviderContext;
import io.tidemark.spi.ProviderFactory;
import io.tidemark.time.TaskScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What looks for doctor")
class CheckupEngineTest {
  private static final ConfigSource GIVEN = ConfigSource.of(Map.of("cluster-name", "west"));

  /** A home in a cluster. */
  private static final class ClusterHome implements NodeHome {
    private final TaskScheduler scheduler;
    private boolean closed;

    ClusterHome(TaskScheduler scheduler) {
      this.scheduler = scheduler;
    }

    @Override
    public Optional<String> clusterUid() {
      return Optional.of("u-1");
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
      return CompletableFuture.completedStage(null);
    }

    @Override
    public List<String> shutDown() {
      closed = true;
      return List.of();
    }

    @Override
    public void close() {
      shutDown();
    }
  }

  /** A provider that keeps the settings it was made with, for whatever purpose, and refuses. */
  private static final class Refusing implements ProviderFactory {
    private final List<Map<String, String>> seen = new ArrayList<>();

    @Override
    public String name() {
      return "refusing";
    }

    @Override
    public Map<String, String> configKeys() {
      return Map.of();
    }

    @Override
    public AllocationImplementation create(ProviderContext context) {
      throw refused(context);
    }

    @Override
    public Checkup checkup(ProviderContext context) {
      throw refused(context);
    }

    private IpamException refused(ProviderContext context) {
      Map<String, String> settings = new TreeMap<>();
      for (String key : List.of("cluster-name", "cluster-uid")) {
        context.config().value(key).ifPresent(value -> settings.put(key, value));
      }
      seen.add(settings);
      return new IpamException(CoreError.CONFIG_REFUSED, "1 problem");
    }
  }

  @Test
  @DisplayName("gets the settings that the engine gets there, with the identity of the cluster")
  void sameSettings() {
    Refusing provider = new Refusing();
    CoreConfig config = CoreConfig.read(GIVEN, new ConfigProblems());
    NodeHome.Opener opener = (scheduler, effects, readOnly) -> new ClusterHome(scheduler);

    assertThatThrownBy(() -> CheckupEngine.assemble(provider, Optional.of(opener), config, GIVEN))
        .isInstanceOf(IpamException.class);
    EngineSetup setup =
        new EngineSetup(provider, opener, config, GIVEN, NoMetrics.IPAM, NoMetrics.CLOUD, true);
    try (Standby standby = Standby.open(setup)) {
      assertThatThrownBy(standby::engine).isInstanceOf(IpamException.class);
    }

    assertThat(provider.seen)
        .containsExactly(
            Map.of("cluster-name", "west", "cluster-uid", "u-1"),
            Map.of("cluster-name", "west", "cluster-uid", "u-1"));
  }

  @Test
  @DisplayName("lets go of the nodes when it cannot begin")
  void letsGo() {
    List<ClusterHome> homes = new ArrayList<>();
    NodeHome.Opener opener =
        (scheduler, effects, readOnly) -> {
          homes.add(new ClusterHome(scheduler));
          return homes.get(0);
        };

    assertThatThrownBy(
            () ->
                CheckupEngine.assemble(
                    new Refusing(),
                    Optional.of(opener),
                    CoreConfig.read(GIVEN, new ConfigProblems()),
                    GIVEN))
        .isInstanceOf(IpamException.class);

    assertThat(homes).singleElement().satisfies(home -> assertThat(home.closed).isTrue());
  }
}
