package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.operator.Program.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("run --ipam=node-id on a folder of Nodes")
class NodeIdRunTest extends NodesRunContract {
  private static final String RANGES =
      " --ipam=node-id --node-id-interconnect-cidr=192.168.16.0/24 --node-id-cool-down=0";

  NodeIdRunTest(@TempDir Path directory) {
    super(directory, RANGES);
  }

  @Override
  String logged(String node) {
    int id = node.equals("n9") ? 4 : 3;
    return "Node. node=" + node + " state=assigned id=" + id + " podSubnet=10.1." + id + ".0/24";
  }

  @Override
  String measured() {
    return "tidemark_node_id_nodes{state=\"assigned\"} 4.0";
  }

  /** Names of the files of claims. */
  private Set<String> claims() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("claims"))) {
      Set<String> names = new TreeSet<>();
      files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.startsWith("."))
          .forEach(names::add);
      return names;
    }
  }

  /** Makes a claim as another program does. */
  private void claim(String name, String holder) throws IOException {
    Path claims = Files.createDirectories(directory.resolve("claims"));
    Files.writeString(
        claims.resolve(name + ".json"),
        """
        {"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"NAME","uid":"u",
         "labels":{"app.kubernetes.io/managed-by":"tidemark"}},"spec":{"holderIdentity":"HOLDER"}}
        """
            .replace("NAME", name)
            .replace("HOLDER", holder));
  }

  @Test
  @DisplayName("NI-35 nodes claim ids, the oldest first, and show them; nothing else changes")
  void once() throws Exception {
    Map<String, String> before = manifests.content();

    assertThat(manifests.runsInOrder("run --once" + RANGES).out())
        .isEqualTo(
            """
            NODE      ID  PODSUBNET    STATE     REASON
            worker-a   2  10.1.2.0/24  assigned  -
            worker-b   3  10.1.3.0/24  assigned  -
            worker-c   1  10.1.1.0/24  assigned  -
            calls: annotateNode 3, createClaim 3, listClaims 1
            """);
    assertThat(claims()).containsExactly("node-id-1.json", "node-id-2.json", "node-id-3.json");
    assertThat(Files.readString(directory.resolve("claims/node-id-2.json")))
        .contains("\"holderIdentity\": \"worker-a\"", "\"kind\": \"Lease\"");
    String shown = manifests.read("worker-a.yaml");
    assertThat(shown)
        .contains("tidemark.io/node-id: \"2\"", "\"podSubnet\":\"10.1.2.0/24\"")
        .doesNotContain("podCIDR");
    assertThat(shown.replaceAll("(?m)^ +(annotations:|tidemark.io/).*\n", ""))
        .isEqualTo(before.getOrDefault("worker-a.yaml", "").replaceFirst("^#.*\n", ""));
  }

  @Test
  @DisplayName("NI-35 --dry-run, status and explain show what would be done, and change nothing")
  void readOnly() throws Exception {
    claim("node-id-3", "worker-c");
    Map<String, String> before = manifests.content();

    Result plan = manifests.run("run --dry-run --output=json" + RANGES);
    Result text = manifests.run("status" + RANGES).ends(0);
    JsonNode status = Reports.status(manifests.run("status --output=json" + RANGES));
    Result explained = manifests.run("explain worker-b" + RANGES);
    JsonNode explanation = Reports.explanation(manifests.run("explain worker-c -ojson" + RANGES));

    assertThat(Reports.node(plan, "worker-a").get("plan").asText()).isEqualTo("claim id 1");
    assertThat(Reports.node(plan, "worker-a").get("id").isNull()).isTrue();
    assertThat(Reports.calls(plan)).isEmpty();
    assertThat(text.out())
        .startsWith("3 nodes: 3 waiting\n")
        .containsPattern("worker-c +3 +10.1.3.0/24 +waiting");
    assertThat(status.at("/nodes/1/plan").asText()).isEqualTo("claim id 2");
    assertThat(status.at("/summary/provider").asText()).isEqualTo("node-id");
    assertThat(explained.out())
        .startsWith("node worker-b is waiting\n")
        .contains("plan: claim id 2\n", "what you can do: nothing is wrong");
    assertThat(explanation.at("/plan").asText()).isEqualTo("write what follows from id 3");
    assertThat(explanation.at("/numbers/nodeAddress").asText()).isEqualTo("192.168.16.3/24");
    assertThat(manifests.content()).isEqualTo(before);
  }

  @Test
  @DisplayName("NI-AM16 ends with 3 when no id is left, and names the range and the remedy")
  void exhausted() {
    Result result =
        manifests.run("run --once --node-id-overlay-cidr=192.168.30.0/30" + RANGES).ends(3);

    assertThat(result.out())
        .containsPattern("worker-b +- +- +parked +TM-1501")
        .contains("worker-b: TM-1501 NODE_ID_EXHAUSTED: all 2 ids of overlay 192.168.30.0/30")
        .contains("Widen the range named");
    assertThat(
            manifests.run("explain worker-b --node-id-overlay-cidr=192.168.30.0/30" + RANGES).out())
        .contains("node worker-b is parked", "blocked: TM-1501", "what you can do: Widen");
  }

  @Test
  @DisplayName("NI-35 claims with the name of no id, or without a holder, are reported and kept")
  void oddClaims() throws Exception {
    claim("node-id-0", "worker-a");
    claim("node-id-1", "");

    assertThat(manifests.run("run --once" + RANGES).ends(3).out())
        .contains("refused: claim node-id-0: its name is that of no id. Delete the claim")
        .contains("refused: claim node-id-1: it names no node. ")
        .containsPattern("worker-c +2 .*assigned");
    assertThat(claims()).contains("node-id-0.json", "node-id-1.json");
  }

  @Test
  @DisplayName("NI-35 takes one file, a List, and a node without uid; claims are beside the file")
  void oneFile() throws Exception {
    Path file = Files.createDirectory(directory.resolve("one")).resolve("list.yaml");
    Files.writeString(
        file,
        "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Node, metadata: {name: n}}\n");
    Files.setLastModifiedTime(file, FileTime.fromMillis(0)); // read at once

    Result one = Program.run(Program.arguments("run --once" + RANGES, "--nodes=" + file)).ends(0);

    assertThat(one.out()).containsPattern("n +1 +10.1.1.0/24 +assigned");
    assertThat(file.resolveSibling("claims").resolve("node-id-1.json")).exists();
  }

  @Test
  @DisplayName("NI-AM15 keys of other modes are refused in own places and ignored in shared ones")
  void foreignKeys() throws Exception {
    Path shared =
        shared(
            "ipam=node-id",
            "podSubnetCIDR=10.8.0.0/16",
            "cluster-cidr=10.244.0.0/16",
            "cluster-pool-ipv4-mask-size=25",
            "parallel-alloc-workers=7",
            "eni-tags=a=b");

    Result own =
        manifests
            .run("run --once --parallel-alloc-workers=7 --cluster-cidr=10.0.0.0/8" + RANGES)
            .ends(2);
    Result other = manifests.run("run --once --provider=mock --node-id-cool-down=1m");
    Result cidrs =
        manifests.run(
            "run --once --ipam=kubernetes --allocate-node-cidrs --cluster-cidr=10.0.0.0/8"
                + " --node-id-cool-down=1m");
    Result config = Program.run("config", "--config-dir=" + shared, "--output=json").ends(0);

    assertThat(own.err())
        .contains("parallel-alloc-workers is a setting of ipam=eni or azure")
        .contains("cluster-cidr is a setting of ipam=kubernetes", "TM-1007 CONFIG_FOREIGN_KEY");
    assertThat(other.err()).contains("node-id-cool-down is a setting of ipam=node-id");
    assertThat(cidrs.err()).contains("node-id-cool-down is a setting of ipam=node-id");
    JsonNode told = Reports.settings(config);
    assertThat(told.at("/ipam/name").asText()).isEqualTo("node-id");
    assertThat(told.get("ignored").findValuesAsText("key"))
        .containsExactly(
            "cluster-cidr", "cluster-pool-ipv4-mask-size", "eni-tags", "parallel-alloc-workers");
    assertThat(told.get("settings").findValuesAsText("key"))
        .contains("node-id-cool-down", "allocate-node-cidrs", "operator-k8s-client-qps")
        .doesNotContain("backoff-base", "provider", "cluster-cidr");
    assertThat(told.toString()).contains("10.8.0.0/16");
  }

  @Test
  @DisplayName("NI-AM16 ids and claims are measured")
  void metrics() throws Exception {
    Program program = manifests.start("run --port=0" + RANGES);
    program.awaitErr(logged("worker-b"));

    program.awaitMetrics(
        "tidemark_node_id_ids{state=\"claimed\"} 3.0",
        "tidemark_node_id_ids{state=\"never\"} 251.0",
        "tidemark_node_id_conflicts 0.0",
        "tidemark_node_id_claim_duration_seconds_count 3");
    assertThat(program.stop().exitCode()).isZero();
  }
}
