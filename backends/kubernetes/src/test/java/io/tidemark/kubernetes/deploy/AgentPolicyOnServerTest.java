package io.tidemark.kubernetes.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.deploy.Manifests.Manifest;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.store.KubernetesNodeResourceStore;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.StoreResult;
import io.tidemark.time.SystemTime;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("kubernetes")
@Tag("long")
@DisplayName("The admission policy of deploy/agent holds each agent to the node of its Pod")
class AgentPolicyOnServerTest {
  @AutoClose private static Rights rights;
  private static CiliumNodes nodes;

  @TempDir private Path folder;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    rights = new Rights(Manifests.AGENT, folder);
    nodes = new CiliumNodes(rights.admin);
    for (Manifest each : Manifests.AGENT.all()) {
      if (each.file().contains("policy")) {
        each.create(rights.admin.client());
      }
    }
  }

  @AfterEach
  void clear() {
    nodes.clear();
  }

  /** The token of an agent's Pod on that node, as the kubelet gets it. */
  private static String tokenOn(String node) {
    String pod = "agent-" + node;
    rights.make(
        "/api/v1/namespaces/kube-system/pods",
        "Pod",
        "\"name\":\"" + pod + '"',
        "\"nodeName\":\"%s\",\"serviceAccountName\":\"%s\",\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]"
            .formatted(node, Manifests.AGENT.account()));
    return rights
        .admin
        .client()
        .serviceAccounts()
        .inNamespace(Manifests.NAMESPACE)
        .withName(Manifests.AGENT.account())
        .tokenRequest(
            new TokenRequestBuilder()
                .withNewSpec()
                .withNewBoundObjectRef()
                .withApiVersion("v1")
                .withKind("Pod")
                .withName(pod)
                .endBoundObjectRef()
                .endSpec()
                .build())
        .getStatus()
        .getToken();
  }

  private KubernetesNodeResourceStore store(ClusterConnection connection, String node) {
    return KubernetesNodeResourceStore.ofNode(
        node, "tidemark-agent", connection, SystemTime.instance(), Runnable::run);
  }

  private ClusterConnection connect(String token) throws Exception {
    return ClusterConnection.open(rights.access(folder, token));
  }

  private static String refusal(StoreResult result) {
    assertThat(result).isInstanceOf(StoreResult.Refused.class);
    return ((StoreResult.Refused) result).detail();
  }

  @Test
  @DisplayName("it creates and changes the object of its node, and is refused that of another")
  void own() throws Exception {
    NodeResource other = nodes.create(NodeResource.named("n2").withInstanceId("i-2"));
    try (ClusterConnection connection = connect(tokenOn("n1"));
        KubernetesNodeResourceStore store = store(connection, "n1")) {
      Eventually.holds(
          "the policy is in force",
          () -> store.create(NodeResource.named("n3")) instanceof StoreResult.Refused);
      StoreResult made = store.create(NodeResource.named("n1"));
      assertThat(made).isInstanceOf(StoreResult.Stored.class);
      NodeResource object = ((StoreResult.Stored) made).resource();
      StoreResult asked = store.update(object, object.withPreAllocate(3));
      assertThat(asked).isInstanceOf(StoreResult.Stored.class);

      assertThat(refusal(store.update(other, other.withPreAllocate(3))))
          .contains("the agent of node n1 writes the CiliumNode of its own node only, not n2");
      assertThat(refusal(store.create(NodeResource.named("n4")))).contains("not n4");
    }
    assertThat(nodes.node("n2").ipam().preAllocate()).isZero();
  }

  @Test
  @DisplayName("a token of no Pod writes nothing; others than agents are not concerned")
  void others() throws Exception {
    try (ClusterConnection connection = connect(rights.token());
        KubernetesNodeResourceStore store = store(connection, "n1")) {
      Eventually.holds(
          "the policy is in force",
          () -> store.create(NodeResource.named("n1")) instanceof StoreResult.Refused);
    }
    assertThat(nodes.create(NodeResource.named("n1")).name()).isEqualTo("n1");
  }
}
