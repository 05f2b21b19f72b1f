package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.operator.Program.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("run --once")
class RunOnceTest {
  private final Path directory;
  private final Manifests manifests;

  RunOnceTest(@TempDir Path directory) {
    this.directory = directory;
    this.manifests = new Manifests(directory);
  }

  @BeforeEach
  void twoNodes() {
    manifests
        .with("a.yaml", Manifests.fresh("worker-a"))
        .with("b.yaml", Manifests.node("worker-b", "min-allocate: 12"));
  }

  private Result runOnce(String... more) {
    return manifests.run("run --provider=mock --once", more);
  }

  @Test
  @DisplayName("brings fresh nodes to their watermarks and writes pool and status back")
  void reachesWaterMarks() {
    Result result = runOnce().ends(0);

    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .startsWith("NODE      USED  AVAILABLE  NEEDED  EXCESS  INTERFACES  STATE  REASON\n")
        .contains("worker-a     0          8       0       0           1  ok     -\n")
        .contains("worker-b     0         12       0       0           2  ok     -\n")
        .contains("calls: AssignPrivateIpAddresses ");
    assertThat(manifests.read("a.yaml"))
        .startsWith("apiVersion: cilium.io/v2\n")
        .contains("    pre-allocate: 8\n", "    pool:\n", "status:\n  eni:\n    enis:\n");
  }

  @Test
  @DisplayName("changes no byte the second time, and leaves no lock behind")
  void secondRun() {
    runOnce();
    Map<String, String> first = manifests.content();

    Result second = runOnce().ends(0);

    assertThat(manifests.content()).isEqualTo(first);
    assertThat(second.out()).doesNotContain("AssignPrivateIpAddresses");
    assertThat(directory).isDirectoryNotContaining(file -> file.toString().contains("lock"));
  }

  /** On one file, whose text this returns. */
  private String runOnFile(Path file, String text, String... names) throws IOException {
    Files.writeString(file, text);
    Result result =
        Program.run(Program.arguments("run --provider=mock --once", "--nodes=" + file)).ends(0);
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).contains(names).doesNotContain("worker-a");
    return Files.readString(file);
  }

  @Test
  @DisplayName("takes a single file, and a list as kubectl prints it")
  void listFile() throws Exception {
    String items =
        (Manifests.fresh("worker-c") + Manifests.fresh("worker-d"))
            .replaceAll("(?m)^", "    ")
            .replace("    # worker-c\n    apiVersion", "  - apiVersion")
            .replace("    # worker-d\n    apiVersion", "  - apiVersion");
    String list = "apiVersion: v1\nkind: List\nitems:\n" + items.stripTrailing() + "\n";

    assertThat(runOnFile(directory.resolve("list.yaml"), list, "worker-c", "worker-d"))
        .contains("kind: List", "pool:");
  }

  @Test
  @DisplayName("ends when the last of many nodes of one file is written")
  void longList() throws Exception {
    StringBuilder documents = new StringBuilder();
    for (int i = 0; i < 60; i++) {
      documents.append(Manifests.fresh("worker-" + (100 + i))).append("---\n");
    }
    String written = runOnFile(directory.resolve("list.yaml"), documents.toString(), "worker-159");

    assertThat(written.split("\n    pool:", -1)).hasSize(61);
  }

  @Test
  @DisplayName("goes on from what a live node's status shows")
  void continuesFromStatus() {
    runOnce();
    String grown = manifests.read("a.yaml").replace("pre-allocate: 8", "pre-allocate: 9");
    String before = grown.replaceFirst("(?s).*status:", "");
    manifests.with("a.yaml", grown);

    Result result = runOnce("--output=json");

    assertThat(Reports.node(result, "worker-a").get("available").asInt()).isEqualTo(9);
    assertThat(Reports.calls(result)).containsEntry("AssignPrivateIpAddresses", 1);
    String address =
        before.lines().filter(line -> line.contains("- 10.")).findFirst().orElseThrow();
    assertThat(manifests.read("a.yaml")).contains(address);
  }

  @Test
  @DisplayName("with release on waits out the delay, marks surplus, and is done")
  void marksSurplus() {
    runOnce();
    manifests.with(
        "a.yaml", manifests.read("a.yaml").replace("pre-allocate: 8", "pre-allocate: 2"));

    Result marking =
        runOnce("--release-excess-ips", "--excess-ip-release-delay=300ms", "-ojson").ends(0);
    Map<String, String> marked = manifests.content();

    assertThat(Reports.node(marking, "worker-a").get("state").asText()).isEqualTo("releasing");
    assertThat(Reports.node(marking, "worker-a").get("available").asInt()).isEqualTo(8);
    assertThat(marked.get("a.yaml")).contains("release-ips:").contains(": marked-for-release");

    runOnce("--release-excess-ips", "--excess-ip-release-delay=300ms").ends(0);
    assertThat(manifests.content()).isEqualTo(marked);
  }

  @Test
  @DisplayName("ends with 3 when a node waits for a person, and says why and what to do")
  void blocked() {
    manifests.with("a.yaml", Manifests.subnetless("worker-a"));

    assertThat(runOnce().ends(3).out())
        .contains("worker-a     0          0       8       0           1  blocked  TM-1202")
        .contains("worker-a: TM-1202 NO_SUBNET: no subnet matches VPC vpc-1, zone eu-central-1a")
        .contains("Select a subnet with free addresses")
        .contains("worker-b     0         12       0       0           2  ok       -");
  }

  @Test
  @DisplayName("ends with 4 when it is not finished in time, and reports how far it came")
  void timeout() {
    Result result =
        runOnce("--timeout=3s", "--mock-faults=AssignPrivateIpAddresses=throttle", "-ojson")
            .ends(4);

    assertThat(result.err()).contains("not finished within 3 s");
    assertThat(Reports.run(result).get("nodes")).allSatisfy(RunOnceTest::isFilling);
  }

  @Test
  @DisplayName("ends with 1 when it is told to end before, and blames no instance it did not see")
  void toldToEnd() throws Exception {
    Program program =
        manifests.start(
            "run --provider=mock --once --mock-latency=10m --stop-within=300ms --log-level=info");

    Result result = program.stop().ends(1);

    assertThat(result.err()).contains("tidemark: stopped before all work was done");
    assertThat(result.out()).doesNotContain("TM-1210");
  }

  private static void isFilling(JsonNode node) {
    assertThat(node.get("state").asText()).isIn("filling", "incomplete", "blocked");
    assertThat(node.get("available").asInt()).isZero();
  }
}
