package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.operator.Program.Result;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("run --ipam=kubernetes beside a cloud, on a folder of Nodes")
class NodeCidrCloudRunTest {
  private static final String MODE = " --ipam=kubernetes --allocate-node-cidrs";
  private static final String CLOUD =
      MODE
          + " --provider=mock --cidr-allocator-type=CloudAllocator"
          + " --mock-alias-ranges=i-1=10.64.1.0/24,i-2=10.64.2.0/24,i-1=fd00:0:0:1::/80";

  private final Manifests manifests;

  NodeCidrCloudRunTest(@TempDir Path directory) {
    this.manifests = new Manifests(directory);
  }

  private Manifests node(String name, String spec) {
    return manifests.with(
        name + ".yaml",
        "apiVersion: v1\nkind: Node\nmetadata: {name: " + name + "}\nspec:\n  " + spec + "\n");
  }

  private static String id(String instance) {
    return "providerID: mock:///zone-a/" + instance;
  }

  @Test
  @DisplayName(
      "NC-AM30 NC-AM31 CloudAllocator copies the ranges of instances; nothing else changes")
  void cloudAllocator() {
    node("n1", id("i-1"));
    node("n2", id("i-2") + "\n  podCIDR: 10.64.2.0/24\n  podCIDRs: [10.64.2.0/24]");
    Map<String, String> expected = manifests.content();

    assertThat(manifests.runsInOrder("run --once" + CLOUD).out())
        .startsWith(
            """
            NODE  PODCIDRS      STATE     REASON
            n1    10.64.1.0/24  assigned  -
            n2    10.64.2.0/24  assigned  -
            calls: DescribeNetworkInterfaces""")
        .contains("assign pod CIDRs 1")
        .doesNotContain("set condition");
    String cidr = "  podCIDR: 10.64.1.0/24\n  podCIDRs:\n  - 10.64.1.0/24\n";
    expected.computeIfPresent(
        "n1.yaml",
        (file, text) -> text.replace("metadata: {name: n1}", "metadata:\n  name: n1") + cidr);
    assertThat(manifests.content()).isEqualTo(expected);
  }

  @Test
  @DisplayName(
      "NC-46 NC-47 NC-48 NC-54 NC-AM30 the ranges of services say which families, in which order")
  void stack() {
    node("n1", id("i-1"));
    assertThat(
            manifests
                .run("run --dry-run --service-cluster-ip-range=fd01::/108,10.96.0.0/12" + CLOUD)
                .out())
        .contains("assign fd00:0:0:1::/80, 10.64.1.0/24");
    assertThat(manifests.run("run --dry-run --service-cluster-ip-range=fd01::/108" + CLOUD).out())
        .contains("assign fd00:0:0:1::/80\n");
    assertThat(manifests.run("run --once --cluster-cidr=10.244.0.0/16" + CLOUD).out())
        .contains("n1    10.244.0.0/24,fd00:0:0:1::/80  assigned");
  }

  @Test
  @DisplayName("NC-53 of several ranges of a family the first in the cloud's order counts")
  void severalRanges() {
    node("n1", id("i-1"));
    String ranges = "10.64.5.0/24,i-1=10.64.1.0/24";
    assertThat(manifests.run("run --once" + CLOUD.replaceFirst("10.64.1.0/24", ranges)).out())
        .contains("n1    10.64.5.0/24  assigned");
  }

  @Test
  @DisplayName(
      "NC-41 NC-42 NC-43 NC-AM29 NC-AM36 what is missing is said, with 3; others are left alone")
  void missing() {
    node("empty", id("i-9"));
    node("no-id", "unschedulable: false");
    node("fargate", "providerID: aws:///zone/fargate-1");

    Result result = manifests.run("run --once" + CLOUD).ends(3);
    Result explained = manifests.run("explain empty" + CLOUD);

    assertThat(result.out())
        .contains("empty    -         parked  TM-1411", "fargate  -         parked  -")
        .contains("no-id    -         parked  TM-1411")
        .contains("empty: TM-1411 CLOUD_RANGE_MISSING: instance i-9 has no range of IPv4. Assign a")
        .contains("no-id: TM-1411 CLOUD_RANGE_MISSING: the node has no provider ID yet. ");
    assertThat(explained.out())
        .startsWith("node empty is parked\n")
        .contains("plan: none: instance i-9 has no range of IPv4\n", "what you can do: Assign a");
    assertThat(manifests.run("explain fargate" + CLOUD).out())
        .contains("plan: none: nothing is to be assigned to it\n");
  }

  @Test
  @DisplayName(
      "NC-AM28 NC-AM16 a provider that assigns no ranges is refused; those that do are listed")
  void provider() {
    String mode = MODE + " --cidr-allocator-type=CloudAllocator";
    Result azure = manifests.run("run --once --provider=azure" + mode).ends(2);
    Result none = manifests.run("run --once" + mode);
    Result foreign = manifests.run("run --once --mock-latency=1s --cluster-cidr=10.0.0.0/8" + MODE);

    assertThat(azure.err())
        .contains("provider=azure assigns no ranges to instances", "mock", "TM-1021");
    assertThat(none.err())
        .contains("provider is not set: the cloud that assigns ranges to instances", "TM-1021");
    assertThat(foreign.err()).contains("mock-latency is a setting of provider mock");
  }

  @Test
  @DisplayName("NC-AM38 config shows the settings of the mode and of its provider")
  void config() {
    Result config = Program.run(Program.arguments("config" + CLOUD, "--output=json")).ends(0);
    JsonNode told = Reports.settings(config);
    assertThat(told.get("settings").findValuesAsText("key"))
        .contains("provider", "mock-alias-ranges", "cidr-allocator-type")
        .doesNotContain("parallel-alloc-workers");
  }

  @Test
  @DisplayName("NC-67 NC-AM31 runs on: a node that comes is served, told and measured")
  void runsOn() throws Exception {
    node("n1", id("i-1"));
    Program program = manifests.start("run --port=0" + CLOUD);
    program.awaitErr("Node. node=n1 state=assigned podCIDRs=10.64.1.0/24 reason=-");
    node("n2", id("i-2"));
    program.awaitErr("Node. node=n2 state=assigned podCIDRs=10.64.2.0/24 reason=-");

    assertThat(program.ask("/readyz").body()).isEqualTo("ready\n");
    program.awaitMetrics(
        "tidemark_node_cidr_nodes{state=\"assigned\"} 2.0",
        "cilium_operator_mock_api_duration_seconds_count{operation=\"DescribeNetworkInterfaces");
    program.stop().ends(0);
  }
}
