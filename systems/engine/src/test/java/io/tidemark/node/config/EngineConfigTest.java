package io.tidemark.node.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.CallCeiling;
import io.tidemark.config.ConfigProblem;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigSource;
import io.tidemark.demand.DemandSettings;
import io.tidemark.time.BackoffPolicy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("N7 each key has its default, its forms and its bounds")
class EngineConfigTest {
  private static final EngineConfig DEFAULTS = EngineConfig.defaults();

  private static EngineConfig read(String... keysAndValues) {
    ConfigProblems problems = new ConfigProblems();
    EngineConfig config = EngineConfig.read(source(keysAndValues), problems);
    assertThat(problems.found()).isEmpty();
    return config;
  }

  private static List<String> problems(String... keysAndValues) {
    ConfigProblems problems = new ConfigProblems();
    EngineConfig.read(source(keysAndValues), problems);
    return problems.found().stream().map(ConfigProblem::toString).toList();
  }

  private static ConfigSource source(String... keysAndValues) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      values.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return ConfigSource.of(values);
  }

  private static String setting(EngineConfig config, String key) {
    Object value =
        switch (key) {
          case "cluster-name" -> config.clusterName();
          case "ipam-profile" -> config.profile();
          case "parallel-alloc-workers" -> config.maintenance().parallelCalls();
          case "enable-prefix-delegation" -> config.maintenance().prefixDelegation();
          case "background-sync-interval" -> config.maintenance().backgroundSyncInterval();
          case "not-running-grace" -> config.maintenance().notRunningGrace();
          case "sync-attempts" -> config.maintenance().syncAttempts();
          case "pass-timeout" -> config.maintenance().passTimeout();
          case "store-timeout" -> config.maintenance().storeTimeout();
          case "release-excess-ips" -> config.release().enabled();
          case "excess-ip-release-delay" -> config.release().delay();
          case "backoff-base" -> config.backoff().base();
          case "backoff-factor" -> config.backoff().factor();
          case "backoff-cap" -> config.backoff().cap();
          case "backoff-reset" -> config.backoff().resetAfter();
          case "pre-allocate-mode", "demand-quantile", "demand-spare-min", "demand-spare-max" ->
              config.demand();
          case "limit-ipam-api-qps" -> config.ceiling().map(CallCeiling::callsPerSecond);
          default -> throw new AssertionError(key);
        };
    return value.toString();
  }

  @Test
  @DisplayName("The defaults that people read are those that hold")
  void defaultTexts() {
    String[] texts =
        EngineKey.all().stream()
            .filter(key -> key.defaultText().isPresent())
            .flatMap(key -> List.of(key.key(), key.defaultText().orElseThrow()).stream())
            .toArray(String[]::new);
    assertThat(read(texts)).isEqualTo(DEFAULTS);
  }

  @DisplayName("each key has a default, and is read as it is given")
  @ParameterizedTest(name = "{0}={2}: {3}, by default {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          cluster-name             | default        | ' prod-1.eu ' | prod-1.eu
          ipam-profile             | TIDEMARK       | reference     | REFERENCE
          parallel-alloc-workers   | 50             | 10            | 10
          parallel-alloc-workers   | 50             | 0             | 1
          parallel-alloc-workers   | 50             | -3            | 1
          enable-prefix-delegation | false          | true          | true
          enable-prefix-delegation | false          | 1             | true
          enable-prefix-delegation | false          | F             | false
          background-sync-interval | PT1M           | PT3M          | PT3M
          not-running-grace        | PT1M           | 0             | PT0S
          sync-attempts            | 2              | 5             | 5
          pass-timeout             | PT2M           | 90s           | PT1M30S
          store-timeout            | PT30S          | 5s            | PT5S
          release-excess-ips       | false          | true          | true
          excess-ip-release-delay  | PT3M           | 2             | PT2S
          excess-ip-release-delay  | PT3M           | 1h            | PT1H
          pre-allocate-mode        | Optional.empty | demand        | Optional[DemandSettings[quantile=0.999, spareMin=1, spareMax=64]]
          demand-quantile          | Optional.empty | 0.99          | Optional.empty
          backoff-base             | PT1S           | 250ms         | PT0.25S
          backoff-factor           | 2.0            | 1.5           | 1.5
          backoff-cap              | PT5M           | 10m           | PT10M
          backoff-reset            | PT10M          | 1h            | PT1H
          limit-ipam-api-qps       | Optional.empty | 4.0           | Optional[4.0]
          """)
  void accepted(String key, String byDefault, String value, String expected) {
    assertThat(setting(DEFAULTS, key)).isEqualTo(byDefault);
    assertThat(setting(read(key, value), key)).isEqualTo(expected);
  }

  @DisplayName("what is refused names key, value and form")
  @ParameterizedTest(name = "{0}: {1}, none of {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          cluster-name             | 1 to 63 letters           | a b; a,b
          cluster-name             | 1 to 63 letters           | x2345678901234567890123456789012345678901234567890123456789012345
          ipam-profile             | tidemark or reference     | cilium; REFERENCE
          parallel-alloc-workers   | whole number              | 1001; 1.5; ten; 99999999999
          enable-prefix-delegation | true or false             | yes; on; 2
          background-sync-interval | a duration from 1s to 24h | 500ms; 25h; 60; 1x
          not-running-grace        | from 0s to 24h            | -1s; P2D
          overlay-expiry           | from 0s to 1h             | 61m
          sync-attempts            | from 1 to 10              | 0; 11
          pass-timeout             | from 1s to 1h             | 999ms; 61m; soon
          store-timeout            | from 100ms to 10m         | 99ms; 11m
          release-excess-ips       | true or false             | maybe
          excess-ip-release-delay  | seconds, or a duration    | -1; 3 m; 2592001
          release-min-batch        | from 1 to 1000            | 0; 1001
          pre-allocate-mode        | static or demand          | auto; DEMAND
          demand-quantile          | from 0.5 to 0.999         | 0.4; 0.9999
          demand-spare-min         | from 1 to 64              | 0; 65
          demand-spare-max         | from 1 to 64              | 0; 65
          backoff-base             | from 1ms to 1h            | 0; 2h
          backoff-factor           | from 1.0 to 10.0          | 0.9; 11; NaN
          backoff-cap              | from 1ms to 24h           | 25h
          backoff-reset            | from 1ms to 24h           | 0s
          limit-ipam-api-qps       | from 0.01 to 10000.0      | 0; -1; many
          """)
  void refused(String key, String form, String values) {
    for (String value : values.split("; ", -1)) {
      assertThat(problems(key, value))
          .as("%s=%s", key, value)
          .singleElement()
          .asString()
          .contains(key, value, form, "TM-1003 CONFIG_INVALID_VALUE");
    }
  }

  @DisplayName("settings that make no sense together are refused")
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          release-hysteresis true     | release-hysteresis=true contradicts release-excess-ips
          release-hysteresis true release-excess-ips true ipam-profile reference | contradicts ipam-profile=reference
          release-min-batch 4         | release-min-batch=4 contradicts release-hysteresis
          demand-spare-max 4 demand-spare-min 5 | demand-spare-max=4 contradicts demand-spare-min=5
          pre-allocate-mode demand ipam-profile reference | pre-allocate-mode=demand contradicts ipam-profile=reference
          backoff-cap 2s backoff-base 3s | backoff-cap=2s contradicts backoff-base=3s
          limit-ipam-api-burst 20     | limit-ipam-api-burst=20 contradicts limit-ipam-api-qps
          """)
  void contradictions(String settings, String problem) {
    assertThat(problems(settings.split(" ")))
        .singleElement()
        .asString()
        .contains(problem, "TM-1004");
  }

  @Test
  @DisplayName("mode demand has its own bounds")
  void demand() {
    String[] settings = {
      "pre-allocate-mode", "demand", "demand-quantile", "0.9", "demand-spare-min", "2"
    };
    assertThat(read(settings).demand()).hasValue(new DemandSettings(0.9, 2, 64));
  }

  @Test
  @DisplayName("an empty name is called empty, a burst has its bounds, and an overlay may expire")
  void others() {
    assertThat(problems("cluster-name", "")).singleElement().asString().contains("is empty");
    assertThat(problems("limit-ipam-api-qps", "4", "limit-ipam-api-burst", "0"))
        .singleElement()
        .asString()
        .contains("limit-ipam-api-burst=0", "from 1 to 100000");
    assertThat(problems("overlay-expiry", "90s")).isEmpty();
  }

  @Test
  @DisplayName("ipam-profile: the reference's back-off and limiter")
  void profile() {
    EngineConfig reference = read("ipam-profile", "reference");
    assertThat(reference.isReferenceCompatible()).isTrue();
    assertThat(reference.backoff()).isEqualTo(BackoffPolicy.DEFAULT.referenceCompatible());
    assertThat(reference.ceiling()).hasValue(new CallCeiling(4, 20));
  }

  @DisplayName("limits of the rate: the burst is that of one second, 1 at least, unless it is set")
  @ParameterizedTest(name = "{0}: {1} a second, {2} at once")
  @CsvSource({
    "ipam-profile reference limit-ipam-api-qps 7.5, 7.5, 8",
    "limit-ipam-api-qps 4.0,                        4.0, 4",
    "limit-ipam-api-qps 0.2,                        0.2, 1",
    "limit-ipam-api-qps 4 limit-ipam-api-burst 20,  4.0, 20",
  })
  void ceiling(String settings, double rate, int burst) {
    assertThat(read(settings.split(" ")).ceiling()).hasValue(new CallCeiling(rate, burst));
  }

  @Test
  @DisplayName("release-hysteresis and release-min-batch hold where something is released")
  void hysteresis() {
    assertThat(DEFAULTS.release().hysteresis()).isFalse();
    assertThat(DEFAULTS.release().minBatch()).isEqualTo(1);
    EngineConfig on = read("release-hysteresis", "true", "release-excess-ips", "true");
    assertThat(on.release().hysteresis()).isTrue();
    EngineConfig batches =
        read("release-min-batch", "4", "release-hysteresis", "true", "release-excess-ips", "true");
    assertThat(batches.release().minBatch()).isEqualTo(4);
  }

  @Test
  @DisplayName("All problems are found in one reading, and the rest keeps its defaults")
  void together() {
    String wrong =
        "sync-attempts 0 backoff-cap soon release-hysteresis true limit-ipam-api-burst 5"
            + " enable-metrics true";
    assertThat(problems(wrong.split(" "))).hasSize(4);
    ConfigProblems problems = new ConfigProblems();
    EngineConfig config = EngineConfig.read(source("sync-attempts", "0"), problems);
    assertThat(config).isEqualTo(DEFAULTS);
  }
}
