package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.operator.Program.Result;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Broken input is reported with file, path and remedy, and the other nodes go on:")
class BrokenInputTest {
  @TempDir private Path directory;

  static Stream<Arguments> broken() {
    String good = Manifests.fresh("broken");
    return Stream.of(
        Arguments.of("no YAML", "{ \"name\": [", "", ""),
        Arguments.of("another kind", good.replace("CiliumNode", "Pod"), "kind", "Pod"),
        Arguments.of(
            "a negative number",
            good.replace("pre-allocate: 8", "pre-allocate: -8"),
            "spec.ipam.pre-allocate",
            "-8"),
        Arguments.of(
            "the same name twice in one file", good + "---\n" + good, "metadata.name", "broken"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("broken")
  @DisplayName("a file that is wrong")
  void file(String what, String content, String path, String value) {
    Manifests manifests =
        new Manifests(directory)
            .with("broken.yaml", content)
            .with("good.yaml", Manifests.fresh("worker-a"));

    Result result = manifests.run("run --provider=mock --once --output=json").ends(3);

    assertThat(Reports.node(result, "worker-a").get("state").asText()).isEqualTo("ok");
    assertThat(Reports.node(result, "worker-a").get("available").asInt()).isEqualTo(8);
    JsonNode refused = Reports.run(result).get("refused");
    assertThat(refused).isNotEmpty();
    assertThat(refused.get(0).get("file").asText())
        .isEqualTo(directory.resolve("broken.yaml").toString());
    assertThat(refused.get(0).get("path").asText()).startsWith(path);
    assertThat(refused.get(0).get("path").asText() + refused.get(0).get("problem").asText())
        .contains(value);
    assertThat(directory.resolve("broken.yaml")).hasContent(content);
  }

  @Test
  @DisplayName("a directory that holds no node")
  void emptyDirectory() {
    Result result =
        Program.run(
                Program.arguments(
                    "run --provider=mock --once --output=json", "--nodes=" + directory))
            .ends(3);

    JsonNode refused = Reports.run(result).get("refused");
    assertThat(refused).hasSize(1);
    assertThat(refused.get(0).get("file").asText()).isEqualTo(directory.toString());
    assertThat(refused.get(0).get("problem").asText()).contains("no CiliumNode");
  }

  @Test
  @DisplayName("a directory that does not exist")
  void missingDirectory() {
    Path missing = directory.resolve("missing");

    Result result =
        Program.run(Program.arguments("run --provider=mock --once", "--nodes=" + missing)).ends(2);

    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .contains("TM-1102 STORE_UNREADABLE: " + missing)
        .contains("Check that the path exists");
  }
}
