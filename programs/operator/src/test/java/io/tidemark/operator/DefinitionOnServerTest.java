package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceSubresources;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.ApiServer.User;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.Eventually;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("kubernetes")
@DisplayName("The program on a cluster whose definition of CiliumNodes does not suit")
class DefinitionOnServerTest {
  private static final String NAME = "ciliumnodes.cilium.io";
  private static final List<String> NODES = List.of("worker-a", "worker-b");

  private static void create(CiliumNodes nodes, String name) {
    nodes.create(
        """
            {"apiVersion":"cilium.io/v2","kind":"CiliumNode","metadata":{"name":"NAME"},
             "spec":{"instance-id":"i-NAME","ipam":{"pre-allocate":8},"eni":{
               "availability-zone":"eu-central-1a","first-interface-index":0,
               "instance-type":"m5.large","node-subnet-id":"subnet-a","vpc-id":"vpc-1"}}}
            """
            .replace("NAME", name));
  }

  private static void subresources(
      ClusterConnection admin, @Nullable CustomResourceSubresources now) {
    admin
        .client()
        .apiextensions()
        .v1()
        .customResourceDefinitions()
        .withName(NAME)
        .edit(
            definition -> {
              definition.getSpec().getVersions().get(0).setSubresources(now);
              return definition;
            });
  }

  private static String readyz(Program program) throws Exception {
    return program.ask("/readyz").body();
  }

  @Test
  @DisplayName(
      "without the status, nodes are not ok and the program not ready until it is there; and not"
          + " ready when the definition is deleted")
  void unsuitable() throws Exception {
    try (ApiServer server = ApiServer.start();
        ClusterConnection admin = server.connect(User.ADMIN)) {
      CiliumNodes nodes = new CiliumNodes(admin);
      CustomResourceSubresources suitable =
          admin
              .client()
              .apiextensions()
              .v1()
              .customResourceDefinitions()
              .withName(NAME)
              .get()
              .getSpec()
              .getVersions()
              .get(0)
              .getSubresources();
      subresources(admin, null);
      NODES.forEach(name -> create(nodes, name));
      Program program =
          Program.start(
              Program.arguments(
                  "run --provider=mock --port=0 --nodes-gc-interval=0",
                  "--kubeconfig=" + server.kubeconfig(User.ADMIN)));
      Eventually.holds("it is not ready", () -> readyz(program).contains("TM-1107"));
      Eventually.holds(
          "the nodes are refused",
          () -> program.ask("/status").body().contains("\"TM-1213\" : " + NODES.size()));
      assertThat(program.ask("/status").body())
          .contains("no subresource status")
          .doesNotContain("\"state\" : \"ok\"");
      assertThat(nodes.node("worker-a").pool().isEmpty()).isTrue();

      subresources(admin, suitable);
      Eventually.holds("it is ready", () -> readyz(program).equals("ready\n"));
      for (String name : NODES) {
        Eventually.holds(name + " is served", () -> nodes.node(name).pool().size() == 8);
      }
      Eventually.holds(
          "the nodes are ok",
          () -> program.ask("/status").body().contains("\"ok\" : " + NODES.size()));

      admin.client().apiextensions().v1().customResourceDefinitions().withName(NAME).delete();
      Eventually.holds(
          "it is not ready",
          () -> readyz(program).contains("TM-1107") || readyz(program).contains("has no Cilium"));
      assertThat(program.stop().exitCode()).isZero();
    }
  }
}
