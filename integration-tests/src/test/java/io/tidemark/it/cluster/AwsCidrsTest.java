package io.tidemark.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.tidemark.kubernetes.server.Eventually;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("kubernetes")
@Tag("long")
@DisplayName("CIDRs of Nodes are prefixes of EC2 instances, on a real API server")
class AwsCidrsTest {
  private static final int NODES = 6;
  private static final List<String> MODE =
      List.of(
          "--ipam=kubernetes",
          "--allocate-node-cidrs=true",
          "--leader-election-lease-duration=3s",
          "--leader-election-renew-deadline=2s",
          "--leader-election-retry-period=200ms");

  @TempDir private Path folder;

  @AutoClose private ClusterWorld world;

  @BeforeEach
  void start() throws IOException {
    world = new ClusterWorld(folder, NODES, "");
  }

  private ClusterOperator operator(String name, String... type) throws IOException {
    return world.start(name, NodesFigures.concat(MODE, type)).awaitLog("This operator leads");
  }

  /** The Node of the instance of that number. */
  private void join(int number, String more) {
    world
        .admin
        .client()
        .raw(
            "/api/v1/nodes",
            "POST",
            """
                {"apiVersion":"v1","kind":"Node","metadata":{"name":"node-NUMBER"},
                 "spec":{"providerID":"aws:///eu-west-1a/INSTANCE"MORE}}
                """
                .replace("NUMBER", Integer.toString(number))
                .replace("INSTANCE", world.instances.get(number))
                .replace("MORE", more));
  }

  private static String prefix(int number) {
    return "10.0.8." + 16 * number + "/28";
  }

  /** The CIDRs of nodes that have some, by name. */
  private Map<String, List<String>> cidrs() {
    Map<String, List<String>> cidrs = new TreeMap<>();
    for (Node node : world.admin.client().nodes().list().getItems()) {
      cidrs.put(node.getMetadata().getName(), node.getSpec().getPodCIDRs());
    }
    cidrs.values().removeIf(List::isEmpty);
    return cidrs;
  }

  private boolean isReported(String code) {
    return world.admin.client().v1().events().inAnyNamespace().list().getItems().stream()
        .anyMatch(event -> event.getMessage().contains(code));
  }

  /** The prefixes of instances that have some, by the name of the node. */
  private Map<String, List<String>> prefixes() {
    Map<String, List<String>> prefixes = new TreeMap<>();
    IntStream.range(0, NODES)
        .forEach(i -> prefixes.put("node-" + i, world.prefixes(world.instances.get(i))));
    prefixes.values().removeIf(List::isEmpty);
    return prefixes;
  }

  @Test
  @DisplayName(
      "NC-B16 NC-AM29 CloudAllocator: prefixes go to the nodes, before and after a restart, and"
          + " nothing changes in EC2")
  void cloudAllocator() throws Exception {
    IntStream.range(0, 4).forEach(i -> world.assignPrefix(world.instances.get(i), prefix(i)));
    long changes = world.mutations();
    join(0, "");
    join(1, "");
    ClusterOperator first = operator("first", "--cidr-allocator-type=CloudAllocator");
    Eventually.holds("two nodes have CIDRs", () -> cidrs().size() == 2);
    assertThat(first.terminate()).as(first.log()).isZero();

    join(2, ",\"podCIDR\":\"10.0.9.0/28\",\"podCIDRs\":[\"10.0.9.0/28\"]");
    join(3, "");
    join(4, "");
    ClusterOperator second = operator("second", "--cidr-allocator-type=CloudAllocator");
    Eventually.holds(
        "the others are looked at", () -> isReported("TM-1416") && isReported("TM-1411"));
    Eventually.holds("the new one has its CIDR", () -> cidrs().size() == 4);

    assertThat(cidrs())
        .containsEntry("node-0", List.of(prefix(0)))
        .containsEntry("node-1", List.of(prefix(1)))
        .containsEntry("node-2", List.of("10.0.9.0/28"))
        .containsEntry("node-3", List.of(prefix(3)));
    assertThat(world.mutations()).isEqualTo(changes);
    assertThat(second.terminate()).as(second.log()).isZero();
  }

  @Test
  @DisplayName(
      "NC-65 NC-AM30 IPAMFromCluster, killed in the middle: each instance has the block of its node"
          + " alone, assigned once")
  void fromCluster() throws Exception {
    String[] type = {
      "--cidr-allocator-type=IPAMFromCluster",
      "--cluster-cidr=10.0.8.0/21",
      "--node-cidr-mask-size=28",
      "--node-cidr-takeover-hold=1s"
    };
    ClusterOperator first = operator("first", type);
    IntStream.range(0, NODES).forEach(i -> join(i, ""));
    Eventually.holds("the middle", () -> !prefixes().isEmpty());
    first.kill();

    ClusterOperator second = operator("second", type);
    Eventually.holds("all have CIDRs", () -> cidrs().size() == NODES);
    assertThat(cidrs().values().stream().flatMap(List::stream))
        .hasSize(NODES)
        .doesNotHaveDuplicates();
    assertThat(prefixes()).isEqualTo(cidrs());
    assertThat(world.mutations()).isEqualTo(NODES);
    assertThat(second.terminate()).as(second.log()).isZero();
  }
}
