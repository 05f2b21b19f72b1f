package io.tidemark.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.MockCluster;
import io.tidemark.kubernetes.server.MockCluster.Asked;
import io.tidemark.testing.Hang;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(5 * Hang.SECONDS)
@DisplayName("The command agent on a cluster")
class AgentInClusterTest {
  @TempDir private Path folder;

  private final MockCluster cluster = MockCluster.start();
  private ClusterConnection connection;
  private AgentRun agent;
  private String kubeconfig = "";

  @BeforeEach
  void connect() throws Exception {
    connection = cluster.connect(folder);
    agent = new AgentRun(folder);
    kubeconfig = "--kubeconfig=" + folder.resolve("kubeconfig");
  }

  @AfterEach
  void close() {
    connection.close();
    cluster.close();
  }

  private void create(String name, String block) {
    new CiliumNodes(connection)
        .create(
            """
                {"apiVersion": "cilium.io/v2", "kind": "CiliumNode", "metadata": {"name": "%s"},
                 "spec": {"ipam": {"podCIDRs": ["%s"]}}}
                """
                .formatted(name, block));
  }

  @Test
  @DisplayName("It serves the block of its node's object, and writes nothing")
  void serves() throws Exception {
    create("n2", "10.2.0.0/24");
    create("n1", "10.1.0.0/24");
    agent.serve(kubeconfig);
    assertThat(agent.ask("ADD", "c1")).startsWith("200 ").contains("\"10.1.0.");
    agent.end();
    assertThat(agent.errors()).contains("serving node n1 from [10.1.0.0/24]");
    assertThat(cluster.requests()).extracting(Asked::verb).containsOnly("GET", "POST");
    assertThat(cluster.requests("POST")).hasSize(2);
  }

  @Test
  @DisplayName("ipam=kubernetes: it creates the object with the CIDRs of the Kubernetes Node")
  void ofKubernetesNode() throws Exception {
    createOwner("{\"podCIDR\": \"10.3.0.0/24\", \"podCIDRs\": [\"10.3.0.0/24\"]}");
    agent.serve(kubeconfig, "--ipam=kubernetes");
    assertThat(agent.ask("ADD", "c1")).contains("\"10.3.0.");
    agent.end();
    assertThat(new CiliumNodes(connection).node("n1").podCidrs()).containsExactly("10.3.0.0/24");
  }

  @Test
  @DisplayName("ipam=cluster-pool: it creates the object and waits for the CIDRs of an operator")
  void ofAnOperator() throws Exception {
    createOwner("{\"podCIDR\": \"10.3.0.0/24\", \"podCIDRs\": [\"10.3.0.0/24\"]}");

    agent.waitsInVain("spec.ipam.podCIDRs of node n1 is []", kubeconfig);
    assertThat(new CiliumNodes(connection).node("n1").owned()).isTrue();
  }

  private void createOwner(String spec) {
    connection
        .client()
        .raw(
            "/api/v1/nodes",
            "POST",
            "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"n1\"}, \"spec\": "
                + spec
                + "}");
  }

  @Test
  @DisplayName("It takes settings of a ConfigMap, and its own ones before them")
  void configMap() throws Exception {
    create("n1", "10.1.0.0/24");
    connection
        .client()
        .raw(
            "/api/v1/namespaces/kube-system/configmaps",
            "POST",
            Map.of(
                "apiVersion",
                "v1",
                "kind",
                "ConfigMap",
                "metadata",
                Map.of("name", "tidemark-agent", "namespace", "kube-system"),
                "data",
                Map.of("cni-gateway", "none", "cni-result-prefix", "subnet", "unknown", "x")));
    agent.serve(kubeconfig, "--config-map=kube-system/tidemark-agent", "--cni-result-prefix=host");
    assertThat(agent.ask("ADD", "c1")).contains("/32").doesNotContain("gateway");
    agent.end();
  }

  @Test
  @DisplayName("When the API server refuses its right, the right is named at the end of the wait")
  void forbidden() {
    cluster.answerAll(
        Optional.of(
            MockCluster.status(
                403, "Forbidden", "User \"a\" cannot list resource \"ciliumnodes\"")));

    agent.waitsInVain("cannot list resource \"ciliumnodes\". Grant it", kubeconfig);
  }

  @Test
  @DisplayName("An API server that never answers is named at the end of the wait")
  void silent() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Path file = folder.resolve("kubeconfig");
      Files.writeString(
          file, Files.readString(file).replace(":" + cluster.port(), ":" + silent.getLocalPort()));

      assertThat(agent.run(kubeconfig, "--agent-start-wait=1s")).isEqualTo(1);
      assertThat(agent.errors())
          .contains("not within 1 s: the API server http://127.0.0.1:" + silent.getLocalPort())
          .containsAnyOf("does not answer", "has not sent node n1 yet");
      assertThat(agent.socket).doesNotExist();
    }
  }
}
