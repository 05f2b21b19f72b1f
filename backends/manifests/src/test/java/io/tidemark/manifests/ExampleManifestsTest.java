package io.tidemark.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.testing.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The files' names say what is in them: {@code pool5-used2-marked-for-release-2}. */
@DisplayName("Whole manifests, as agents and operators leave them")
class ExampleManifestsTest {
  private static final Path OWN = Path.of("src", "test", "resources", "resource", "manifests");

  /** Beside the checkout, where dumps of real objects may lie: more to check with. */
  private static final Path OTHER = Repository.root().resolve("../shared/ciliumnode-examples");

  private static final ObjectMapper MAPPER = new ObjectMapper();

  static Stream<Path> manifests() throws IOException {
    List<Path> files = new ArrayList<>(manifestsIn(OWN));
    if (Files.isDirectory(OTHER)) {
      files.addAll(manifestsIn(OTHER));
    }
    return files.stream();
  }

  private static List<Path> manifestsIn(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(each -> each.toString().endsWith(".yaml")).sorted().toList();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("manifests")
  @DisplayName("N5 NM-J1 a manifest is read whole and printed with the same keys and values")
  void roundTrip(Path path) throws IOException {
    String text = Files.readString(path);
    NodeResource node = node(path, text);
    Object plain = new Load(LoadSettings.builder().build()).loadFromString(text);
    assertThat(MAPPER.readTree(NodeResourceJson.print(node)).toString())
        .isEqualTo(MAPPER.valueToTree(plain).toString());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("manifests")
  @DisplayName("its numbers are those that its name says, and writing what it says changes nothing")
  void content(Path path) throws IOException {
    NodeResource node = node(path, Files.readString(path));
    String name = path.getFileName().toString();
    assertThat(node.pool().size()).isEqualTo(number("pool", name).orElseThrow());
    assertThat(node.used().size()).isEqualTo(number("used", name).orElseThrow());
    assertThat(count(node, HandshakeState.MARKED_FOR_RELEASE))
        .isEqualTo(number("marked-for-release-", name).orElse(0));
    assertThat(count(node, HandshakeState.RELEASED)).isEqualTo(number("released-", name).orElse(0));
    assertThat(node.cloudSections()).containsExactly(name.startsWith("azure") ? "azure" : "eni");
    assertThat(node.instanceId()).isPresent();
    assertThat(node.withPool(node.pool())).isSameAs(node);
    assertThat(node.withReleaseIps(node.releaseIps())).isSameAs(node);
    assertThat(node.withUsed(node.usedEntries())).isSameAs(node);
    assertThat(node.eniStatus().map(node::withEniStatus).orElse(node)).isSameAs(node);
    assertThat(node.eniSpec().map(node::withEniSpec).orElse(node)).isSameAs(node);
  }

  private static NodeResource node(Path path, String text) {
    ManifestFile<NodeResource> file =
        ManifestFile.read(
            ManifestKind.CILIUM_NODE,
            path.toString(),
            ManifestFile.UNKNOWN,
            text.getBytes(StandardCharsets.UTF_8));
    assertThat(file.readable()).isTrue();
    assertThat(file.problems()).isEmpty();
    assertThat(file.objects())
        .singleElement()
        .satisfies(each -> assertThat(each.problems()).isEmpty());
    return file.objects().get(0).found().orElseThrow();
  }

  private static long count(NodeResource node, HandshakeState state) {
    return node.releaseIps().values().stream().filter(state::equals).count();
  }

  private static OptionalInt number(String label, String name) {
    Matcher matcher = Pattern.compile("-" + label + "(\\d+)").matcher(name);
    return matcher.find()
        ? OptionalInt.of(Integer.parseInt(matcher.group(1)))
        : OptionalInt.empty();
  }
}
