package io.tidemark.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.CallCeiling;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigSource;
import io.tidemark.config.Option;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Settings of the Kubernetes API")
class KubernetesConfigTest {
  private final ConfigProblems problems = new ConfigProblems();

  private KubernetesConfig read(String... keysAndValues) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      values.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return KubernetesConfig.read(ConfigSource.of(values), problems);
  }

  @Test
  @DisplayName("have the reference's defaults (node-manager 8), those that people read")
  void defaults() {
    KubernetesConfig expected =
        new KubernetesConfig(
            Optional.of(Duration.ofMinutes(5)),
            true,
            Optional.empty(),
            new LeaderElectionConfig(
                true,
                Optional.empty(),
                Duration.ofSeconds(15),
                Duration.ofSeconds(10),
                Duration.ofSeconds(2)),
            Optional.of(new CallCeiling(100, 200)),
            Duration.ofSeconds(10));
    Map<String, String> texts = new HashMap<>();
    for (Option<?> key : KubernetesKey.all()) {
      key.defaultText().ifPresent(text -> texts.put(key.key(), text));
    }

    assertThat(KubernetesConfig.defaults()).isEqualTo(expected);
    assertThat(KubernetesConfig.read(ConfigSource.of(texts), problems)).isEqualTo(expected);
    assertThat(problems.found()).isEmpty();
  }

  @Test
  @DisplayName("are read")
  void given() {
    KubernetesConfig config =
        read(
            "nodes-gc-interval", "0",
            "pre-allocate-cordoned", "false",
            "taint-exhausted-nodes", "true",
            "taint-delay", "30s",
            "leader-election", "false",
            "leader-election-namespace", "net-1",
            "leader-election-lease-duration", "30s",
            "leader-election-renew-deadline", "20s",
            "leader-election-retry-period", "5s",
            "operator-k8s-client-qps", "0",
            "k8s-request-timeout", "3s");

    assertThat(problems.found()).isEmpty();
    assertThat(config)
        .isEqualTo(
            new KubernetesConfig(
                Optional.empty(),
                false,
                Optional.of(Duration.ofSeconds(30)),
                new LeaderElectionConfig(
                    false,
                    Optional.of("net-1"),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(20),
                    Duration.ofSeconds(5)),
                Optional.empty(),
                Duration.ofSeconds(3)));
    assertThat(read("operator-k8s-client-burst", "0").requests()).isEmpty();
  }

  @DisplayName("are refused where they are out of bounds or contradict each other")
  @ParameterizedTest(name = "{0}={1}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nodes-gc-interval              | 5s    | 0 for never, or a duration from 10s to 24h
          taint-delay                    | 2h    | a duration from 1s to 1h
          leader-election-lease-duration | 10s   | contradicts leader-election-renew-deadline
          leader-election-lease-duration | 15.5s | whole seconds
          leader-election-renew-deadline | 15s   | contradicts leader-election-renew-deadline=15s
          leader-election-renew-deadline | 2400ms | contradicts leader-election-retry-period
          leader-election-retry-period   | 9s    | contradicts leader-election-retry-period=9s
          leader-election-namespace      | Net   | the name of a namespace
          leader-election                | maybe | true or false
          operator-k8s-client-qps        | -1    | a number from 0.0 to 100000.0
          k8s-request-timeout            | 0     | a duration from 100ms to 10m
          """)
  void refused(String key, String value, String problem) {
    read(key, value);

    assertThat(problems.found()).isNotEmpty();
    assertThat(String.valueOf(problems.found())).contains(problem, value);
  }

  @Test
  @DisplayName("A retry of just under the deadline with its jitter is accepted")
  void justEnough() {
    read("leader-election-renew-deadline", "2401ms");

    assertThat(problems.found()).isEqualTo(List.of());
  }
}
