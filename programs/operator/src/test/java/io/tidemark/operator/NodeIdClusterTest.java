package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.nodeid.claim.NodeIdMirror;
import io.tidemark.operator.Program.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("kubernetes")
@Tag("long")
@DisplayName("run --ipam=node-id on a real API server")
class NodeIdClusterTest {
  private static final String NAMESPACE = "tidemark-node-ids";
  private static final String NAMESPACES = "/api/v1/namespaces";
  private static final String RUN =
      "run --ipam=node-id --node-id-pod-subnet-cidr=10.0.0.0/8 --node-id-link-subnet-cidr=172.16.0.0/12"
          + " --node-id-link-subnet-prefix=30 --node-id-overlay-cidr=192.168.0.0/16"
          + " --service-cluster-ip-range=100.64.0.0/16";

  @RegisterExtension private final NodesOnServer cluster = new NodesOnServer();

  @BeforeEach
  void createNamespace() {
    cluster.server().createNamespace(NAMESPACE);
  }

  private KubernetesClient client() {
    return cluster.admin().client();
  }

  /** With all that is in it, as the namespace controller does. */
  private void deleteNamespace() {
    client().leases().inNamespace(NAMESPACE).delete();
    client().raw(NAMESPACES + '/' + NAMESPACE, "DELETE", null);
    Namespace left = client().namespaces().withName(NAMESPACE).get();
    left.getSpec().setFinalizers(List.of());
    client().raw(NAMESPACES + '/' + NAMESPACE + "/finalize", "PUT", left);
    Eventually.holds("it is gone", () -> client().namespaces().withName(NAMESPACE).get() == null);
  }

  private List<Lease> claims() {
    return client().leases().inNamespace(NAMESPACE).list().getItems();
  }

  /** The holders of ids, by id. */
  private Map<String, String> held() {
    return claims().stream()
        .collect(
            Collectors.toMap(
                lease -> lease.getMetadata().getName().substring("node-id-".length()),
                lease -> lease.getSpec().getHolderIdentity()));
  }

  private static Optional<String> shown(Node node) {
    return Optional.ofNullable(node.getMetadata().getAnnotations())
        .map(all -> all.get(NodeIdMirror.ID));
  }

  /** The ids that nodes show, by the name of the node. */
  private Map<String, String> shown() {
    Map<String, String> ids = new TreeMap<>();
    cluster
        .nodes()
        .forEach(node -> shown(node).ifPresent(id -> ids.put(node.getMetadata().getName(), id)));
    return ids;
  }

  /** So many nodes show an id, each holds its claim alone, and none has that of another. */
  private boolean agree(int count) {
    Map<String, String> ids = shown();
    Map<String, String> held = held();
    return ids.size() == count
        && held.size() == count
        && ids.entrySet().stream()
            .allMatch(each -> each.getKey().equals(held.get(each.getValue())));
  }

  private static Predicate<Event> about(String code) {
    return event -> event.getMessage().contains(code);
  }

  @Test
  @DisplayName("NI-27 NI-28 NI-35 once: claims are Leases, and a second run changes nothing")
  void once() throws Exception {
    cluster.create(5);

    cluster.succeeds(RUN + " --once --allocate-node-cidrs");
    assertThat(agree(5)).isTrue();
    assertThat(held()).containsOnlyKeys("1", "2", "3", "4", "5");
    for (Node node : cluster.nodes()) {
      assertThat(node.getSpec().getPodCIDR())
          .isEqualTo("10.0." + shown(node).orElseThrow() + ".0/24");
    }
    List<String> versions = versions();
    Result second = cluster.succeeds(RUN + " --once --allocate-node-cidrs");

    assertThat(second.out()).doesNotContain("createClaim", "annotateNode", "assignPodCidrs");
    assertThat(versions()).isEqualTo(versions);
    Result status = cluster.run(RUN.replace("run ", "status "));
    assertThat(status.out()).startsWith("5 nodes: 5 assigned\n");
  }

  private List<String> versions() {
    List<String> versions = new ArrayList<>(cluster.versions());
    claims().forEach(claim -> versions.add(claim.getMetadata().getResourceVersion()));
    return versions;
  }

  @Test
  @DisplayName(
      "NI-AM19 two operators, the leader killed in the middle: the other goes on, none gets twice")
  void killed() throws Exception {
    Process leader =
        cluster.leader(
            RUN + NodesOnServer.QUICK + " --port=0 --kube-api-qps=40 --kube-api-burst=5",
            "tidemark-node-id");
    Program standby = cluster.start(RUN + NodesOnServer.QUICK + " --port=0");
    standby.awaitErr("On standby for the lease");
    cluster.create(300);
    Eventually.holds("the middle", () -> shown().size() > 50);
    NodesOnServer.kill(leader);
    Map<String, String> before = shown();
    assertThat(before).hasSizeLessThan(300);

    standby.awaitErr("This operator leads");
    Eventually.holds("all have ids", () -> agree(300));
    assertThat(shown()).containsAllEntriesOf(before);
    assertThat(shown().values()).doesNotHaveDuplicates();
    assertThat(cluster.events(each -> true)).isEmpty();
    assertThat(standby.stop().exitCode()).isZero();
  }

  @Test
  @DisplayName(
      "NI-D2 NI-35 NI-AM19 without the namespace of the claims nodes keep their ids, the problem is"
          + " reported, and claims are made again once it is there")
  void deletedNamespace() throws Exception {
    cluster.create(20);
    Program program = cluster.start(RUN + " --port=0");
    Eventually.holds("all have ids", () -> agree(20));
    Map<String, String> before = shown();

    deleteNamespace();
    cluster.create("late");
    Eventually.holds("it is reported", () -> !cluster.events(about("TM-1509")).isEmpty());
    assertThat(cluster.events(about("TM-1509")).get(0).getMessage())
        .contains(NAMESPACE, "Allow the operator to change Leases in the namespace of the claims");
    assertThat(shown()).isEqualTo(before);
    createNamespace();

    Eventually.holds("all claims are there again", () -> agree(21));
    assertThat(shown()).containsAllEntriesOf(before);
    Eventually.holds(
        "all is solved",
        () -> cluster.events(event -> event.getType().equals("Warning")).isEmpty());
    assertThat(program.ask("/metrics").body())
        .contains("tidemark_node_id_reasserted_total 20.0")
        .contains("tidemark_node_id_nodes{state=\"assigned\"} 21.0");
    assertThat(program.stop().exitCode()).isZero();
  }
}
