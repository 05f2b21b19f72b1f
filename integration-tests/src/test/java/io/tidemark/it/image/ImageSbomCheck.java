package io.tidemark.it.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.testing.Repository;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The CycloneDX document in an image, compared with what the image has. */
final class ImageSbomCheck {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final JsonNode document;

  private ImageSbomCheck(JsonNode document) {
    this.document = document;
  }

  /** Fails unless it lists the jar's libraries, the runtime and the packages of the base. */
  static void check(LoadedImage image, String architecture) throws IOException {
    Path root = image.mount();
    ImageSbomCheck sbom =
        new ImageSbomCheck(JSON.readTree(root.resolve("opt/tidemark/tidemark.cdx.json").toFile()));
    sbom.hasLibraries();
    sbom.hasRuntime(root.resolve("opt/java"));
    sbom.hasPackages(root.resolve("var/lib/dpkg/status.d"), architecture);
    assertThat(sbom.document.findValuesAsText("bom-ref")).doesNotHaveDuplicates();
  }

  private void hasLibraries() throws IOException {
    JsonNode jar = JSON.readTree(Repository.text("programs/operator/target/tidemark.cdx.json"));
    assertThat(components(document)).containsAll(components(jar));
    assertThat(document.path("serialNumber").asText())
        .matches("urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
        .isNotEqualTo(jar.path("serialNumber").asText());
  }

  private void hasRuntime(Path java) throws IOException {
    Properties release = new Properties();
    try (Reader file = Files.newBufferedReader(java.resolve("release"))) {
      release.load(file);
    }
    release.replaceAll((name, value) -> value.toString().replace("\"", ""));
    String version = release.getProperty("JAVA_VERSION");

    List<JsonNode> runtimes =
        components(document).stream()
            .filter(each -> each.path("type").asText().equals("platform"))
            .toList();
    assertThat(runtimes).hasSize(1);
    JsonNode runtime = runtimes.get(0);
    assertThat(runtime.path("name").asText()).isEqualTo("OpenJDK");
    assertThat(runtime.path("version").asText()).startsWith(version);
    assertThat(runtime.path("supplier").path("name").asText()).isNotEmpty();
    assertThat(runtime.path("licenses").path(0).path("expression").asText())
        .isEqualTo("GPL-2.0-only WITH Classpath-exception-2.0");
    assertThat(runtime.path("cpe").asText()).contains(":openjdk:" + version + ":");
    assertThat(components(runtime))
        .extracting(each -> each.path("name").asText())
        .containsExactly(release.getProperty("MODULES").split(" "));
  }

  private void hasPackages(Path status, String architecture) throws IOException {
    List<JsonNode> packages =
        components(document).stream()
            .filter(each -> each.path("purl").asText().startsWith("pkg:deb/"))
            .toList();
    try (Stream<Path> installed = Files.list(status)) {
      assertThat(packages)
          .extracting(each -> each.path("name").asText())
          .containsExactlyInAnyOrderElementsOf(
              installed.map(each -> each.getFileName().toString()).toList())
          .contains("libc6");
    }
    assertThat(packages)
        .extracting(each -> each.path("purl").asText())
        .anyMatch(
            each ->
                each.matches(
                    "pkg:deb/debian/libstdc%2B%2B6@[0-9.]+-[^?]+\\?arch="
                        + architecture
                        + "&distro=debian-[0-9]+&upstream=gcc-[0-9]+"))
        .anyMatch(each -> each.startsWith("pkg:deb/debian/libc6@") && each.endsWith("=glibc"));
    assertThat(components(document))
        .filteredOn(each -> each.path("type").asText().equals("operating-system"))
        .singleElement()
        .satisfies(each -> assertThat(each.path("name").asText()).isEqualTo("debian"))
        .satisfies(each -> assertThat(each.path("version").asText()).matches("[0-9]+"));
  }

  private static List<JsonNode> components(JsonNode parent) {
    return StreamSupport.stream(parent.path("components").spliterator(), false).toList();
  }
}
