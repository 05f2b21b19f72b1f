package io.tidemark.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Places of settings")
class SettingPlacesTest {
  private static final Set<String> KNOWN = ConfigKeys.of(SampleKey.all()).known();

  private final ConfigProblems problems = new ConfigProblems();

  @TempDir private Path directory;

  private List<String> found() {
    return problems.found().stream().map(ConfigProblem::toString).toList();
  }

  @Test
  @DisplayName("A mounted ConfigMap is read as Kubernetes mounts it: links, ..data, line ends")
  void mounted() throws IOException {
    Path data = Files.createDirectory(directory.resolve("..2026_11_22"));
    Files.writeString(data.resolve("cluster-name"), "prod\n");
    Files.writeString(data.resolve("bpf-map-dynamic-size-ratio"), "0.0025");
    Files.writeString(data.resolve("sync-attempts"), "3\r\n\n");
    Files.createSymbolicLink(directory.resolve("..data"), data.getFileName());
    for (String key : List.of("cluster-name", "bpf-map-dynamic-size-ratio", "sync-attempts")) {
      Files.createSymbolicLink(directory.resolve(key), Path.of("..data", key));
    }

    List<Setting> settings = ConfigDirectory.read(directory, KNOWN, problems);

    assertThat(found()).isEmpty();
    assertThat(settings)
        .containsExactly(
            new Setting("cluster-name", "prod", directory.resolve("cluster-name").toString()),
            new Setting("sync-attempts", "3", directory.resolve("sync-attempts").toString()));
  }

  @Test
  @DisplayName("A directory that is not there, and a file that is no text, are told")
  void unreadable() throws IOException {
    ConfigDirectory.read(directory.resolve("none"), KNOWN, problems);
    Files.write(directory.resolve("cluster-name"), new byte[] {(byte) 0xff, (byte) 0xfe});
    Files.write(directory.resolve("somebody-elses"), new byte[] {(byte) 0xff});
    ConfigDirectory.read(directory, KNOWN, problems);

    assertThat(found())
        .hasSize(2)
        .anyMatch(line -> line.contains("none: is not a directory"))
        .anyMatch(line -> line.contains("cluster-name: is not UTF-8 text"));
  }

  @Test
  @DisplayName("A variable is a setting by its name; the names of clouds' tools are weaker")
  void environment() {
    Map<String, String> environment =
        Map.of(
            "TIDEMARK_CLUSTER_NAME", "prod",
            "TIDEMARK_AZURE_RESOURCE_GROUP", "ours",
            "AZURE_RESOURCE_GROUP", "theirs",
            "AZURE_SUBSCRIPTION_ID", "s-1",
            "TIDEMARK_JAVA_OPTS", "-Xmx2g",
            "TIDEMARK_OPERATOR_SERVICE_HOST", "10.0.0.1",
            "PATH", "/bin");

    List<ConfigLayer> layers = ConfigEnvironment.read(environment, KNOWN, problems);
    ConfigSource source =
        ConfigKeys.of(SampleKey.all())
            .with(SampleKey.named("azure-resource-group", "azure-subscription-id"))
            .resolve(layers, problems);

    assertThat(found()).isEmpty();
    assertThat(source.keys())
        .containsExactly("azure-resource-group", "azure-subscription-id", "cluster-name");
    assertThat(source.value("azure-resource-group")).hasValue("ours");
    assertThat(source.origin("azure-subscription-id"))
        .isEqualTo("environment variable AZURE_SUBSCRIPTION_ID");
    assertThat(source.origin("cluster-name"))
        .isEqualTo("environment variable TIDEMARK_CLUSTER_NAME");
  }

  @Test
  @DisplayName("A variable that is almost ours is refused with the one that was meant")
  void mistyped() {
    ConfigEnvironment.read(Map.of("TIDEMARK_CLUSTER_NAM", "prod"), KNOWN, problems);

    assertThat(found())
        .containsExactly(
            "environment variable TIDEMARK_CLUSTER_NAM: names no setting. Did you mean"
                + " TIDEMARK_CLUSTER_NAME? (TM-1001 CONFIG_UNKNOWN_KEY)");
  }

  @Test
  @DisplayName("In a shared place foreign keys are passed over, known ones ignored with the reason")
  void shared() {
    Map<String, String> map = new LinkedHashMap<>();
    map.put("bpf-lb-algorithm", "random");
    map.put("enable-ipv4", "true");
    map.put("update-ec2-adapter-limit-via-api", "true");
    map.put("alibaba-cloud-vpc-id", "vpc-1");
    map.put("eni-tags", "{\"team\":\"net\"}");
    map.put("cluster-name", "prod");
    map.put("parallel-alloc-workers", "");
    List<ConfigLayer> layers =
        List.of(ConfigLayer.shared(Setting.all("ConfigMap kube-system/cilium-config", map)));

    ConfigSource source = ConfigKeys.of(SampleKey.all()).resolve(layers, problems);

    assertThat(found()).isEmpty();
    assertThat(source.keys()).containsExactly("cluster-name");
    assertThat(ConfigKeys.of(SampleKey.all()).ignored(layers))
        .extracting(each -> each.key() + " " + each.problem())
        .containsExactly(
            "update-ec2-adapter-limit-via-api was removed: limits are read from the cloud",
            "alibaba-cloud-vpc-id belongs to a cloud that has no provider here",
            "eni-tags is a setting of provider aws");
  }

  @Test
  @DisplayName("A secret is shown neither as a wrong value nor as one given twice")
  void secrets() {
    ConfigKeys keys =
        ConfigKeys.of(SampleKey.all())
            .with(List.of(new Options().secret("aws-id", ".*", "text", "id")));
    List<Setting> twice =
        List.of(new Setting("aws-id", "hush-1", "f:1"), new Setting("aws-id", "hush-2", "f:2"));
    ConfigSource source = keys.resolve(List.of(ConfigLayer.own(twice)), problems);
    new ConfigReader(source, problems).integer("aws-id", 1, 1, 2);
    problems.contradiction(source, "aws-id", "sync-attempts", "so");
    problems.contradiction(source, "sync-attempts", "aws-id", "so");

    assertThat(source.isSecret("aws-id")).isTrue();
    assertThat(source).hasToString(source.keys().toString());
    assertThat(found()).hasSize(4).noneMatch(line -> line.contains("hush"));
  }
}
