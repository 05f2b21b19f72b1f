package io.tidemark.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigKeysTest {
  private final ConfigProblems problems = new ConfigProblems();

  private ConfigSource resolve(ConfigKeys keys, List<List<Setting>> layers) {
    return keys.resolve(layers.stream().map(ConfigLayer::own).toList(), problems);
  }

  private static List<Setting> file(String... keysAndValues) {
    List<Setting> settings = new ArrayList<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      settings.add(
          new Setting(keysAndValues[i], keysAndValues[i + 1], "tidemark.yaml:" + (i / 2 + 1)));
    }
    return settings;
  }

  @Test
  @DisplayName("The command line goes before the file, key by key")
  void layers() {
    ConfigSource source =
        resolve(
            ConfigKeys.of(SampleKey.all()),
            List.of(
                Setting.all("command line", Map.of("sync-attempts", "3")),
                file("sync-attempts", "4", "cluster-name", "prod")));
    assertThat(problems.found()).isEmpty();
    assertThat(source.keys()).containsExactly("cluster-name", "sync-attempts");
    assertThat(source.value("sync-attempts")).hasValue("3");
    assertThat(source.origin("sync-attempts")).isEqualTo("command line");
    assertThat(source.origin("cluster-name")).isEqualTo("tidemark.yaml:2");
    assertThat(source.value("backoff-cap")).isEmpty();
    assertThat(source.origin("backoff-cap")).isEqualTo("default");
  }

  @DisplayName("N7 the older names of a setting are the same setting")
  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource("aws-release-excess-ips, release-excess-ips")
  void aliases(String alias, String key) {
    ConfigSource source = resolve(ConfigKeys.of(SampleKey.all()), List.of(file(alias, "true")));
    assertThat(source.value(key)).hasValue("true");
    assertThat(source.origin(key)).isEqualTo("tidemark.yaml:1 (as " + alias + ")");
    assertThat(source.keys()).containsExactly(key);
    assertThat(SampleKey.all())
        .filteredOn(option -> option.aliases().contains(alias))
        .singleElement()
        .satisfies(option -> assertThat(option.key()).isEqualTo(key));
  }

  @Test
  @DisplayName("A setting under two names in one place is refused; in two places it is not")
  void givenTwice() {
    ConfigSource source =
        resolve(
            ConfigKeys.of(SampleKey.all()),
            List.of(file("release-excess-ips", "true", "aws-release-excess-ips", "false")));
    assertThat(problems.found())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.code()).isEqualTo(CoreError.CONFIG_GIVEN_TWICE);
              assertThat(problem.toString())
                  .startsWith(
                      "tidemark.yaml:2: aws-release-excess-ips=false is given before: true");
            });
    assertThat(source.value("release-excess-ips")).hasValue("true");
    ConfigSource two =
        new ConfigKeysTest()
            .resolve(
                ConfigKeys.of(SampleKey.all()),
                List.of(
                    file("aws-release-excess-ips", "false"), file("release-excess-ips", "true")));
    assertThat(two.value("release-excess-ips")).hasValue("false");
  }

  @DisplayName("An unknown key is refused with the one that was probably meant")
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          relase-excess-ips       | Did you mean release-excess-ips?
          excess-ip-release-dealy | Did you mean excess-ip-release-delay?
          backof-cap              | Did you mean backoff-cap?
          cluster_name            | Did you mean cluster-name?
          color                   | See docs/config.md for all of them.
          """)
  void unknown(String key, String remedy) {
    resolve(ConfigKeys.of(SampleKey.all()), List.of(file(key, "x")));
    assertThat(problems.found())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.code()).isEqualTo(CoreError.CONFIG_UNKNOWN_KEY);
              assertThat(problem.key()).isEqualTo(key);
              assertThat(problem.remedy()).isEqualTo(remedy);
            });
  }

  @DisplayName("Keys of the reference that nothing here reads are refused by name, with the reason")
  @ParameterizedTest(name = "{0}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          aws-instance-limit-mapping       | CONFIG_FOREIGN_KEY | Remove the key, or choose the provider aws.
          update-ec2-adapter-limit-via-api | CONFIG_REMOVED_KEY | Remove the key.
          alibaba-cloud-vpc-id             | CONFIG_REMOVED_KEY | Remove the key.
          alibaba-cloud-release-excess-ips | CONFIG_REMOVED_KEY | Remove the key.
          subnet-ids-filter                | CONFIG_FOREIGN_KEY | Remove the key, or choose the provider aws.
          subnet-tags-filter               | CONFIG_FOREIGN_KEY | Remove the key, or choose the provider aws.
          instance-tags-filter             | CONFIG_FOREIGN_KEY | Remove the key, or choose the provider aws.
          aws-use-primary-address          | CONFIG_FOREIGN_KEY | Remove the key, or choose the provider aws.
          aws-max-results-per-call         | CONFIG_FOREIGN_KEY | Remove the key, or choose the provider aws.
          ec2-api-endpoint                 | CONFIG_FOREIGN_KEY | Remove the key, or choose the provider aws.
          eni-tags                         | CONFIG_FOREIGN_KEY | Remove the key, or choose the provider aws.
          eni-gc-tags                      | CONFIG_FOREIGN_KEY | Remove the key, or choose the provider aws.
          eni-gc-interval                  | CONFIG_FOREIGN_KEY | Remove the key, or choose the provider aws.
          azure-subscription-id            | CONFIG_FOREIGN_KEY | Remove the key, or choose the provider azure.
          azure-resource-group             | CONFIG_FOREIGN_KEY | Remove the key, or choose the provider azure.
          azure-user-assigned-identity-id  | CONFIG_FOREIGN_KEY | Remove the key, or choose the provider azure.
          azure-use-primary-address        | CONFIG_FOREIGN_KEY | Remove the key, or choose the provider azure.
          """)
  void refused(String key, CoreError code, String remedy) {
    ConfigSource source = resolve(ConfigKeys.of(SampleKey.all()), List.of(file(key, "x")));
    assertThat(source.keys()).isEmpty();
    assertThat(problems.found())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.code()).isEqualTo(code);
              assertThat(problem.remedy()).isEqualTo(remedy);
              assertThat(problem.origin()).isEqualTo("tidemark.yaml:1");
            });
  }

  @Test
  @DisplayName("A key that the chosen provider declares is known, whatever else is said about it")
  void ofProvider() {
    ConfigKeys keys =
        ConfigKeys.of(SampleKey.all()).with(SampleKey.named("subnet-ids-filter", "mock-latency"));
    ConfigSource source =
        resolve(keys, List.of(file("subnet-ids-filter", "s1,s2", "mock-latency", "1s")));
    assertThat(problems.found()).isEmpty();
    assertThat(source.keys()).containsExactly("mock-latency", "subnet-ids-filter");
  }

  @Test
  @DisplayName("A key of a provider that is not chosen is refused with that provider's name")
  void ofOtherProvider() {
    ConfigKeys keys =
        ConfigKeys.of(SampleKey.all()).withForeign("gcp", SampleKey.named("gcp-project", "shared"));
    resolve(keys.with(SampleKey.named("shared")), List.of(file("gcp-project", "x", "shared", "y")));
    assertThat(problems.found())
        .singleElement()
        .asString()
        .isEqualTo(
            "tidemark.yaml:1: gcp-project is a setting of provider gcp. Remove the key, or choose"
                + " the provider gcp. (TM-1007 CONFIG_FOREIGN_KEY)");
  }

  @Test
  @DisplayName(
      "A key of a mode that is not chosen is refused with that mode, and ignored elsewhere")
  void ofOtherMode() {
    ConfigKeys keys =
        ConfigKeys.of(SampleKey.all())
            .withForeignMode("cluster-pool", SampleKey.named("pool-cidr", "sync-attempts"));
    List<ConfigLayer> layers =
        List.of(
            ConfigLayer.own(file("pool-cidr", "x", "sync-attempts", "3")),
            ConfigLayer.shared(List.of(new Setting("pool-cidr", "y", "directory"))));
    assertThat(keys.resolve(layers, problems).value("sync-attempts")).hasValue("3");
    assertThat(problems.found())
        .singleElement()
        .asString()
        .isEqualTo(
            "tidemark.yaml:1: pool-cidr is a setting of ipam=cluster-pool. Remove the key, or set"
                + " ipam=cluster-pool. (TM-1007 CONFIG_FOREIGN_KEY)");
    assertThat(keys.ignored(layers)).extracting(ConfigProblem::origin).containsExactly("directory");
  }

  @Test
  @DisplayName("All problems come in one error, each with place, key, value and remedy")
  void together() {
    ConfigSource source =
        resolve(
            ConfigKeys.of(SampleKey.all()),
            List.of(
                file(
                    "relase-excess-ips",
                    "true",
                    "sync-attempts",
                    "0",
                    "backoff-cap",
                    "x".repeat(99))));
    ConfigReader reader = new ConfigReader(source, problems);
    SampleKey.all().forEach(option -> option.read(reader));
    assertThatThrownBy(problems::throwIfAny)
        .isInstanceOfSatisfying(
            IpamException.class, e -> assertThat(e.code()).isEqualTo(CoreError.CONFIG_REFUSED))
        .hasMessage(
            """
            TM-1000 CONFIG_REFUSED: 3 problems
              tidemark.yaml:1: relase-excess-ips is not a setting. Did you mean release-excess-ips?\
             (TM-1001 CONFIG_UNKNOWN_KEY)
              tidemark.yaml:3: backoff-cap=%s... is not accepted. Expected: a duration from 1ms to\
             24h, such as 3m, 1m30s, 500ms or PT3M. (TM-1003 CONFIG_INVALID_VALUE)
              tidemark.yaml:2: sync-attempts=0 is not accepted. Expected: a whole number from 1 to\
             10. (TM-1003 CONFIG_INVALID_VALUE)
            Correct the settings listed; docs/config.md explains each key.\
            """
                .replace("%s", "x".repeat(80)));
  }
}
