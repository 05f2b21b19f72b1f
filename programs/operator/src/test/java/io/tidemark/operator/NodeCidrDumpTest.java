package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.operator.Program.Result;
import io.tidemark.testing.Hang;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("tidemark node-cidr plan --nodes")
class NodeCidrDumpTest {
  private static final String RANGE = "--cluster-cidr=10.244.0.0/16";

  @TempDir private Path directory;

  private static String resource(String name) {
    return Reports.recorded("/node-cidr/" + name);
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private static Result plan(String input, String words) {
    return Program.runWithInput(input, ("node-cidr plan " + words).split(" ", -1));
  }

  @DisplayName("NC-AM32 prints what src/test/resources/node-cidr holds, as text and as JSON")
  @ParameterizedTest(name = "{1}: {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nodes-sound.json    | dump-sound     | 0 | --cluster-cidr=10.244.0.0/16
          nodes-findings.yaml | dump-findings  | 3 | --cluster-cidr=10.244.0.0/16,fd00:10:244::/48 --service-cluster-ip-range=10.244.128.0/20 --exclude-cidrs=10.244.7.0/24
          nodes-sound.json    | dump-exhausted | 3 | --cluster-cidr=10.244.0.0/22 --exclude-cidrs=10.244.3.0/24 --count=3
          nodes-sound.json    | dump-finer     | 3 | --cluster-cidr=10.244.0.0/16 --node-cidr-mask-size=26
          nodes-sound.json    | dump-leaks     | 3 | --cluster-cidr=10.244.0.0/16 --metrics=METRICS
          ciliumnodes.yaml    | dump-pool      | 3 | --ipam=cluster-pool --cluster-pool-ipv4-cidr=10.0.0.0/24,10.0.1.0/24 --cluster-pool-ipv4-mask-size=26 --cluster-pool-ipv6-cidr=fd00::/104
          ciliumnodes.yaml    | dump-kind      | 3 | --cluster-cidr=10.244.0.0/16
          """)
  void asRecorded(String dump, String name, int exitCode, String words) throws IOException {
    String options =
        "--nodes=- " + words.replace("METRICS", file("m", resource("metrics.txt")).toString());
    Result text = plan(resource(dump), options);
    Result json = plan(resource(dump), options + " --output=json");

    Reports.assertRecorded("/node-cidr/" + name, exitCode, text, json);
    assertThat(Reports.nodeCidrPlan(json).get("nodes")).isNotEmpty();
  }

  @Test
  @DisplayName("NC-AM32 reads files and directories, and grants nothing beside what it refuses")
  void files() throws IOException {
    Path one = file("one.json", resource("nodes-sound.json"));
    Result file = plan("", RANGE + " --nodes=" + one).ends(0);
    assertThat(file.out()).isEqualToNormalizingNewlines(resource("dump-sound.txt"));

    Path two = file("two.yaml", "kind: Node\nmetadata:\n  name: worker-a\n");
    Result both = plan("", RANGE + " --output=json --nodes=" + directory).ends(3);
    JsonNode nodes = Reports.nodeCidrPlan(both).get("nodes");
    assertThat(nodes.get("grants")).isEmpty();
    assertThat(nodes.at("/refused").findValuesAsText("file"))
        .containsExactly(one.toString(), two.toString());
    String twice = "the name worker-a is defined in both " + one + " and " + two + ":1";
    assertThat(nodes.at("/refused").findValuesAsText("problem"))
        .containsExactly(twice, "line 1: " + twice);
  }

  @DisplayName("NC-AM39 ends with 3 on a dump that cannot be read, and says what to do")
  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          NAME   STATUS   ROLES\\nnode-a   Ready   <none>  | refused: standard input:1: the text is a table as kubectl prints it, and has no objects. Print the objects with kubectl get -o yaml or -o json.
          items:\\n- kind: Node\\n  metadata: {name: a}\\n | refused: standard input:1: kind: the kind is missing; the list may be cut off.
          ''                                               | refused: standard input:1: the file is empty.
          kind: List\\nitems: []                           | refused: standard input: holds no Node. Write the objects there with kubectl get nodes -o yaml.
          kind: Pod\\nmetadata: {name: a}                  | refused: standard input:1: kind: the kind is Pod, not Node.
          """)
  void badDumps(String input, String problem) {
    assertThat(plan(input.replace("\\n", "\n"), RANGE + " --nodes=-").ends(3).out())
        .contains("0 nodes in the dump", "not planned: objects were refused")
        .contains(problem);
  }

  @Test
  @DisplayName("NC-AM39 ends with 2 on places that cannot be read and on metrics without usage")
  void badPlaces() throws IOException {
    Path missing = directory.resolve("missing");
    Path none =
        file("none", "cilium_operator_ipam_k8s_sync_queued_total 4\nprocess_cpu_seconds_total 2\n");
    Path bytes = Files.write(directory.resolve("bytes"), new byte[] {(byte) 0xff});
    assertRefused("--nodes=" + missing, "TM-1102 STORE_UNREADABLE: " + missing + " cannot be read");
    assertRefused("--metrics=" + none, "--metrics is compared with nodes; give --nodes as well");
    assertRefused(
        "--nodes=- --metrics=" + none,
        none + " has no sample of node_ipam_controller_cidrset_usage_cidrs");
    assertRefused("--nodes=- --metrics=" + missing, missing + " cannot be read: it does not exist");
    assertRefused("--nodes=- --metrics=" + bytes, bytes + " is not UTF-8 text");
  }

  private static void assertRefused(String words, String problem) {
    Result result = plan("", RANGE + " " + words).ends(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).startsWith("tidemark: TM-1").contains(problem);
  }

  @Test
  @Timeout(Hang.SECONDS)
  @DisplayName("NC-AM32 plans for 10,000 nodes of a dump in a few seconds")
  void large() {
    String item =
        """
        {"apiVersion":"v1","kind":"Node","metadata":{"name":"node-%d","uid":"u%d","labels":{"a":"b"},
        "creationTimestamp":"2026-05-01T08:00:00Z"},"spec":{%s},
        "status":{"conditions":[{"type":"Ready","status":"True"}],"images":[{"names":["i"]}]}}
        """;
    String dump =
        IntStream.range(0, 10_000)
            .mapToObj(i -> item.replace("%d", "" + i).replace("%s", i < 5_000 ? cidr(i) : ""))
            .collect(Collectors.joining(",", "{\"kind\":\"List\",\"items\":[", "]}"));
    Result result = plan(dump, "--cluster-cidr=10.0.0.0/8 --nodes=- --output=json").ends(0);

    assertThat(Reports.tree(result).at("/nodes/grants")).hasSize(5_000);
  }

  private static String cidr(int index) {
    String block = "\"10." + index / 256 + "." + index % 256 + ".0/24\"";
    return "\"podCIDR\":" + block + ",\"podCIDRs\":[" + block + "]";
  }
}
