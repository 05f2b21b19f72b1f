package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.tidemark.kubernetes.server.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("kubernetes")
@Tag("long")
@DisplayName("run --ipam=kubernetes beside a cloud, on a real API server")
class NodeCidrCloudClusterTest {
  private static final String RUN =
      "run --ipam=kubernetes --allocate-node-cidrs --provider=mock --port=0";
  private static final String RANGES =
      " --mock-alias-ranges=i-0=10.64.0.0/24,i-1=10.64.1.0/24,i-2=10.64.2.0/24,i-3=10.64.3.0/24";

  @RegisterExtension private final NodesOnServer cluster = new NodesOnServer();

  private void create(int number) {
    create(number, "");
  }

  private void create(int number, String more) {
    cluster.create(
        "n" + number, "{\"providerID\":\"mock:///zone-a/i-" + number + "\"" + more + "}");
  }

  /** The CIDRs of nodes that have some, by name. */
  private Map<String, List<String>> cidrs() {
    Map<String, List<String>> cidrs = new TreeMap<>();
    for (Node node : cluster.nodes()) {
      cidrs.put(node.getMetadata().getName(), node.getSpec().getPodCIDRs());
    }
    cidrs.values().removeIf(List::isEmpty);
    return cidrs;
  }

  /** How many nodes have CIDRs, and the condition that the cloud routes them. */
  private long routed() {
    return cluster.nodes().stream()
        .filter(node -> !node.getSpec().getPodCIDRs().isEmpty())
        .flatMap(node -> node.getStatus().getConditions().stream())
        .filter(each -> each.getType().equals("NetworkUnavailable"))
        .filter(each -> each.getStatus().equals("False"))
        .count();
  }

  @ParameterizedTest
  @ValueSource(strings = {"CloudAllocator", "IPAMFromCloud --cluster-cidr=10.64.0.0/16"})
  @DisplayName(
      "NC-48 NC-62 NC-B16 the ranges of instances go to the nodes, before and after a restart; other"
          + " CIDRs are reported and kept")
  void fromCloud(String type) throws Exception {
    String run = RUN + RANGES + " --cidr-allocator-type=" + type;
    create(0);
    create(1);
    Program first = cluster.start(run);
    Eventually.holds("two nodes are routed", () -> routed() == 2);
    assertThat(first.stop().exitCode()).isZero();
    List<String> versions = cluster.versions();

    create(2, ",\"podCIDR\":\"10.64.9.0/24\",\"podCIDRs\":[\"10.64.9.0/24\"]");
    create(3);
    Program second = cluster.start(run);
    Eventually.holds("the new one is routed", () -> routed() == 3);
    Eventually.holds(
        "the other one is reported",
        () -> cluster.events(each -> each.getMessage().contains("TM-1416")).size() == 1);

    assertThat(cidrs())
        .containsEntry("n0", List.of("10.64.0.0/24"))
        .containsEntry("n1", List.of("10.64.1.0/24"))
        .containsEntry("n2", List.of("10.64.9.0/24"))
        .containsEntry("n3", List.of("10.64.3.0/24"));
    assertThat(cluster.versions()).containsAll(versions);
    assertThat(cluster.events(each -> true))
        .singleElement()
        .matches(event -> event.getInvolvedObject().getName().equals("n2"))
        .matches(event -> event.getType().equals("Warning"));
    assertThat(second.stop().exitCode()).isZero();
  }

  @Test
  @DisplayName(
      "NC-65 NC-AM30 IPAMFromCluster, killed in the middle: the next goes on, none gets twice")
  void killed() throws Exception {
    String run =
        RUN
            + NodesOnServer.QUICK
            + " --cidr-allocator-type=IPAMFromCluster --cluster-cidr=10.0.0.0/8";
    Process killed =
        cluster.leader(run + " --kube-api-qps=20 --kube-api-burst=5", "tidemark-node-cidr");
    IntStream.range(0, 100).parallel().forEach(this::create);
    Eventually.holds("the middle", () -> cidrs().size() > 20);
    NodesOnServer.kill(killed);
    Map<String, List<String>> before = cidrs();
    assertThat(before).hasSizeLessThan(100);

    Program next = cluster.start(run);
    Eventually.holds("all are routed", () -> routed() == 100);
    List<String> all = new ArrayList<>();
    cidrs().values().forEach(all::addAll);
    assertThat(all).hasSize(100).doesNotHaveDuplicates();
    assertThat(cidrs()).containsAllEntriesOf(before);
    assertThat(cluster.events(each -> true)).isEmpty();
    assertThat(next.stop().exitCode()).isZero();
  }
}
