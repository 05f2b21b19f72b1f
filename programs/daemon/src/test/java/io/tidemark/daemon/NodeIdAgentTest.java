package io.tidemark.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.tidemark.cluster.ClaimChange;
import io.tidemark.cluster.ClaimStore;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.MockCluster;
import io.tidemark.kubernetes.server.MockCluster.Asked;
import io.tidemark.kubernetes.store.LeaseClaimStore;
import io.tidemark.testing.Hang;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(5 * Hang.SECONDS)
@DisplayName("The command agent with ipam: node-id")
class NodeIdAgentTest {
  private static final String MODE = "--ipam=node-id";
  private static final String CLAIMS = "--node-id-claimant=agent";

  @TempDir private Path folder;
  private Path nodes;
  private String place = "";

  @BeforeEach
  void nodes() throws IOException {
    nodes = Files.createDirectory(folder.resolve("nodes"));
    place = "--nodes=" + nodes;
    node("n1", "");
  }

  private void node(String name, String annotations) throws IOException {
    Files.writeString(
        nodes.resolve(name + ".yaml"),
        """
        apiVersion: v1
        kind: Node
        metadata:
          name: %s
          uid: u-%s
          annotations: {%s}
        """
            .formatted(name, name, annotations));
  }

  private void claim(int id, String holder) throws IOException {
    Files.createDirectories(nodes.resolve("claims"));
    Files.writeString(
        nodes.resolve("claims/node-id-" + id + ".json"),
        """
        {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
         "metadata": {"name": "node-id-%d", "annotations": {"tidemark.io/node-uid": "u-%s"}},
         "spec": {"holderIdentity": "%s"}}
        """
            .formatted(id, holder, holder));
  }

  private static String address(AgentRun agent, String container) throws IOException {
    return agent.ask("ADD", container).replaceAll("(?s).*\"address\":\"([^\"]*)\".*", "$1");
  }

  private AgentRun serving(String... more) throws InterruptedException {
    AgentRun agent = new AgentRun(folder);
    agent.serve(more);
    return agent;
  }

  @Test
  @DisplayName("NI-33 Pods get addresses of the subnet of the id that the Node shows, also later")
  void ofAnOperator() throws Exception {
    node("n1", "tidemark.io/node-id: '5'");
    claim(5, "n1");
    AgentRun agent = serving(place, MODE);
    assertThat(agent.ask("ADD", "c1"))
        .startsWith("200 ")
        .contains("\"address\":\"10.1.5.2/24\",\"gateway\":\"10.1.5.1\"");
    assertThat(address(agent, "c2")).isEqualTo("10.1.5.3/24");
    assertThat(agent.ask("DEL", "c1")).startsWith("200 ");
    assertThat(agent.ask("STATUS", "c1")).isEqualTo("200 ");
    assertThat(agent.get("/status"))
        .contains("\"origin\":\"10.1.5.0/24\",\"available\":250,\"inUse\":2,\"cooling\":1");
    agent.end();
    assertThat(agent.errors()).contains("serving node n1 from 10.1.5.0/24, by its node id");

    AgentRun next = serving(place, MODE);
    assertThat(address(next, "c2")).isEqualTo("10.1.5.3/24");
    assertThat(address(next, "c3")).isEqualTo("10.1.5.4/24");
    next.end();
  }

  @Test
  @DisplayName("NI-33 Without an operator it claims the lowest id that is free, and keeps it")
  void claimed() throws Exception {
    node("n2", "");
    claim(1, "n2");
    AgentRun agent = serving(place, MODE, CLAIMS);
    assertThat(address(agent, "c1")).isEqualTo("10.1.2.2/24");
    agent.end();
    Path claim = nodes.resolve("claims/node-id-2.json");
    assertThat(claim).content().contains("\"n1\"", "\"u-n1\"");
    Files.delete(nodes.resolve("claims/node-id-1.json"));

    AgentRun next = serving(place, MODE, CLAIMS);
    assertThat(address(next, "c2")).isEqualTo("10.1.2.3/24");
    next.end();
    assertThat(nodes.resolve("claims/node-id-1.json")).doesNotExist();
  }

  @Test
  @DisplayName("NI-34 Without an id that is its own it waits, and then says why")
  void without() throws IOException {
    AgentRun agent = new AgentRun(folder);
    agent.waitsInVain("node n1 shows no id yet", place, MODE);
    node("n1", "tidemark.io/node-id: '5'");
    claim(5, "n2");
    new AgentRun(folder).waitsInVain("id 5 of node n1 is claimed by node n2", place, MODE);
    new AgentRun(folder, "nope").waitsForNobody("has no node nope", place, MODE);
    assertThat(agent.socket).doesNotExist();
  }

  @Test
  @DisplayName(
      "Ranges that overlap, a family that is off and a subnet that is too large are refused")
  void settings() {
    AgentRun agent = new AgentRun(folder);
    assertThat(agent.run(place, MODE, "--node-id-overlay-cidr=10.1.0.0/16")).isEqualTo(2);
    assertThat(agent.errors()).contains("TM-1504");
    AgentRun family = new AgentRun(folder);
    assertThat(family.run(place, MODE, "--enable-ipv4=false")).isEqualTo(2);
    assertThat(family.errors()).contains("enable-ipv4", "pods get addresses of 10.1.0.0/16");
    AgentRun large = new AgentRun(folder);
    assertThat(
            large.run(
                place,
                MODE,
                "--node-id-pod-subnet-cidr=fd00::/48",
                "--node-id-pod-subnet-prefix=64",
                "--node-id-link-subnet-cidr=fd01::/96",
                "--node-id-link-subnet-prefix=126",
                "--node-id-overlay-cidr=fd02::/112",
                "--service-cluster-ip-range=fd03::/112"))
        .isEqualTo(2);
    assertThat(large.errors()).contains("serves pod subnets of a prefix length of 104 or more");
    AgentRun other = new AgentRun(folder);
    assertThat(other.run(place, MODE, "--node-id-claimant=somebody")).isEqualTo(2);
    assertThat(other.errors()).contains("node-id-claimant", "operator or agent");
  }

  @Test
  @DisplayName("NI-33 In a cluster it reads its Node and its claim, and writes and watches nothing")
  void inCluster() throws Exception {
    try (MockCluster cluster = MockCluster.start();
        ClusterConnection connection = cluster.connect(folder);
        LeaseClaimStore claims = LeaseClaimStore.unwatched(connection, "tidemark-node-ids")) {
      String uid = registered(connection, Map.of("tidemark.io/node-id", "7"));
      assertThat(claims.create("node-id-7", "n1", uid)).isInstanceOf(ClaimChange.Stored.class);
      int before = cluster.requests().size();
      AgentRun agent = serving("--kubeconfig=" + folder.resolve("kubeconfig"), MODE);
      assertThat(address(agent, "c1")).isEqualTo("10.1.7.2/24");
      agent.end();
      assertThat(cluster.requests().subList(before, cluster.requests().size()))
          .extracting(Asked::verb)
          .containsExactly("GET", "GET");
    }
  }

  @Test
  @DisplayName("NI-33 In a cluster without an operator it claims the lowest id with one list")
  void claimedInCluster() throws Exception {
    try (MockCluster cluster = MockCluster.start();
        ClusterConnection connection = cluster.connect(folder);
        LeaseClaimStore claims = LeaseClaimStore.unwatched(connection, "tidemark-node-ids")) {
      String uid = registered(connection, Map.of());
      assertThat(claims.create("node-id-1", "n2", "u-2")).isInstanceOf(ClaimChange.Stored.class);
      int before = cluster.requests().size();
      AgentRun agent = serving("--kubeconfig=" + folder.resolve("kubeconfig"), MODE, CLAIMS);
      assertThat(address(agent, "c1")).isEqualTo("10.1.2.2/24");
      agent.end();
      assertThat(cluster.requests().subList(before, cluster.requests().size()))
          .extracting(Asked::verb)
          .containsExactly("GET", "GET", "POST");
      assertThat(claims.get("node-id-2"))
          .isInstanceOfSatisfying(
              ClaimStore.Reading.Found.class,
              it -> assertThat(it.claim().isHeldBy("n1", uid)).isTrue());
    }
  }

  /** The uid of the Node n1, which is created. */
  private static String registered(ClusterConnection connection, Map<String, String> annotations) {
    return connection
        .client()
        .nodes()
        .resource(
            new NodeBuilder()
                .withNewMetadata()
                .withName("n1")
                .withAnnotations(annotations)
                .endMetadata()
                .build())
        .create()
        .getMetadata()
        .getUid();
  }
}
