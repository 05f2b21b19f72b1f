package io.tidemark.node.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.CallCeiling;
import io.tidemark.config.ConfigProblem;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigSource;
import io.tidemark.config.SharedKey.Profile;
import io.tidemark.time.BackoffPolicy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

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

  /** Reads one key in several forms; whatever is refused must name key, value and form. */
  private static void refuses(String key, String expected, String... values) {
    for (String value : values) {
      assertThat(problems(key, value))
          .as("%s=%s", key, value)
          .singleElement()
          .asString()
          .contains(key, value, expected, "TM-1003 CONFIG_INVALID_VALUE");
    }
  }

  private static <T> void accepts(
      String key, Function<EngineConfig, T> part, T otherwise, String value, T expected) {
    assertThat(part.apply(DEFAULTS)).as("default of %s", key).isEqualTo(otherwise);
    assertThat(part.apply(read(key, value))).as("%s=%s", key, value).isEqualTo(expected);
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

  @Test
  @DisplayName("cluster-name")
  void clusterName() {
    accepts("cluster-name", EngineConfig::clusterName, "default", " prod-1.eu ", "prod-1.eu");
    refuses("cluster-name", "1 to 63 letters", "a b", "a,b", "x".repeat(64));
    assertThat(problems("cluster-name", "")).singleElement().asString().contains("is empty");
  }

  @Test
  @DisplayName("ipam-profile: the reference's back-off and limiter")
  void profile() {
    accepts(
        "ipam-profile", EngineConfig::profile, Profile.TIDEMARK, "reference", Profile.REFERENCE);
    refuses("ipam-profile", "tidemark or reference", "cilium", "REFERENCE");
    EngineConfig reference = read("ipam-profile", "reference");
    assertThat(reference.isReferenceCompatible()).isTrue();
    assertThat(reference.backoff()).isEqualTo(BackoffPolicy.DEFAULT.referenceCompatible());
    assertThat(reference.ceiling()).hasValue(new CallCeiling(4, 20));
    EngineConfig limited = read("ipam-profile", "reference", "limit-ipam-api-qps", "7.5");
    assertThat(limited.ceiling()).hasValue(new CallCeiling(7.5, 8));
  }

  @Test
  @DisplayName("parallel-alloc-workers; below one is one (node-manager 5.1)")
  void workers() {
    accepts("parallel-alloc-workers", c -> c.maintenance().parallelCalls(), 50, "10", 10);
    assertThat(read("parallel-alloc-workers", "0").maintenance().parallelCalls()).isEqualTo(1);
    assertThat(read("parallel-alloc-workers", "-3").maintenance().parallelCalls()).isEqualTo(1);
    refuses("parallel-alloc-workers", "whole number", "1001", "1.5", "ten", "99999999999");
  }

  @Test
  @DisplayName("enable-prefix-delegation")
  void prefixDelegation() {
    accepts(
        "enable-prefix-delegation", c -> c.maintenance().prefixDelegation(), false, "true", true);
    assertThat(read("enable-prefix-delegation", "1").maintenance().prefixDelegation()).isTrue();
    assertThat(read("enable-prefix-delegation", "F").maintenance().prefixDelegation()).isFalse();
    refuses("enable-prefix-delegation", "true or false", "yes", "on", "2");
  }

  @Test
  @DisplayName("background-sync-interval")
  void backgroundSyncInterval() {
    accepts(
        "background-sync-interval",
        c -> c.maintenance().backgroundSyncInterval(),
        Duration.ofSeconds(60),
        "PT3M",
        Duration.ofMinutes(3));
    refuses("background-sync-interval", "a duration from 1s to 24h", "500ms", "25h", "60", "1x");
  }

  @Test
  @DisplayName("not-running-grace")
  void notRunningGrace() {
    accepts(
        "not-running-grace",
        c -> c.maintenance().notRunningGrace(),
        Duration.ofSeconds(60),
        "0",
        Duration.ZERO);
    refuses("not-running-grace", "from 0s to 24h", "-1s", "P2D");
  }

  @Test
  @DisplayName("overlay-expiry")
  void overlayExpiry() {
    assertThat(problems("overlay-expiry", "90s")).isEmpty();
    refuses("overlay-expiry", "from 0s to 1h", "61m");
  }

  @Test
  @DisplayName("sync-attempts")
  void syncAttempts() {
    accepts("sync-attempts", c -> c.maintenance().syncAttempts(), 2, "5", 5);
    refuses("sync-attempts", "from 1 to 10", "0", "11");
  }

  @Test
  @DisplayName("pass-timeout")
  void passTimeout() {
    Duration usual = Duration.ofMinutes(2);
    accepts(
        "pass-timeout", c -> c.maintenance().passTimeout(), usual, "90s", Duration.ofSeconds(90));
    refuses("pass-timeout", "from 1s to 1h", "999ms", "61m", "soon");
  }

  @Test
  @DisplayName("store-timeout")
  void storeTimeout() {
    Duration usual = Duration.ofSeconds(30);
    accepts(
        "store-timeout", c -> c.maintenance().storeTimeout(), usual, "5s", Duration.ofSeconds(5));
    refuses("store-timeout", "from 100ms to 10m", "99ms", "11m");
  }

  @Test
  @DisplayName("release-excess-ips")
  void releaseExcessIps() {
    accepts("release-excess-ips", c -> c.release().enabled(), false, "true", true);
    refuses("release-excess-ips", "true or false", "maybe");
  }

  @Test
  @DisplayName("excess-ip-release-delay takes plain seconds too")
  void releaseDelay() {
    accepts(
        "excess-ip-release-delay",
        c -> c.release().delay(),
        Duration.ofSeconds(180),
        "2",
        Duration.ofSeconds(2));
    assertThat(read("excess-ip-release-delay", "1h").release().delay()).hasHours(1);
    refuses("excess-ip-release-delay", "seconds, or a duration", "-1", "3 m", "2592001");
  }

  @Test
  @DisplayName("release-hysteresis: only where something is released, not in the reference")
  void hysteresis() {
    assertThat(DEFAULTS.release().hysteresis()).isFalse();
    EngineConfig on = read("release-hysteresis", "true", "release-excess-ips", "true");
    assertThat(on.release().hysteresis()).isTrue();
    assertThat(problems("release-hysteresis", "true"))
        .singleElement()
        .asString()
        .contains("release-hysteresis=true contradicts release-excess-ips", "TM-1004");
    assertThat(
            problems(
                "release-hysteresis", "true",
                "release-excess-ips", "true",
                "ipam-profile", "reference"))
        .singleElement()
        .asString()
        .contains("contradicts ipam-profile=reference");
  }

  @Test
  @DisplayName("release-min-batch is part of the hysteresis")
  void minBatch() {
    assertThat(DEFAULTS.release().minBatch()).isEqualTo(1);
    EngineConfig set =
        read("release-min-batch", "4", "release-hysteresis", "true", "release-excess-ips", "true");
    assertThat(set.release().minBatch()).isEqualTo(4);
    assertThat(problems("release-min-batch", "4"))
        .singleElement()
        .asString()
        .contains("release-min-batch=4 contradicts release-hysteresis");
    refuses("release-min-batch", "from 1 to 1000", "0", "1001");
  }

  @Test
  @DisplayName("backoff-base")
  void backoffBase() {
    accepts(
        "backoff-base",
        c -> c.backoff().base(),
        Duration.ofSeconds(1),
        "250ms",
        Duration.ofMillis(250));
    refuses("backoff-base", "from 1ms to 1h", "0", "2h");
  }

  @Test
  @DisplayName("backoff-factor")
  void backoffFactor() {
    accepts("backoff-factor", c -> c.backoff().factor(), 2.0, "1.5", 1.5);
    refuses("backoff-factor", "from 1.0 to 10.0", "0.9", "11", "NaN");
  }

  @Test
  @DisplayName("backoff-cap, not below backoff-base")
  void backoffCap() {
    accepts(
        "backoff-cap",
        c -> c.backoff().cap(),
        Duration.ofMinutes(5),
        "10m",
        Duration.ofMinutes(10));
    assertThat(problems("backoff-cap", "2s", "backoff-base", "3s"))
        .singleElement()
        .asString()
        .contains("backoff-cap=2s contradicts backoff-base=3s");
    refuses("backoff-cap", "from 1ms to 24h", "25h");
  }

  @Test
  @DisplayName("backoff-reset")
  void backoffReset() {
    accepts(
        "backoff-reset",
        c -> c.backoff().resetAfter(),
        Duration.ofMinutes(10),
        "1h",
        Duration.ofHours(1));
    refuses("backoff-reset", "from 1ms to 24h", "0s");
  }

  @Test
  @DisplayName("limit-ipam-api-qps has no default")
  void qps() {
    Optional<CallCeiling> none = Optional.empty();
    accepts(
        "limit-ipam-api-qps",
        EngineConfig::ceiling,
        none,
        "4.0",
        Optional.of(new CallCeiling(4, 4)));
    assertThat(read("limit-ipam-api-qps", "0.2").ceiling()).hasValue(new CallCeiling(0.2, 1));
    refuses("limit-ipam-api-qps", "from 0.01 to 10000.0", "0", "-1", "many");
  }

  @Test
  @DisplayName("limit-ipam-api-burst needs a rate")
  void burst() {
    EngineConfig both = read("limit-ipam-api-qps", "4", "limit-ipam-api-burst", "20");
    assertThat(both.ceiling()).hasValue(new CallCeiling(4, 20));
    assertThat(problems("limit-ipam-api-burst", "20"))
        .singleElement()
        .asString()
        .contains("limit-ipam-api-burst=20 contradicts limit-ipam-api-qps");
    assertThat(problems("limit-ipam-api-qps", "4", "limit-ipam-api-burst", "0"))
        .singleElement()
        .asString()
        .contains("limit-ipam-api-burst=0", "from 1 to 100000");
  }

  @Test
  @DisplayName("All problems are found in one reading, and the rest keeps its defaults")
  void together() {
    List<String> found =
        problems(
            "sync-attempts", "0",
            "backoff-cap", "soon",
            "release-hysteresis", "true",
            "limit-ipam-api-burst", "5",
            "enable-metrics", "true");
    assertThat(found).hasSize(4);
    ConfigProblems problems = new ConfigProblems();
    EngineConfig config = EngineConfig.read(source("sync-attempts", "0"), problems);
    assertThat(config).isEqualTo(DEFAULTS);
  }
}
