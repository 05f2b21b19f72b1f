package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.operator.Program.Result;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("run --ipam=cluster-pool on a folder of CiliumNodes")
class ClusterPoolRunTest {
  private static final String MODE = " --ipam=cluster-pool";
  private static final String IPV4 = MODE + " --cluster-pool-ipv4-cidr=10.0.0.0/8";

  private final Manifests manifests;

  ClusterPoolRunTest(@TempDir Path directory) {
    this.manifests = new Manifests(directory).withExamples("cluster-pool");
  }

  private static String node(String name, String cidrs) {
    return "apiVersion: cilium.io/v2\nkind: CiliumNode\nmetadata: {name: "
        + name
        + "}\nspec: {ipam: {podCIDRs: "
        + cidrs
        + "}}\n";
  }

  @Test
  @DisplayName("NC-P4 NC-P6 gives CIDRs to nodes without any, clears errors, changes nothing else")
  void once() {
    Map<String, String> expected = manifests.content();

    assertThat(manifests.runsInOrder("run --once" + IPV4).out())
        .isEqualTo(
            """
            NODE      PODCIDRS     STATE     REASON
            worker-a  10.0.0.0/24  assigned  -
            worker-b  10.0.1.0/24  assigned  -
            worker-c  10.0.2.0/24  assigned  -
            calls: assign pod CIDRs 2
            """);
    String cidr = "  ipam:\n    podCIDRs:\n    - 10.0.N.0/24\n";
    expected.computeIfPresent(
        "worker-a.yaml",
        (file, text) ->
            text.replace("spec: {}\n", "spec:\n" + cidr.replace("N", "0"))
                .replaceFirst("^#.*\n", ""));
    expected.computeIfPresent(
        "worker-c.yaml",
        (file, text) ->
            text.replace("    key: 3\n", "    key: 3\n" + cidr.replace("N", "2"))
                .replace(
                    "    operator-status:\n      error: allocator full\n",
                    "    operator-status: {}\n"));
    assertThat(manifests.content()).isEqualTo(expected);

    assertThat(manifests.run("run --once" + IPV4).exitCode()).isZero();
    assertThat(manifests.content()).isEqualTo(expected);
  }

  @Test
  @DisplayName("NC-P5 adds the missing family when it is configured")
  void family() {
    manifests.run("run --once" + IPV4 + " --cluster-pool-ipv6-cidr=fd00::/104").ends(0);

    assertThat(manifests.content().get("worker-b.yaml"))
        .contains("podCIDRs:\n    - 10.0.1.0/24\n    - fd00::1:0/112\n");
  }

  @Test
  @DisplayName("NC-P1 NC-P2 refuses wrong ranges, and without a range there is nothing to run")
  void refused() {
    Map<String, String> before = manifests.content();
    assertThat(manifests.run("run --once" + MODE).exitCode()).isEqualTo(2);
    Result both =
        manifests.run("run --once" + MODE + " --cluster-pool-ipv4-cidr=10.0.0.0/26,x").ends(2);
    assertThat(both.err())
        .contains("\"x\" is not a CIDR block", "mask-size is not a valid block length");
    assertThat(manifests.content()).isEqualTo(before);
  }

  @Test
  @DisplayName("--dry-run, status and explain show what would be done, and change nothing")
  void readOnly() {
    Map<String, String> before = manifests.content();

    assertThat(manifests.run("run --dry-run" + IPV4).out()).contains("10.0.0.0/24");
    assertThat(manifests.run("status" + IPV4).out()).contains("worker-b").contains("10.0.1.0/24");
    assertThat(manifests.run("explain worker-b" + IPV4).out()).contains("10.0.1.0/24");
    assertThat(manifests.content()).isEqualTo(before);
  }

  @Test
  @DisplayName("NC-P13 runs on until it is stopped, and measures its writes as the reference does")
  void runsOn() throws Exception {
    Program program = manifests.start("run --port=0" + IPV4);
    program.awaitErr("Node. node=worker-c state=assigned podCIDRs=10.0.2.0/24 reason=-");
    manifests.with("new.yaml", node("n9", "[]"));
    program.awaitErr("Node. node=n9 state=assigned podCIDRs=10.0.3.0/24 reason=-");
    // Two nodes of the example, its old error, and the new node.
    program.awaitMetrics(
        "cilium_operator_ipam_k8s_sync_queued_total 4.0",
        "cilium_operator_ipam_k8s_sync_duration_seconds_count 4",
        "tidemark_node_cidr_nodes{state=\"assigned\"} 4.0");
    program.stop().ends(0);
  }
}
