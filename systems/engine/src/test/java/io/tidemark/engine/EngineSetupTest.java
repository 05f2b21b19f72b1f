package io.tidemark.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.CallCeiling;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigSource;
import io.tidemark.node.NodeManagerConfig;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.node.config.EngineConfig.MaintenanceConfig;
import io.tidemark.node.config.EngineConfig.ReleaseConfig;
import io.tidemark.resilience.CloudCallsConfig;
import io.tidemark.time.BackoffPolicy;
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
  private static EngineConfig config(Map<String, String> values) {
    ConfigProblems problems = new ConfigProblems();
    EngineConfig config = EngineConfig.read(ConfigSource.of(values), problems);
    problems.throwIfAny();
    return config;
  }

  @Test
  @DisplayName("that are not given leave the engine at its own defaults")
  void defaults() {
    assertThat(NodeManagerConfig.of(EngineConfig.defaults(), 1))
        .isEqualTo(NodeManagerConfig.defaults());
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
  @DisplayName("reach the node manager")
  void nodeManager() {
    NodeManagerConfig nodes =
        NodeManagerConfig.of(
            config(
                Map.ofEntries(
                    Map.entry("release-excess-ips", "true"),
                    Map.entry("excess-ip-release-delay", "90"),
                    Map.entry("enable-prefix-delegation", "true"),
                    Map.entry("background-sync-interval", "2m"),
                    Map.entry("not-running-grace", "3m"),
                    Map.entry("release-hysteresis", "true"),
                    Map.entry("release-min-batch", "4"),
                    Map.entry("backoff-base", "2s"),
                    Map.entry("backoff-factor", "3"),
                    Map.entry("backoff-cap", "6m"),
                    Map.entry("backoff-reset", "11m"),
                    Map.entry("sync-attempts", "5"),
                    Map.entry("pass-timeout", "4m"),
                    Map.entry("store-timeout", "9s"))),
            7);

    assertThat(nodes)
        .isEqualTo(
            new NodeManagerConfig(
                7,
                new MaintenanceConfig(
                    50,
                    true,
                    Duration.ofMinutes(2),
                    Duration.ofMinutes(3),
                    5,
                    Duration.ofMinutes(4),
                    Duration.ofSeconds(9)),
                new ReleaseConfig(true, Duration.ofSeconds(90), true, 4),
                new BackoffPolicy(
                    Duration.ofSeconds(2),
                    3,
                    Duration.ofMinutes(6),
                    true,
                    true,
                    Duration.ofMinutes(11)),
                false));
  }

  @Test
  @DisplayName("reach the cloud door: workers, and a ceiling only when one is set")
  void cloudDoor() {
    CloudCallsConfig calls =
        EngineSetup.calls(
            config(
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
    EngineConfig config = config(Map.of("ipam-profile", "reference"));

    assertThat(NodeManagerConfig.of(config, 1).referenceCompatible()).isTrue();
    assertThat(EngineSetup.calls(config).ceiling()).isEqualTo(Optional.of(new CallCeiling(4, 20)));
  }
}
