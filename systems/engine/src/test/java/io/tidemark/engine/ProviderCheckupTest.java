package io.tidemark.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.config.ConfigSource;
import io.tidemark.error.IpamException;
import io.tidemark.testing.Hang;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What looks for doctor")
class ProviderCheckupTest {
  private final FakeProvider provider = new FakeProvider();
  private final TestBackend backend = new TestBackend();

  private ProviderCheckup assemble(ConfigSource settings) {
    return ProviderCheckup.assemble(provider, Optional.of(backend), settings);
  }

  @Test
  @DisplayName("gets the settings that the engine gets there, with the identity of the cluster")
  void sameSettings() throws Exception {
    ConfigSource given = ConfigSource.of(Map.of("cluster-name", "west"));
    assemble(given).close();
    try (Tidemark engine =
        Tidemark.builder().provider(provider).store(backend).settings(given).readOnly().build()) {
      assertThat(engine.start().toCompletableFuture().get(Hang.SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    assertThat(provider.seen)
        .containsExactly(
            Map.of("cluster-name", "west", "cluster-uid", "u-1"),
            Map.of("cluster-name", "west", "cluster-uid", "u-1"));
  }

  @Test
  @DisplayName("lets go of the nodes when it cannot begin")
  void letsGo() {
    ConfigSource refused = ConfigSource.of(Map.of("fake-color", "red"));
    assertThatThrownBy(() -> assemble(refused)).isInstanceOf(IpamException.class);

    assertThat(backend.closed).isEqualTo(1);
  }
}
