package io.tidemark.kubernetes.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.tidemark.kubernetes.deploy.Manifests.Manifest;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.testing.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("kubernetes")
@Tag("long")
@DisplayName("A folder of deploy with an image of one's own, rendered by kustomize")
class KustomizeOnServerTest {
  private static final String IMAGE = "registry.example/team/tidemark:7.8.9";

  @RegisterExtension private static final ApiServer server = ApiServer.ofClass();

  @TempDir private Path directory;

  @BeforeAll
  static void start() throws Exception {
    Manifests.createNamespaces(server.admin().client());
  }

  /** The standard output of kustomize. */
  private String kustomize(String... arguments) throws Exception {
    Path out = directory.resolve("out.txt");
    Path err = directory.resolve("err.txt");
    String program = ApiServer.binaries().resolve("kustomize").toString();
    Process process =
        new ProcessBuilder(Stream.concat(Stream.of(program), Stream.of(arguments)).toList())
            .directory(directory.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(err)).isZero();
    return Files.readString(out);
  }

  /** A kustomization that has the objects of a folder. */
  private void use(Path folder) throws IOException {
    Files.writeString(
        directory.resolve(Manifests.KUSTOMIZATION),
        "resources: [" + directory.toRealPath().relativize(folder.toRealPath()) + "]\n");
  }

  private Map<String, Object> rendered() throws Exception {
    Collection<Manifest> manifests = Manifests.of("kustomize build", kustomize("build", "."));
    for (Manifest each : manifests) {
      assertThat(each.tried(server.admin().client())).as(each.toString()).contains(each.name());
    }
    return Manifests.byIdentity(manifests);
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Manifests.class)
  @DisplayName("in a copy, as docs/kubernetes.md says: likewise")
  void inACopy(Manifests folder) throws Exception {
    try (Stream<Path> files = Files.list(folder.folder())) {
      for (Path file : files.toList()) {
        Files.copy(file, directory.resolve(file.getFileName()));
      }
    }

    kustomize("edit", "set", "image", folder.account() + '=' + IMAGE);

    assertThat(rendered()).isEqualTo(Manifests.byIdentity(folder.withImage(IMAGE)));
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Manifests.class)
  @DisplayName("as it stands it names this version's image")
  void asItStands(Manifests folder) throws Exception {
    use(folder.folder());

    assertThat(rendered()).isEqualTo(Manifests.byIdentity(folder.withImage(folder.image())));
  }

  @Test
  @DisplayName(
      "deploy/monitoring makes a ConfigMap of the dashboard beside the objects of its files")
  void monitoring() throws Exception {
    Path folder = Repository.root().resolve("deploy/monitoring").toRealPath();
    List<Manifest> made = Manifests.of("monitoring", kustomize("build", folder.toString()));
    assertThat(made)
        .extracting(each -> each.typed().getKind())
        .containsExactlyInAnyOrder("ConfigMap", "PodMonitor", "PrometheusRule");
    for (Manifest each : made) {
      Path file = folder.resolve(each.typed().getKind().toLowerCase(Locale.ROOT) + ".yaml");
      if (each.typed() instanceof ConfigMap dashboard) {
        assertThat(dashboard.getData().values())
            .containsExactly(Files.readString(folder.resolve("dashboard.json")));
        assertThat(dashboard.getMetadata().getLabels()).containsEntry("grafana_dashboard", "1");
        String path = "/api/v1/namespaces/" + Manifests.NAMESPACE + "/configmaps";
        assertThat(server.admin().client().raw(path + Manifests.STRICT, "POST", each.raw()))
            .contains("tidemark-dashboard");
      } else {
        assertThat(each.raw()).isEqualTo(new Manifest("", Files.readString(file)).raw());
      }
    }
  }

  @Test
  @DisplayName(
      "with deploy/monitoring/agent agents listen on every address, and their port has a name")
  void scrapedAgent() throws Exception {
    Path deploy = Repository.root().resolve("deploy").toRealPath();
    Files.writeString(
        directory.resolve(Manifests.KUSTOMIZATION),
        "resources: [%s]\ncomponents: [%s]\n"
            .formatted(
                directory.toRealPath().relativize(deploy.resolve("agent")),
                directory.toRealPath().relativize(deploy.resolve("monitoring/agent"))));

    assertThat(rendered().values().toString())
        .contains("--log-format=json, --listen=0.0.0.0]", "containerPort=9967, name=metrics");
  }

  @Test
  @DisplayName("NC-AM38 deploy/cluster-pool is deploy/base with another mode and less rights")
  void clusterPool() throws Exception {
    use(Repository.root().resolve("deploy/cluster-pool"));
    List<Manifest> expected =
        Manifests.OPERATOR.withImage(Manifests.OPERATOR.image()).stream()
            .map(
                each ->
                    new Manifest(
                        each.file(),
                        each.text()
                            .replace("- --provider=aws", "- --ipam=cluster-pool")
                            .replaceFirst("(?m)^.*\n.*resources: \\[pods\\]\n.*\n", "")
                            .replaceFirst("(?s)# Problems of the whole operator.*", "")))
            .toList();

    assertThat(rendered()).isEqualTo(Manifests.byIdentity(expected));
  }

  @Test
  @DisplayName("NC-AM38 deploy/node-cidr-cloud is deploy/node-cidr with a cloud and its rights")
  void nodeCidrCloud() throws Exception {
    Path overlay = Repository.root().resolve("deploy/node-cidr-cloud");
    use(overlay);
    List<Manifest> expected = new ArrayList<>();
    for (String role : List.of("clusterrole-status.yaml", "role-notices.yaml")) {
      expected.addAll(Manifests.of(role, Files.readString(overlay.resolve(role))));
    }
    for (Manifest each : Manifests.NODE_CIDR.withImage(Manifests.NODE_CIDR.image())) {
      expected.add(
          new Manifest(
              each.file(),
              each.text()
                  .replace(
                      "--cluster-cidr=10.244.0.0/16",
                      "--cidr-allocator-type=CloudAllocator\n        - --provider=aws")));
    }

    assertThat(rendered()).isEqualTo(Manifests.byIdentity(expected));
  }
}
