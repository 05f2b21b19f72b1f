package io.tidemark.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.ApiServer.User;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.resource.NodeResource;
import io.tidemark.testing.Hang;
import io.tidemark.testing.Samples;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("kubernetes")
@Timeout(5 * Hang.SECONDS)
@DisplayName("The command agent on a real API server")
class AgentOnServerTest {
  private static ApiServer server;
  private static ClusterConnection admin;
  private static CiliumNodes nodes;

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws Exception {
    server = ApiServer.start();
    admin = server.connect(User.ADMIN);
    nodes = new CiliumNodes(admin);
    admin
        .client()
        .raw(
            "/api/v1/nodes",
            "POST",
            Map.of(
                "apiVersion",
                "v1",
                "kind",
                "Node",
                "metadata",
                Map.of("name", "n1"),
                "spec",
                Map.of("podCIDRs", List.of("10.3.0.0/24"))));
  }

  @AfterAll
  static void stop() {
    admin.close();
    server.close();
  }

  private static NodeResource withBlock(NodeResource node, String block) {
    return Samples.parsed(
        nodes
            .text(node.name())
            .replaceAll(
                "\"spec\":\\{\"ipam\":\\{[^}]*}",
                "\"spec\":{\"ipam\":{\"podCIDRs\":[\"" + block + "\"]}"));
  }

  @Test
  @DisplayName(
      "it creates its object, serves the block that an operator writes, needs the server no more,"
          + " and tells when the block is another")
  void clusterPool() throws Exception {
    AgentRun agent = new AgentRun(folder);
    agent.start("--kubeconfig=" + server.kubeconfig(User.ADMIN));
    Eventually.holds(
        "the object is created",
        () -> nodes.all().stream().anyMatch(each -> each.name().equals("n1")));
    assertThat(nodes.node("n1").owned()).isTrue();
    assertThat(nodes.text("n1")).contains("\"manager\":\"tidemark-agent\"");
    nodes.writeSpec(withBlock(nodes.node("n1"), "10.1.0.0/24"));
    agent.serving.await();
    assertThat(agent.ask("ADD", "c1")).contains("\"10.1.0.");

    server.killApiServer();
    assertThat(agent.ask("ADD", "c2")).contains("\"10.1.0.");
    assertThat(agent.ask("DEL", "c1")).isEqualTo("200 ");
    server.startApiServer();
    NodeResource changed = nodes.writeSpec(withBlock(nodes.node("n1"), "10.2.0.0/24"));
    assertThat(changed.podCidrs()).containsExactly("10.2.0.0/24");
    Eventually.holds(
        "the change is logged", () -> agent.errors().contains("n1 gives [10.2.0.0/24]"));
    assertThat(agent.ask("ADD", "c3")).contains("\"10.1.0.");
    agent.end();
    nodes.clear();
  }

  @Test
  @DisplayName("ipam=eni: it serves the pool, and writes what is in use under its own name")
  void pool() throws Exception {
    NodeResource made =
        nodes.create(
            """
            {"apiVersion": "cilium.io/v2", "kind": "CiliumNode", "metadata": {"name": "n1"},
             "spec": {"instance-id": "i-1", "ipam": {"pre-allocate": 2, "pool": {
               "10.4.0.5": {"resource": "eni-1"}, "10.4.0.6": {"resource": "eni-1"}}}}}
            """);
    AgentRun agent = new AgentRun(folder);
    agent.start(
        "--ipam=eni",
        "--instance-id=i-1",
        "--ipam-cilium-node-update-rate=1s",
        "--kubeconfig=" + server.kubeconfig(User.ADMIN));
    nodes.writeStatus(
        Samples.parsed(
            """
                {"apiVersion": "cilium.io/v2", "kind": "CiliumNode",
                 "metadata": {"name": "n1", "resourceVersion": "VERSION"}, "spec": {},
                 "status": {"eni": {"enis": {"eni-1": {"id": "eni-1", "number": 1,
                   "addresses": ["10.4.0.5", "10.4.0.6"], "vpc": {"primary-cidr": "10.4.0.0/16"},
                   "subnet": {"cidr": "10.4.0.0/24"}}}}}}
                """
                .replace("VERSION", made.resourceVersion())));
    agent.serving.await();
    assertThat(agent.ask("ADD", "c1")).contains("\"10.4.0.");
    Eventually.holds(
        "it is written", () -> nodes.node("n1").used().toList().size() == 2); // and the gateway
    assertThat(nodes.text("n1")).contains("\"owner\":\"net/c1\"", "\"manager\":\"tidemark-agent\"");
    agent.end();
    nodes.clear();
  }
}
