package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.operator.Program.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
        broken("no YAML", "{ \"name\": [", "", ""),
        broken("half written", good.substring(0, good.indexOf("instance-type")) + "ins", "", ""),
        broken("not text at all", new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1}, "", ""),
        broken("an empty file", "", "", "empty"),
        broken("another kind", good.replace("CiliumNode", "Pod"), "kind", "Pod"),
        broken("no name", good.replace("  name: broken\n", "  x: y\n"), "metadata.name", "name"),
        broken(
            "a negative number",
            good.replace("pre-allocate: 8", "pre-allocate: -8"),
            "spec.ipam.pre-allocate",
            "-8"),
        broken(
            "an absurd number",
            good.replace("pre-allocate: 8", "pre-allocate: 99999999999999999999"),
            "spec.ipam.pre-allocate",
            "99999999999999999999"),
        broken(
            "a word for a number",
            good.replace("pre-allocate: 8", "pre-allocate: many"),
            "spec.ipam.pre-allocate",
            "many"),
        broken(
            "an address that is none",
            good + "status:\n  ipam:\n    used:\n      10.0.0.999:\n        owner: x\n",
            "status.ipam.used",
            "10.0.0.999"),
        broken(
            "the same name twice in one file", good + "---\n" + good, "metadata.name", "broken"));
  }

  private static Arguments broken(String what, String text, String path, String value) {
    return broken(what, text.getBytes(StandardCharsets.UTF_8), path, value);
  }

  private static Arguments broken(String what, byte[] content, String path, String value) {
    return Arguments.of(what, content, path, value);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("broken")
  @DisplayName("a file that is wrong")
  void file(String what, byte[] content, String path, String value) {
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
    assertThat(directory.resolve("broken.yaml")).hasBinaryContent(content);
  }

  @Test
  @DisplayName("the same name in two files, which both wait")
  void duplicateNames() {
    Manifests manifests =
        new Manifests(directory)
            .with("one.yaml", Manifests.fresh("worker-a"))
            .with("two.yaml", Manifests.node("worker-a", "pre-allocate: 4"))
            .with("good.yaml", Manifests.fresh("worker-b"));

    assertThat(manifests.run("run --provider=mock --once").ends(3).out())
        .contains("worker-b     0          8", "one.yaml", "two.yaml");
    assertThat(manifests.read("one.yaml")).doesNotContain("pool:");
    assertThat(manifests.read("two.yaml")).doesNotContain("pool:");
  }

  @Test
  @DisplayName("two nodes that claim the same instance, of which the second waits")
  void duplicateClaims() {
    Manifests manifests =
        new Manifests(directory)
            .with("a.yaml", Manifests.fresh("worker-a"))
            .with("b.yaml", Manifests.fresh("worker-b").replace("i-worker-b", "i-worker-a"))
            .with("c.yaml", Manifests.fresh("worker-c"));

    Result result = manifests.run("run --provider=mock --once --output=json").ends(3);

    assertThat(Reports.node(result, "worker-a").get("available").asInt()).isEqualTo(8);
    assertThat(Reports.node(result, "worker-b").get("reason").asText()).isEqualTo("TM-1209");
    assertThat(Reports.node(result, "worker-c").get("available").asInt()).isEqualTo(8);
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

  @Test
  @DisplayName("a file that cannot be read")
  void unreadableFile() throws IOException {
    Manifests manifests = new Manifests(directory).with("good.yaml", Manifests.fresh("worker-a"));
    linkToItself("loop.yaml");

    assertThat(manifests.run("run --provider=mock --once").ends(3).out())
        .contains("worker-a     0          8")
        .contains("loop.yaml: ");
  }

  @Test
  @DisplayName("a directory that cannot be read")
  void unreadableDirectory() throws IOException {
    Path loop = linkToItself("loop");

    Result result =
        Program.run(Program.arguments("run --provider=mock --once", "--nodes=" + loop)).ends(2);

    assertThat(result.err()).contains("TM-1102 STORE_UNREADABLE: " + loop);
  }

  /** Nobody can read such a file, whatever his rights. */
  private Path linkToItself(String name) throws IOException {
    Path link = directory.resolve(name);
    return Files.createSymbolicLink(link, link);
  }
}
