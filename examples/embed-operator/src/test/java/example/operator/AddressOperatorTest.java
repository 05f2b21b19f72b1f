package example.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.tidemark.cluster.NodeBackend;
import io.tidemark.engine.Tidemark;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.backend.KubernetesBackend;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.node.NodeReport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("kubernetes")
@Tag("long")
@DisplayName("An operator of another project")
class AddressOperatorTest {
  private static final List<String> NODES = List.of("node-a", "node-b");

  /** As an agent makes it. */
  private static String ciliumNode(String name) {
    return """
        {"apiVersion":"cilium.io/v2","kind":"CiliumNode","metadata":{"name":"NAME"},
         "spec":{"instance-id":"i-NAME","ipam":{"pre-allocate":8},"eni":{
           "availability-zone":"eu-central-1a","first-interface-index":0,
           "instance-type":"m5.large","node-subnet-id":"subnet-a","vpc-id":"vpc-1"}}}
        """
        .replace("NAME", name);
  }

  private static String label(KubernetesClient client, String node) {
    return String.valueOf(
        client.nodes().withName(node).get().getMetadata().getLabels().get(AddressLabels.LABEL));
  }

  @Test
  @DisplayName("reconciles beside the embedded engine, over the same client, and keeps the client")
  void worksBeside() throws Exception {
    try (ApiServer server = ApiServer.start();
        ClusterConnection admin = server.connect(ApiServer.User.ADMIN)) {
      KubernetesClient client = admin.client();
      CiliumNodes nodes = new CiliumNodes(admin);
      for (String name : NODES) {
        client
            .resource(new NodeBuilder().withNewMetadata().withName(name).endMetadata().build())
            .create();
        assertThat(nodes.create(ciliumNode(name)).pool().isEmpty()).isTrue();
      }
      AddressOperator operator = new AddressOperator(client, Map.of("cluster-name", "example"));
      operator.start();
      for (String name : NODES) {
        Eventually.holds(name + " has its pool", () -> nodes.node(name).pool().size() >= 8);
        Eventually.holds(name + " has its label", () -> label(client, name).equals("8"));
      }
      assertThat(lease(client).getSpec().getHolderIdentity()).isNotEmpty();

      assertThat(operator.stop().isClean()).isTrue();
      assertThat(client.nodes().list().getItems()).as("over the same client").hasSize(2);
      worksWithoutLease(client);
    }
  }

  private static Lease lease(KubernetesClient client) {
    return client.leases().inAnyNamespace().list().getItems().stream()
        .filter(lease -> lease.getMetadata().getName().equals("tidemark-operator"))
        .findFirst()
        .orElseThrow();
  }

  /** The program's own election, or a single replica: nobody asks for our lease. */
  private static void worksWithoutLease(KubernetesClient client) throws Exception {
    Lease before = lease(client);
    try (Tidemark tidemark =
        Tidemark.builder().provider("mock").store(KubernetesBackend.sharing(client)).build()) {
      assertThat(tidemark.start().toCompletableFuture().get(1, TimeUnit.MINUTES)).isTrue();
      Eventually.holds("all is settled", tidemark::isSettled);
      assertThat(tidemark.leading()).isEqualTo(NodeBackend.Leading.ALONE);
      assertThat(tidemark.reports()).extracting(NodeReport::available).containsExactly(8, 8);
      assertThat(tidemark.stop(Duration.ofSeconds(10)).isClean()).isTrue();
    }
    assertThat(lease(client).getMetadata().getResourceVersion())
        .isEqualTo(before.getMetadata().getResourceVersion());
  }
}
