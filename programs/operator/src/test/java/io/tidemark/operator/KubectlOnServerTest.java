package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.ApiServer.User;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.PodAddress;
import io.tidemark.operator.Program.Result;
import io.tidemark.testing.Repository;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("kubernetes")
@Tag("long")
@DisplayName("kubectl tidemark through a real API server")
class KubectlOnServerTest {
  private static final String LABEL = "tidemark-operator";

  @RegisterExtension private static final ApiServer server = ApiServer.ofClass();
  private static Path kubeconfig;
  private static String address;

  @BeforeAll
  static void start() throws Exception {
    kubeconfig = server.kubeconfig(User.ADMIN);
    address = PodAddress.ofThisMachine();
    String made = Repository.text("examples/kubernetes/ciliumnode.yaml");
    HasMetadata node = server.admin().client().getKubernetesSerialization().unmarshal(made);
    server.admin().client().resource(node).create();
  }

  @AfterEach
  void clear() {
    server.admin().client().pods().inNamespace(KubectlWorld.NAMESPACE).withGracePeriod(0).delete();
    server.admin().client().leases().inNamespace(KubectlWorld.NAMESPACE).delete();
  }

  private static Program operator(String... more) {
    return Program.start(
        Program.arguments(
            "run --provider=mock --port=0 --leader-election-namespace=kube-system"
                + " --nodes-gc-interval=0 --listen="
                + address,
            "--kubeconfig=" + kubeconfig,
            more));
  }

  private static void pod(String name, String host, int port) {
    KubectlWorld.pod(server.admin().client(), name, host, address, port, LABEL);
  }

  private static Result kubectl(Path config, String words) {
    return Program.run(Program.arguments("kubectl " + words, "--kubeconfig=" + config));
  }

  private static String hostOfLeader() {
    String identity =
        server
            .admin()
            .client()
            .leases()
            .inNamespace(KubectlWorld.NAMESPACE)
            .withName(LABEL)
            .get()
            .getSpec()
            .getHolderIdentity();
    return identity.substring(identity.indexOf('@') + 1, identity.lastIndexOf('_'));
  }

  /** Gives the rights of the folder to a group of this server. */
  private static void grant(KubernetesClient client) {
    for (String file : List.of("clusterrole.yaml", "role.yaml")) {
      String text = Repository.text("deploy/kubectl/" + file);
      for (String each :
          text.replace("  kind: Group\n  name: tidemark-kubectl", "  kind: Group\n  name: nobodies")
              .split("(?m)^---$", -1)) {
        HasMetadata object = client.getKubernetesSerialization().unmarshal(each);
        client.resource(object).create();
      }
    }
  }

  @Test
  @DisplayName("KC-1 the leader answers, found by its lease, a standby does not; rights suffice")
  void leader() throws Exception {
    Program first = operator();
    first.awaitErr("This operator leads");
    first.awaitErr("node=worker-a state=ok");
    Program second = operator();
    second.awaitErr("On standby for the lease");
    pod("op-a", "another-host", second.awaitPort());
    pod("op-b", hostOfLeader(), first.awaitPort());
    Path user = server.kubeconfig(User.NOBODY);

    Result refused = kubectl(user, "status").ends(2);
    grant(server.admin().client());
    Eventually.holds(
        "the rights are granted", () -> kubectl(user, "status").err().contains("from the leader"));
    Result status = kubectl(user, "status").ends(0);
    JsonNode json = Reports.status(kubectl(user, "status --output=json"));
    Result explain = kubectl(user, "explain worker-a");
    kubectl(user, "doctor").ends(0);

    assertThat(refused.err())
        .contains("lease tidemark-operator cannot be read", "cannot list resource \"pods\"")
        .contains("the nodes cannot be listed: ");
    assertThat(status.err()).contains("from the leader kube-system/op-b, lease renewed ");
    assertThat(status.out()).contains("worker-a     0          8       0       0           1  ok");
    assertThat(json.at("/summary/leading").asText()).isEqualTo("leader");
    assertThat(json.at("/summary/lease").asText()).isEqualTo(LABEL);
    assertThat(explain.out()).contains("plan: idle");

    server
        .admin()
        .client()
        .pods()
        .inNamespace(KubectlWorld.NAMESPACE)
        .withName("op-b")
        .withGracePeriod(0)
        .delete();
    Result standby = kubectl(user, "status");
    withoutProxyRight();
    Eventually.holds(
        "the right is taken",
        () -> kubectl(user, "status").err().contains("cannot get resource \"pods/proxy\""));
    Result forbidden = kubectl(user, "status").ends(0);
    assertThat(standby.err())
        .contains(
            "no operator answers, so the objects are read: Pod kube-system/op-a is on standby");
    assertThat(standby.out()).contains("worker-a     0          8  unknown");
    assertThat(forbidden.out()).isEqualTo(standby.out());
    assertThat(first.stop().exitCode()).isZero();
    assertThat(second.stop().exitCode()).isZero();
  }

  private static void withoutProxyRight() {
    server
        .admin()
        .client()
        .rbac()
        .roles()
        .inNamespace(KubectlWorld.NAMESPACE)
        .withName("tidemark-kubectl")
        .edit(
            role ->
                new RoleBuilder(role)
                    .removeMatchingFromRules(rule -> rule.getResources().contains("pods/proxy"))
                    .build());
  }

  @Test
  @DisplayName(
      "KC-2 a Pod that nothing listens on, one on loopback, and none: the objects are read")
  void silent() throws Exception {
    Result none = kubectl(kubeconfig, "status");
    KubectlWorld.pod(server.admin().client(), "op-loopback", "h", "127.0.0.1", 9973, LABEL);
    Result loopback = kubectl(kubeconfig, "status");
    pod("op-gone", "h", 1);
    Result gone = kubectl(kubeconfig, "status");
    String nodes = server.admin().client().raw(CiliumNodes.PATH);

    for (Result each : List.of(none, loopback, gone)) {
      assertThat(each.exitCode()).as(each.err()).isZero();
      assertThat(each.out()).contains("worker-a").contains("unknown");
    }
    assertThat(none.err()).contains("no Pod of an operator runs in namespace kube-system");
    assertThat(loopback.err()).contains("Pod kube-system/op-loopback cannot be asked: ");
    assertThat(loopback.err()).contains("address not allowed");
    assertThat(gone.err()).contains("Pod kube-system/op-gone cannot be asked: ", "refused");
    assertThat(nodes).contains("worker-a");
  }
}
