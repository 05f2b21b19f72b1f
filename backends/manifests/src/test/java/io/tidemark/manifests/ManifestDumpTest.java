package io.tidemark.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.resource.ResourceProblem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A dump of nodes")
class ManifestDumpTest {
  private static final String NODE = "apiVersion: v1\nkind: Node\nmetadata:\n  name: %s\n";

  @TempDir private Path directory;

  private static InputStream in(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> shown(ManifestDump<?> dump) {
    return dump.refused().stream().map(ManifestDumpTest::shown).toList();
  }

  private List<String> names(String place, String in) {
    return ManifestDump.nodes(place, in(in)).objects().stream().map(ClusterNode::name).toList();
  }

  private static String shown(ResourceProblem problem) {
    return "%s: %s: %s. %s"
        .formatted(problem.where(), problem.path(), problem.problem(), problem.remedy());
  }

  @Test
  @DisplayName(
      "NC-AM32 is a directory, a file, or the standard input; one object or a list of them")
  void places() throws IOException {
    Files.writeString(directory.resolve("one.yaml"), NODE.replace("%s", "b"));
    Files.writeString(
        directory.resolve("two.json"),
        "{\"kind\":\"NodeList\",\"items\":[{\"metadata\":{\"name\":\"a\"}}]}");
    Files.writeString(directory.resolve("notes.txt"), "none");
    String list = "items:\n- kind: Node\n  metadata: {name: c}\nkind: List\n";
    String cilium =
        NODE.replace("%s", "d").replace("v1", "cilium.io/v2").replace("Node", "CiliumNode")
            + "spec: {}\n";

    assertThat(names(directory.toString(), "")).containsExactly("a", "b");
    assertThat(names(directory.resolve("two.json").toString(), "")).containsExactly("a");
    assertThat(names("-", list)).containsExactly("c");
    assertThat(ManifestDump.ciliumNodes("-", in(cilium)).refused()).isEmpty();
  }

  @DisplayName("NC-AM39 that cannot be read is refused with its place and what to do")
  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          NAME       STATUS   ROLES    AGE\\nworker-a   Ready    <none>   5d     | standard input:1: : the text is a table as kubectl prints it, and has no objects. Print the objects with kubectl get -o yaml or -o json.
          ''                                                                     | standard input:1: : the file is empty. Put a Node into it, or remove the file.
          apiVersion: v1\\nitems: []\\nkind: List\\n                             | standard input: : holds no Node. Write the objects there with kubectl get nodes -o yaml.
          apiVersion: v1\\nitems:\\n- kind: Node\\n  metadata:\\n    name: a\\n  | standard input:1: kind: the kind is missing; the list may be cut off. Keep only objects of kind Node (apiVersion v1) in this place.
          kind: Node\\nmetadata: {name: a                                       | standard input:2: : not YAML: expected ',' or '}', but got <stream end>. Correct the text; if another program is still writing the file, it is read again automatically.
          kind: Pod\\nmetadata: {name: a}                                        | standard input:1: kind: the kind is Pod, not Node. Keep only objects of kind Node (apiVersion v1) in this place.
          kind: Node\\nmetadata: {}                                              | standard input:2: metadata.name: the name is missing or not a string. Write the Kubernetes node's name there.
          kind: Node\\nmetadata: {name: a}\\nspec:\\n  podCIDRs: 10.0.0.0/24     | standard input:4: spec.podCIDRs: is not a list. Write it as the Kubernetes API does, or leave it out.
          No resources found                                                     | standard input:1: : is not an object. Keep only objects of kind Node (apiVersion v1) in this place.
          """)
  void refused(String text, String problem) {
    ManifestDump<ClusterNode> dump = ManifestDump.nodes("-", in(text.replace("\\n", "\n")));
    assertThat(dump.objects()).isEmpty();
    assertThat(shown(dump)).containsExactly(problem);
  }

  @Test
  @DisplayName("NC-AM39 of JSON that is cut off is refused, in a file and in the standard input")
  void cutOff() throws IOException {
    String cut =
        "{\"kind\":\"List\",\"items\":[{\"kind\":\"Node\",\"metadata\":{\"name\":\"a\"}},{\"ki";
    Path file = directory.resolve("nodes.json");
    Files.writeString(file, cut);

    assertThat(shown(ManifestDump.nodes(file.toString(), in(""))))
        .singleElement()
        .asString()
        .startsWith(file + ":1: : not JSON: Unexpected end-of-input");
    assertThat(shown(ManifestDump.nodes("-", in(cut))))
        .singleElement()
        .asString()
        .startsWith("standard input:1: : not YAML: ");
  }

  @Test
  @DisplayName("NC-AM39 with a name twice refuses both")
  void twice() throws IOException {
    Path one = directory.resolve("one.yaml");
    Path two = directory.resolve("two.yaml");
    Files.writeString(one, NODE.replace("%s", "a"));
    Files.writeString(two, NODE.replace("%s", "b") + "---\n" + NODE.replace("%s", "a"));

    ManifestDump<ClusterNode> dump = ManifestDump.nodes(directory.toString(), in(""));

    assertThat(dump.objects()).extracting(ClusterNode::name).containsExactly("b");
    assertThat(dump.refused())
        .extracting(ResourceProblem::where)
        .containsExactly(one + ":1", two + ":6");
    assertThat(dump.refused())
        .extracting(ResourceProblem::problem)
        .containsOnly("the name a is defined in both " + one + ":1 and " + two + ":6");
  }

  @Test
  @DisplayName("NC-AM39 that is not there, no text, or too large is refused")
  void unreadable() throws IOException {
    Path missing = directory.resolve("missing");
    assertThatThrownBy(() -> ManifestDump.nodes(missing.toString(), in("")))
        .hasMessageStartingWith(
            "TM-1102 STORE_UNREADABLE: " + missing + " cannot be read: it does not exist. Check");
    byte[] bytes = {(byte) 0xff, (byte) 0xfe};
    assertThat(ManifestDump.nodes("-", new ByteArrayInputStream(bytes)).refused())
        .extracting(ResourceProblem::problem)
        .containsExactly("the file is not UTF-8 text");
    assertThatThrownBy(() -> ManifestDump.read(ManifestKind.NODE, "-", in("x".repeat(9)), 8))
        .hasMessageStartingWith("TM-1102 STORE_UNREADABLE: - cannot be read: the file is larger");
    Path file = Files.writeString(directory.resolve("x.yaml"), "x".repeat(9));
    assertThat(ManifestDump.read(ManifestKind.NODE, file.toString(), in(""), 8).refused())
        .extracting(ResourceProblem::problem)
        .containsExactly("cannot be read: the file is larger than 0 MiB");
  }

  @DisplayName(
      "NI-36 has the internal addresses of nodes, and passes over entries of another shape")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {addresses: [{type: InternalIP, address: 10.0.0.1}, {address: h, type: Hostname}, {address: "fd00::1", type: InternalIP, x: [1]}]} | 10.0.0.1 fd00::1
          {conditions: [{type: Ready}], addresses: [x, [y], {type: [InternalIP], address: 1}, {type: InternalIP}]}                            | ''
          {addresses: {type: InternalIP}}                                                                                                    | ''
          {addresses: []}                                                                                                                    | ''
          {}                                                                                                                                 | ''
          x                                                                                                                                  | ''
          """)
  void addresses(String status, String expected) {
    String text = NODE.replace("%s", "a") + "spec: {}\nstatus: " + status + "\n";
    ManifestDump<String> dump =
        ManifestDump.addressedNodes(
            "-", in(text), (node, ips) -> node.name() + ": " + String.join(" ", ips));
    if (status.equals("x")) {
      assertThat(dump.refused())
          .extracting(ResourceProblem::problem)
          .containsExactly("is not an object");
    } else {
      assertThat(dump.objects()).containsExactly("a: " + expected);
    }
  }
}
