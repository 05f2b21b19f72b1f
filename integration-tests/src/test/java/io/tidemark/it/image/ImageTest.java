package io.tidemark.it.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.it.cluster.FilledCluster;
import io.tidemark.it.program.ProcessUse;
import io.tidemark.kubernetes.server.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("image")
@DisplayName("The operator's image")
class ImageTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int NODES = 1_000;

  @AutoClose private static LoadedImage image;

  @TempDir private Path folder;

  @BeforeAll
  static void load() throws Exception {
    image = LoadedImage.of("amd64");
  }

  private static JsonNode blob(String digest) throws IOException {
    return JSON.readTree(
        LoadedImage.layout().resolve("blobs").resolve(digest.replace(':', '/')).toFile());
  }

  /** The platforms of the image, and their configurations. */
  private static List<JsonNode> configurations() throws IOException {
    JsonNode layout = JSON.readTree(LoadedImage.layout().resolve("index.json").toFile());
    JsonNode index = blob(layout.path("manifests").path(0).path("digest").asText());
    List<JsonNode> all = new ArrayList<>();
    for (JsonNode each : index.path("manifests")) {
      JsonNode manifest = blob(each.path("digest").asText());
      all.add(blob(manifest.path("config").path("digest").asText()));
    }
    return all;
  }

  @Test
  @DisplayName("has two platforms, a user that is not root, and labels")
  void configuration() throws IOException {
    List<JsonNode> all = configurations();
    assertThat(all)
        .extracting(each -> each.path("os").asText() + '/' + each.path("architecture").asText())
        .containsExactly("linux/amd64", "linux/arm64");
    for (JsonNode each : all) {
      JsonNode config = each.path("config");
      assertThat(config.path("User").asText()).isEqualTo("65532:65532");
      assertThat(config.path("Labels").path("org.opencontainers.image.licenses").asText())
          .isEqualTo("Apache-2.0");
      assertThat(config.path("Labels").path("org.opencontainers.image.version").asText())
          .isNotEmpty();
      assertThat(config.path("Labels").path("org.opencontainers.image.revision").asText())
          .matches("[0-9a-f]{40}");
    }
  }

  @Test
  @DisplayName("has an SBOM of the jar's libraries, the runtime and the base's packages")
  void sbom() throws IOException {
    ImageSbomCheck.check(image, "amd64");
  }

  @Test
  @DisplayName(
      "is ready on a real API server under the restrictions of deploy/base, most of its classes from"
          + " its archive, and ends with SIGTERM")
  void works() throws Exception {
    try (FilledCluster cluster = FilledCluster.create(folder, NODES)) {
      int port = FreePorts.next();
      long start = System.nanoTime();
      try (OperatorContainer operator =
          OperatorContainer.start(
              image,
              Files.createDirectory(folder.resolve("container")),
              LoadedClasses.logTo("/tmp/classes.log"),
              cluster.kubeconfig(),
              cluster.arguments("/kubeconfig", port))) {
        operator.awaitReady(port);
        double seconds = (System.nanoTime() - start) / 1e9;
        ProcessUse use = ProcessUse.of(operator.handle());
        LoadedClasses loaded = LoadedClasses.of(operator.file("classes.log"));
        System.out.printf(
            Locale.ROOT,
            "image, %,d filled nodes: ready after %.1f s, %.1f CPU-s, resident %,d MB, %s%n",
            NODES,
            seconds,
            use.cpu().toMillis() / 1e3,
            use.residentBytes() >> 20,
            loaded);
        assertThat(Files.readString(Path.of("/proc", operator.handle().pid() + "", "status")))
            .containsPattern("Uid:\\s+65532")
            .containsPattern("NoNewPrivs:\\s+1")
            .containsPattern("CapEff:\\s+0000000000000000");
        // Fewer when the list of .ci/image/run --classes is old.
        assertThat(loaded.archivedPercent()).as("%% of %d", loaded.all()).isGreaterThan(85);
        assertThat(operator.terminate()).isZero();
        assertThat(operator.log()).doesNotContain("WARN").doesNotContain("ERROR");
      }
    }
  }
}
