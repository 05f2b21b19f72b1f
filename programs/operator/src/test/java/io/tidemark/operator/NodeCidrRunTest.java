package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.operator.Program.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("run --ipam=kubernetes on a folder of Nodes")
class NodeCidrRunTest extends NodesRunContract {
  private static final String MODE = " --ipam=kubernetes --allocate-node-cidrs";
  private static final String RANGE = MODE + " --cluster-cidr=10.244.0.0/16";

  NodeCidrRunTest(@TempDir Path directory) {
    super(directory, RANGE);
  }

  @Override
  String logged(String node) {
    String cidr = node.equals("n9") ? "10.244.3.0/24" : "10.244.2.0/24";
    return "Node. node=" + node + " state=assigned podCIDRs=" + cidr + " reason=-";
  }

  @Override
  String measured() {
    return "tidemark_node_cidr_nodes{state=\"assigned\"} 4.0";
  }

  @Test
  @DisplayName("NC-AM31 gives CIDRs to the nodes without any and changes nothing else, not a byte")
  void once() {
    Map<String, String> expected = manifests.content();

    assertThat(manifests.runsInOrder("run --once" + RANGE).out())
        .isEqualTo(
            """
            NODE      PODCIDRS       STATE     REASON
            worker-a  10.244.1.0/24  assigned  -
            worker-b  10.244.2.0/24  assigned  -
            worker-c  10.244.0.0/24  assigned  -
            calls: assign pod CIDRs 2
            """);
    String cidr = "  podCIDR: 10.244.N.0/24\n  podCIDRs:\n  - 10.244.N.0/24\n";
    expected.computeIfPresent(
        "worker-a.yaml", (file, text) -> text.replaceFirst("^#.*\n", "") + cidr.replace("N", "1"));
    expected.computeIfPresent(
        "worker-b.yaml", (file, text) -> text.replaceFirst("^#.*\n", "") + cidr.replace("N", "2"));
    assertThat(manifests.content()).isEqualTo(expected);
  }

  @Test
  @DisplayName("NC-AM31 --dry-run, status and explain show what would be done, and change nothing")
  void readOnly() {
    Map<String, String> before = manifests.content();

    Result plan = manifests.run("run --dry-run --output=json" + RANGE);
    Result text = manifests.run("status" + RANGE).ends(0);
    JsonNode status = Reports.status(manifests.run("status --output=json" + RANGE));
    Result explained = manifests.run("explain worker-b" + RANGE);
    JsonNode explanation = Reports.explanation(manifests.run("explain worker-c -ojson" + RANGE));

    assertThat(Reports.node(plan, "worker-a").get("plan").asText())
        .isEqualTo("assign 10.244.1.0/24");
    assertThat(Reports.calls(plan)).isEmpty();
    assertThat(text.out())
        .startsWith("3 nodes: 1 assigned, 2 waiting\n")
        .contains("worker-c  10.244.0.0/24  assigned  -");
    assertThat(status.at("/nodes/1/plan").asText()).isEqualTo("assign 10.244.2.0/24");
    assertThat(status.at("/summary/provider").asText()).isEqualTo("kubernetes");
    assertThat(explained.out())
        .startsWith("node worker-b is waiting\n")
        .contains("plan: assign 10.244.2.0/24\n", "what you can do: nothing is wrong");
    assertThat(explanation.at("/numbers/podCIDRs").asText()).isEqualTo("10.244.0.0/24");
    assertThat(manifests.content()).isEqualTo(before);
  }

  @Test
  @DisplayName("NC-AM31 takes one file, a List, and nodes without uid, whose name is the owner")
  void list() throws Exception {
    Path file = directory.resolve("list.yaml");
    manifests.with(
        "list.yaml",
        """
        apiVersion: v1
        kind: List
        items:
        - {apiVersion: v1, kind: Node, metadata: {name: n1}}
        - apiVersion: v1
          kind: Node
          metadata: {name: n2}
          spec:
            podCIDRs: [10.244.0.0/24, 'fd00::/64']
            podCIDR: 10.244.0.0/24
        """);

    Result result =
        Program.run(
                Program.arguments(
                    "run --once --cluster-cidr=10.244.0.0/16,fd00::/48" + MODE, "--nodes=" + file))
            .ends(0);

    assertThat(result.err()).isEmpty();
    assertThat(result.out()).contains("n1    10.244.1.0/24,fd00:0:0:1::/64  assigned");
    assertThat(Files.readString(file)).contains("10.244.1.0/24", "kind: List");
  }

  @Test
  @DisplayName("NC-24 NC-AM36 ends with 3 when the range is exhausted, with numbers and remedy")
  void exhausted() {
    Result result = manifests.run("run --once --cluster-cidr=10.244.0.0/23" + MODE).ends(3);

    assertThat(result.out())
        .contains("worker-a  10.244.1.0/24  assigned  -")
        .contains("worker-b  -              parked    TM-1401")
        .contains("worker-b: TM-1401 CIDR_EXHAUSTED: 10.244.0.0/23 has 2 blocks of /24: 2 used")
        .contains("Add a range");
    assertThat(manifests.run("explain worker-b --cluster-cidr=10.244.0.0/23" + MODE).out())
        .contains("node worker-b is parked", "blocked: TM-1401", "what you can do: Add a range");
  }

  /** A node with the CIDR of worker-c, and one whose CIDR is in no range. */
  private void twinAndForeigner() {
    String spec = "{podCIDR: %1$s, podCIDRs: [%1$s]}";
    manifests
        .with("d.yaml", Manifests.kubernetesNode("twin", spec.formatted("10.244.0.0/24")))
        .with("e.yaml", Manifests.kubernetesNode("far", spec.formatted("192.168.0.0/24")));
  }

  @Test
  @DisplayName("NC-AM19 node-cidr-strict-start ends with 1, names all, and changes nothing")
  void strict() {
    twinAndForeigner();
    Map<String, String> before = manifests.content();

    assertThat(manifests.run("run --once --node-cidr-strict-start" + RANGE).ends(1).err())
        .contains("TM-1415 START_REFUSED", "node twin: TM-1403", "node far: TM-1404");
    assertThat(manifests.content()).isEqualTo(before);
  }

  @Test
  @DisplayName("NC-AM16 without allocate-node-cidrs is refused with the reason; nothing is done")
  void notAllocating() {
    Map<String, String> before = manifests.content();

    Result result =
        manifests.run("run --once --ipam=kubernetes --cluster-cidr=10.244.0.0/16").ends(2);

    assertThat(result.err())
        .contains("ipam=kubernetes needs allocate-node-cidrs")
        .contains("Kubernetes controller manager", "two nodes one CIDR");
    assertThat(manifests.content()).isEqualTo(before);
  }

  @Test
  @DisplayName("NC-AM16 keys of another mode are refused in own places and ignored in shared ones")
  void foreignKeys() throws Exception {
    Path shared =
        shared(
            "ipam=kubernetes",
            "allocate-node-cidrs=true",
            "cluster-cidr=10.244.0.0/16",
            "cluster-pool-ipv4-mask-size=25",
            "parallel-alloc-workers=7",
            "eni-tags=a=b");

    Result own =
        manifests
            .run("run --once --parallel-alloc-workers=7 --cluster-pool-ipv4-mask-size=25" + RANGE)
            .ends(2);
    Result config = Program.run("config", "--config-dir=" + shared, "--output=json").ends(0);

    assertThat(own.err())
        .contains("parallel-alloc-workers is a setting of ipam=eni or azure")
        .contains("cluster-pool-ipv4-mask-size is a setting of ipam=cluster-pool")
        .contains("TM-1007 CONFIG_FOREIGN_KEY");
    JsonNode told = Reports.settings(config);
    assertThat(told.at("/ipam/name").asText()).isEqualTo("kubernetes");
    assertThat(told.get("ignored").findValuesAsText("key"))
        .containsExactly("cluster-pool-ipv4-mask-size", "eni-tags", "parallel-alloc-workers");
    assertThat(told.get("settings").findValuesAsText("key"))
        .contains("node-cidr-takeover-hold", "cluster-cidr", "operator-k8s-client-qps")
        .doesNotContain("backoff-base", "provider", "cluster-pool-ipv4-cidr");
  }

  @Test
  @DisplayName("NC-B24 NC-AM39 settings that are legal and perhaps not meant are told at the start")
  void toldSettings() {
    Result result =
        manifests
            .run("run --once --cluster-cidr=10.244.0.7/24 --exclude-cidrs=192.168.0.0/16" + MODE)
            .ends(3);

    assertThat(result.err())
        .contains("10.244.0.7/24 has host bits set, and means 10.244.0.0/24")
        .contains("10.244.0.0/24 is one block of /24, so only one node gets a CIDR")
        .contains("exclude-cidrs: 192.168.0.0/16 is in no range, and has no effect");
  }

  @Test
  @DisplayName("NC-AM37 ranges are measured by the names of the reference as well")
  void metrics() throws Exception {
    Program program = manifests.start("run --port=0" + RANGE);
    program.awaitErr(logged("worker-b"));

    program.awaitMetrics(
        "node_ipam_controller_cirdset_max_cidrs{clusterCIDR=\"10.244.0.0/16\"} 256.0");
    assertThat(program.stop().exitCode()).isZero();
  }
}
