package io.tidemark.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodListBuilder;
import io.fabric8.mockwebserver.http.MockResponse;
import io.tidemark.ip.Cidr;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.MockCluster;
import io.tidemark.resource.AddressDemand;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodPools;
import io.tidemark.resource.PodPools.PoolCidrs;
import io.tidemark.testing.Hang;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(5 * Hang.SECONDS)
@DisplayName("The command agent with pools that consist of CIDRs, on a cluster")
class PoolAgentInClusterTest {
  @TempDir private Path folder;

  private final MockCluster cluster = MockCluster.start();
  private ClusterConnection connection;
  private CiliumNodes nodes;
  private AgentRun agent;

  @BeforeEach
  void connect() throws Exception {
    connection = cluster.connect(folder);
    nodes = new CiliumNodes(connection);
    agent = new AgentRun(folder);
    connection
        .client()
        .raw(
            "/api/v1/nodes",
            "POST",
            "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"n1\"}}");
    connection
        .client()
        .resource(new NamespaceBuilder().withNewMetadata().withName("team").endMetadata().build())
        .create();
    String pods =
        connection
            .client()
            .getKubernetesSerialization()
            .asJson(
                new PodListBuilder()
                    .withNewMetadata()
                    .withResourceVersion("1")
                    .endMetadata()
                    .addToItems(
                        new PodBuilder()
                            .withNewMetadata()
                            .withNamespace("team")
                            .withName("pod-a")
                            .addToAnnotations("ipam.cilium.io/ip-pool", "mars")
                            .endMetadata()
                            .build())
                    .build());
    cluster.answerOnce(
        asked -> asked.path().startsWith("/api/v1/pods?fieldSelector=spec.nodeName%3Dn1&limit="),
        new MockResponse()
            .setResponseCode(200)
            .setHeader("Content-Type", "application/json")
            .setBody(pods));
  }

  @AfterEach
  void close() {
    connection.close();
    cluster.close();
  }

  private Map<String, AddressDemand> requested() {
    return nodes.all().isEmpty() ? Map.of() : nodes.node("n1").pools().requested();
  }

  private void offer(String pool, String cidr) {
    NodeResource node = nodes.node("n1");
    TreeMap<String, PoolCidrs> allocated = new TreeMap<>(node.pools().allocated());
    allocated.put(pool, PoolCidrs.of(Cidr.parse(cidr)));
    nodes.writeSpec(node.withPools(new PodPools(node.pools().requested(), allocated)));
  }

  @Test
  @DisplayName("A51 A62 It creates its object, asks for the pools that pods name, and serves them")
  void annotated() throws Exception {
    agent.start(
        "--kubeconfig=" + folder.resolve("kubeconfig"),
        "--ipam=multi-pool",
        "--enable-ipv6=false",
        "--ipam-cilium-node-update-rate=1s",
        "--cni-add-wait=1s");
    Eventually.holds(
        "the demand", () -> requested().equals(Map.of("default", new AddressDemand(8, 0))));
    offer("default", "10.0.0.0/27");
    agent.serving.await();
    assertThat(agent.ask("ADD", "c1")).contains("\"address\":\"10.0.0.");
    Eventually.holds(
        "the pool of the pod is known",
        () -> !agent.ask("ADD", "pod-a").contains("pod team/pod-a is not known"));
    assertThat(agent.ask("ADD", "pod-a")).contains("\"code\":11", "addresses of pool mars");
    assertThat(agent.ask("ADD", "pod-x")).contains("\"code\":11", "pod team/pod-x is not known");
    assertThat(agent.ask("STATUS", "c1")).isEqualTo("200 ");
    Eventually.holds("mars", () -> requested().containsKey("mars"));
    offer("mars", "10.9.0.0/28");
    Eventually.holds(
        "an address of mars", () -> agent.ask("ADD", "pod-a").contains("\"address\":\"10.9.0."));
    assertThat(agent.ask("ADD", "c2", ",\"pool\":\"mars\"")).contains("\"address\":\"10.9.0.");
    agent.end();
    assertThat(nodes.node("n1").owned()).isTrue();
  }
}
