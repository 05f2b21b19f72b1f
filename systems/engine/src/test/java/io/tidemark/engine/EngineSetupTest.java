package io.tidemark.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.CallCeiling;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigSource;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resilience.CloudCallsConfig;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Settings")
class EngineSetupTest {
  @Test
  @DisplayName("that are not given leave the engine at its own defaults")
  void defaults() {
    assertThat(EngineSetup.calls(EngineConfig.defaults())).isEqualTo(CloudCallsConfig.defaults());
  }

  @ParameterizedTest(name = "{0}, {1}: {2}")
  @CsvSource({",, PT2M", "PT5M,, PT5M", "PT5M, 1m, PT1M", ", 3m, PT3M"})
  @DisplayName("take pass-timeout from the provider where it is not given")
  void passTimeout(@Nullable Duration ofProvider, @Nullable String given, Duration expected) {
    FakeProvider provider = new FakeProvider();
    provider.passTimeout = Optional.ofNullable(ofProvider);
    ConfigSource source = ConfigSource.of(given == null ? Map.of() : Map.of("pass-timeout", given));
    assertThat(
            TidemarkBuilder.config(provider, source, new ConfigProblems())
                .maintenance()
                .passTimeout())
        .isEqualTo(expected);
  }

  @Test
  @DisplayName("reach the cloud door: workers, and a ceiling only when one is set")
  void cloudDoor() {
    CloudCallsConfig calls =
        EngineSetup.calls(
            EngineConfig.of(
                Map.of(
                    "parallel-alloc-workers", "9",
                    "limit-ipam-api-qps", "2.5",
                    "limit-ipam-api-burst", "7")));

    assertThat(calls.workers()).isEqualTo(9);
    assertThat(calls.ceiling()).isEqualTo(Optional.of(new CallCeiling(2.5, 7)));
  }

  @Test
  @DisplayName("of the reference's profile bring its formulas and its limiter of 4 and 20")
  void reference() {
    EngineConfig config = EngineConfig.of(Map.of("ipam-profile", "reference"));

    assertThat(EngineSetup.calls(config).ceiling()).isEqualTo(Optional.of(new CallCeiling(4, 20)));
  }
}
