package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.operator.Program.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The tests of every mode that gives something to the Nodes of a folder. */
abstract class NodesRunContract {
  private static final String NODE =
      "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n9\"}}";

  final Path directory;
  final Manifests manifests;
  private final String mode;

  /**
   * On a copy of {@code examples/cluster-nodes}.
   *
   * @param mode options that choose it, with ranges for a hundred nodes and more
   */
  NodesRunContract(Path directory, String mode) {
    this.directory = directory;
    this.manifests = new Manifests(directory).withExamples("cluster-nodes");
    this.mode = mode;
  }

  /** Settings that are shared with other programs, {@code key=value} each. */
  final Path shared(String... settings) throws IOException {
    Path shared = Files.createDirectory(directory.resolve("cilium-config"));
    for (String each : settings) {
      String[] parts = each.split("=", 2);
      Files.writeString(shared.resolve(parts[0]), parts[1]);
    }
    return shared;
  }

  /** The program's log line of node n9 of the sequence when it has everything. */
  abstract String logged(String node);

  /** Something that the metrics say of four nodes that have everything. */
  abstract String measured();

  @Test
  @DisplayName("NC-AM31 NI-35 a second run changes no byte, and leaves no lock behind")
  final void secondRun() {
    manifests.run("run --once" + mode);
    Map<String, String> first = manifests.content();

    Result second = manifests.run("run --once --output=json" + mode).ends(0);

    assertThat(manifests.content()).isEqualTo(first);
    assertThat(Reports.calls(second).keySet()).isSubsetOf("listClaims");
    assertThat(Reports.node(second, "worker-b").get("state").asText()).isEqualTo("assigned");
    assertThat(directory).isDirectoryNotContaining(file -> file.toString().contains("lock"));
  }

  @Test
  @DisplayName("NC-AM31 NI-35 an unknown name is refused, with those that there are")
  final void unknown() {
    assertThat(manifests.run("explain worker-x" + mode).ends(2).err())
        .contains("TM-1023", "worker-a, worker-b, worker-c");
  }

  @Test
  @DisplayName("ends with 3 when the place holds no Node, or objects of another kind")
  final void noNodes() throws Exception {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    manifests.with("z.yaml", Manifests.fresh("cilium"));

    Result none = Program.run(Program.arguments("run --once" + mode, "--nodes=" + empty)).ends(3);
    Result other = manifests.run("run --once" + mode).ends(3);

    assertThat(none.out()).contains("holds no Node");
    assertThat(other.out())
        .contains("refused: ", "CiliumNode")
        .containsPattern("worker-a .*assigned");
  }

  @Test
  @DisplayName(
      "NC-AM31 NI-35 NI-AM16 runs on until it is stopped: new nodes are served, logged, measured")
  final void runsOn() throws Exception {
    Program program = manifests.start("run --port=0" + mode);
    program.awaitErr(logged("worker-b"));
    manifests.with("new.json", NODE);
    program.awaitErr(logged("n9"));

    assertThat(program.ask("/readyz").body()).isEqualTo("ready\n");
    JsonNode status = Reports.status(program.ask("/status").body());
    assertThat(status.at("/summary/nodes").asInt()).isEqualTo(4);
    try (PageStream stream = PageStream.open(program.awaitPort())) {
      JsonNode snapshot = stream.next("snapshot");
      assertThat(snapshot.get("nodes")).hasSize(4);
      assertThat(snapshot.at("/facts/summary/kind").asText()).isEqualTo("Node");
      assertThat(snapshot.at("/facts/cloud/subnets").isNull()).isTrue();
      assertThat(snapshot.at("/nodes/0/columns/0").asText()).isIn("podCIDRs", "id");
    }
    program.awaitMetrics(measured());
    Files.delete(directory.resolve("new.json"));
    program.awaitErr("Node gone. node=n9");
    assertThat(program.stop().ends(0).out()).containsPattern("worker-b .*assigned");
  }
}
