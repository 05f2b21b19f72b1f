package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.tidemark.ip.IpAddress;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.ApiServer.User;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.Eventually;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("kubernetes")
@Tag("long")
@DisplayName("A second program that writes spec.ipam.pool of a node in a cluster")
class SecondOwnerTest {
  private static final String NODE = "worker-a";
  private static final IpAddress FOREIGN = IpAddress.parse("10.99.0.9");

  @Test
  @DisplayName("nothing is written any more, and status, metric and Event name it")
  void named() throws Exception {
    try (ApiServer server = ApiServer.start();
        ClusterConnection admin = server.connect(User.ADMIN)) {
      CiliumNodes nodes = new CiliumNodes(admin);
      nodes.create(
          """
              {"apiVersion":"cilium.io/v2","kind":"CiliumNode","metadata":{"name":"worker-a"},
               "spec":{"instance-id":"i-0a10000000000000a","ipam":{"pre-allocate":8},"eni":{
                 "availability-zone":"eu-central-1a","first-interface-index":0,
                 "instance-type":"m5.large","node-subnet-id":"subnet-a","vpc-id":"vpc-1"}}}
              """);
      Program program =
          Program.start(
              "run",
              "--provider=mock",
              "--port=0",
              "--kubeconfig=" + server.kubeconfig(User.ADMIN));
      Eventually.holds("the pool is filled", () -> nodes.node(NODE).pool().size() == 8);

      nodes.writeSpecAs(
          "other-operator", CiliumNodes.withPoolAddress(nodes.node(NODE), "eni-9", FOREIGN));
      Eventually.holds(
          "the metric names it",
          () ->
              program
                  .ask("/metrics")
                  .body()
                  .contains(
                      "cilium_operator_ipam_second_owner{manager=\"other-operator\","
                          + "target_node=\"worker-a\"} 1.0"));
      assertThat(program.ask("/status").body()).contains("TM-1217").contains("'other-operator'");
      Eventually.holds("the Event is there", () -> !events(admin).isEmpty());
      Event event = events(admin).get(0);
      assertThat(event.getReason()).isEqualTo("SecondOwner");
      assertThat(event.getType()).isEqualTo("Warning");
      assertThat(event.getMessage()).contains("TM-1217").contains("'other-operator'");
      assertThat(nodes.node(NODE).pool().contains(FOREIGN)).as("it is left as it is").isTrue();
      assertThat(program.stop().exitCode()).isZero();
      assertThat(nodes.node(NODE).pool().contains(FOREIGN)).isTrue();
    }
  }

  private static List<Event> events(ClusterConnection admin) {
    return admin
        .client()
        .v1()
        .events()
        .inNamespace("default")
        .withField("involvedObject.kind", "CiliumNode")
        .withField("involvedObject.name", "worker-a")
        .list()
        .getItems();
  }
}
