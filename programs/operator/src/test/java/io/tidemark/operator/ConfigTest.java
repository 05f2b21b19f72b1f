package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.operator.Program.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("tidemark config")
class ConfigTest {
  private static final String SECRET = "hush-4711";

  @TempDir private Path directory;

  private static JsonNode setting(Result result, String key) {
    for (JsonNode each : Reports.settings(result).get("settings")) {
      if (each.get("key").asText().equals(key)) {
        return each;
      }
    }
    throw new AssertionError("no " + key + " in " + result);
  }

  private static void holds(Result result, String key, String value, String origin) {
    JsonNode row = setting(result, key);
    assertThat(row.get("value").asText()).as(key).isEqualTo(value);
    assertThat(row.get("origin").asText()).as(key).isEqualTo(origin);
  }

  private Path mounted(Map<String, String> keys) throws IOException {
    Path mount = Files.createDirectory(directory.resolve("cilium-config"));
    for (Map.Entry<String, String> each : keys.entrySet()) {
      Files.writeString(mount.resolve(each.getKey()), each.getValue());
    }
    return mount;
  }

  @Test
  @DisplayName("N7: command line before environment before file before directory before default")
  void precedence() throws IOException {
    Path mount =
        mounted(
            Map.of(
                "ipam", "eni",
                "cluster-name", "of-directory",
                "backoff-cap", "4m",
                "sync-attempts", "4",
                "release-min-batch", "1",
                "enable-bpf-masquerade", "true"));
    Path file = directory.resolve("settings.yaml");
    Files.writeString(
        file, "cluster-name: of-file\nbackoff-cap: 3m\nprovider: mock\nsync-attempts: 3\n");

    Result result =
        Program.run(
                Map.of(
                    "TIDEMARK_CLUSTER_NAME", "of-environment",
                    "TIDEMARK_BACKOFF_CAP", "2m",
                    "TIDEMARK_JAVA_OPTS", "-Xmx1g"),
                "config",
                "--output=json",
                "--config=" + file,
                "--config-dir=" + mount,
                "--cluster-name=of-command-line")
            .ends(0);

    holds(result, "cluster-name", "of-command-line", "command line");
    holds(result, "backoff-cap", "2m", "environment variable TIDEMARK_BACKOFF_CAP");
    holds(result, "sync-attempts", "3", file + ":4");
    holds(result, "release-min-batch", "1", mount.resolve("release-min-batch").toString());
    holds(result, "backoff-base", "1s", "default");
    holds(result, "provider", "mock", file + ":3");
    assertThat(setting(result, "limit-ipam-api-qps").get("value").isNull()).isTrue();
  }

  @Test
  @DisplayName("lets the agents' ipam choose the provider and tells what has no effect, and why")
  void ofAgents() throws IOException {
    Path mount =
        mounted(
            Map.of(
                "ipam", "eni\n",
                "eni-tags", "{\"team\":\"net\"}",
                "subnet-ids-filter", "subnet-1 subnet-2",
                "update-ec2-adapter-limit-via-api", "true",
                "azure-resource-group", "group",
                "operator-k8s-client-qps", "50",
                "tofqdns-enable-dns-compression", "true"));

    Result result = Program.run("config", "--config-dir=" + mount, "--output=json").ends(0);
    Result table = Program.run("config", "--config-dir=" + mount);

    holds(result, "provider", "aws", mount.resolve("ipam") + " (ipam=eni)");
    holds(result, "eni-tags", "{\"team\":\"net\"}", mount.resolve("eni-tags").toString());
    assertThat(Reports.settings(result).get("ignored").findValuesAsText("key"))
        .containsExactly("azure-resource-group", "update-ec2-adapter-limit-via-api");
    assertThat(table.out())
        .startsWith("provider aws, chosen by " + mount.resolve("ipam"))
        .contains("SETTING  ", "  VALUE  ", "  FROM  ", "  WHAT IT DOES\n")
        .contains("azure-resource-group is a setting of provider azure")
        .doesNotContain("tofqdns");
  }

  @Test
  @DisplayName("lets ipam=azure choose azure, whose own names of the environment then count")
  void ofAzure() throws IOException {
    Path mount =
        mounted(
            Map.of(
                "ipam", "azure",
                "azure-resource-group", "group",
                "eni-tags", "team=net",
                "aws-max-results-per-call", "50"));
    Map<String, String> environment =
        Map.of("AZURE_SUBSCRIPTION_ID", "11-22", "AZURE_USE_PRIMARY_ADDRESS", "true");

    Result result =
        Program.run(environment, "config", "--config-dir=" + mount, "--output=json").ends(0);
    Result foreign =
        Program.run("config", "--provider=mock", "--azure-resource-group=group").ends(2);

    holds(result, "provider", "azure", mount.resolve("ipam") + " (ipam=azure)");
    holds(
        result, "azure-resource-group", "group", mount.resolve("azure-resource-group").toString());
    holds(result, "azure-subscription-id", "11-22", "environment variable AZURE_SUBSCRIPTION_ID");
    holds(
        result,
        "azure-use-primary-address",
        "true",
        "environment variable AZURE_USE_PRIMARY_ADDRESS");
    holds(result, "pass-timeout", "5m", "default");
    holds(result, "consistency-horizon", "60s", "default");
    assertThat(Reports.settings(result).get("ignored").findValuesAsText("key"))
        .containsExactlyInAnyOrder("aws-max-results-per-call", "eni-tags");
    assertThat(foreign.err())
        .contains("azure-resource-group is a setting of provider azure")
        .contains("Remove the key, or choose the provider azure.", "TM-1007");
  }

  @Test
  @DisplayName("never shows a secret, neither as a value nor in a problem")
  void secret() {
    String option = "--aws-assume-role-external-id=" + SECRET;
    Result without = Program.run("config", "--provider=aws", option);
    Result text =
        Program.run(
            "config",
            "--provider=aws",
            option,
            "--aws-assume-role-arn=arn:aws:iam::123456789012:role/tidemark");
    Result json =
        Program.run(
            "config",
            "--provider=aws",
            option,
            "--output=json",
            "--aws-assume-role-arn=arn:aws:iam::123456789012:role/tidemark");

    assertThat(text.out()).contains("(secret)");
    assertThat(setting(json, "aws-assume-role-external-id").get("secret").asBoolean()).isTrue();
    for (Result each : List.of(without, text, json)) {
      assertThat(each.out() + each.err()).doesNotContain(SECRET);
    }
  }

  @Test
  @DisplayName("lists all problems of all places at once, the provider's too")
  void problems() throws IOException {
    Path file = directory.resolve("settings.yaml");
    Files.writeString(file, "sync-attempts: 0\nalibaba-cloud-vpc-id: vpc-1\n");
    Path mount = mounted(Map.of("leader-election-renew-deadline", "20s", "eni-gc-interval", "1s"));

    Result result =
        Program.run(
                Map.of("TIDEMARK_CLUSTER_NAM", "x"),
                "config",
                "--provider=aws",
                "--config=" + file,
                "--config-dir=" + mount)
            .ends(2);

    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .contains("TM-1000 CONFIG_REFUSED: 5 problems", "Did you mean TIDEMARK_CLUSTER_NAME?")
        .contains(file + ":1: sync-attempts=0")
        .contains(file + ":2: alibaba-cloud-vpc-id belongs to a cloud that has no provider here")
        .contains("leader-election-lease-duration contradicts leader-election-renew-deadline=20s")
        .containsOnlyOnce("eni-gc-interval=1s")
        .containsOnlyOnce("CONFIG_REFUSED")
        .doesNotContain("provider aws: ");
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "a1.medium=2,4,4,a2.custom=4,5,6",
        "{\"a1.medium\": \"2,4,4\", \"a2.custom\": \"4,5,6\"}",
        "{\n\t\"a1.medium\": \"2,4,4\",\n\t\"a2.custom\": \"4,5,6,nitro\"\n}"
      })
  @DisplayName("CO-2 takes a map as items and as the JSON object that the agents' ConfigMap has")
  void maps(String value) throws IOException {
    Path mount = mounted(Map.of("aws-instance-limit-mapping", value));
    Path file = directory.resolve("settings.yaml");
    Files.writeString(file, "aws-instance-limit-mapping: {a1.medium: '2,4,4'}\n");

    for (String place :
        List.of(
            "--config-dir=" + mount, "--aws-instance-limit-mapping=" + value, "--config=" + file)) {
      Result result = Program.run("config", "--provider=aws", place).ends(0);

      assertThat(result.err()).isEmpty();
      assertThat(result.out()).contains("a1.medium");
    }
  }
}
