package io.tidemark.kubernetes.demand;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodListBuilder;
import io.tidemark.cluster.PoolMetadata.Answer;
import io.tidemark.ip.IpFamily;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.MockCluster;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("The pools that the pods of a node prefer (allocators 8)")
class NodePodPoolsTest {
  private static final String IPV4_POOL = "ipam.cilium.io/ipv4-pool";
  private static final String POOL = "ipam.cilium.io/ip-pool";

  @RegisterExtension private final MockCluster cluster = MockCluster.start();

  private final ClusterConnection connection = cluster.connection();

  /** The list that the API server makes of the pods with {@code spec.nodeName=n1}. */
  private void listed(Pod... pods) {
    String list =
        connection
            .client()
            .getKubernetesSerialization()
            .asJson(
                new PodListBuilder()
                    .withNewMetadata()
                    .withResourceVersion("1")
                    .endMetadata()
                    .withItems(pods)
                    .build());
    cluster.answerOnce(
        asked -> asked.path().startsWith("/api/v1/pods?fieldSelector=spec.nodeName%3Dn1&limit="),
        MockCluster.json(list));
  }

  private static Pod pod(String name, Map<String, String> annotations) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace("team")
        .withName(name)
        .withAnnotations(annotations)
        .endMetadata()
        .build();
  }

  private void namespace(Map<String, String> annotations) {
    Namespace object =
        new NamespaceBuilder()
            .withNewMetadata()
            .withName("team")
            .withAnnotations(annotations)
            .endMetadata()
            .build();
    connection.client().resource(object).create();
  }

  private static void answers(NodePodPools pools, String owner, Answer expected) {
    Eventually.holds(
        owner + " prefers " + expected, () -> pools.poolOf(owner, IpFamily.IPV4).equals(expected));
  }

  @Test
  @DisplayName("A62 The pods of the node are known with their annotations, and so is the namespace")
  void pods() {
    namespace(Map.of(POOL, "team-pool", "other", "x"));
    listed(pod("own", Map.of(IPV4_POOL, "four", POOL, "any", "other", "x")), pod("none", Map.of()));
    try (NodePodPools pools = NodePodPools.watch(connection, "n1")) {
      answers(pools, "team/own", new Answer.Named("four"));
      assertThat(pools.poolOf("team/own", IpFamily.IPV6)).isEqualTo(new Answer.Named("any"));
      answers(pools, "team/none", new Answer.Named("team-pool"));
      assertThat(pools.poolOf("router", IpFamily.IPV4)).isEqualTo(new Answer.Default());
      assertThat(pools.poolOf("team/far", IpFamily.IPV4))
          .isEqualTo(new Answer.Unknown("pod team/far is not known"));
    }
  }

  @Test
  @DisplayName("A62 Before pods and namespaces are listed, no preference is known")
  void notListed() {
    AtomicBoolean broken = new AtomicBoolean(true);
    cluster.answerEach(
        asked -> broken.get() && asked.path().startsWith("/api/v1/pods"),
        MockCluster.status(500, "x", "broken"));
    listed(pod("a", Map.of()));
    try (NodePodPools pools = NodePodPools.watch(connection, "n1")) {
      assertThat(pools.poolOf("team/a", IpFamily.IPV4))
          .isEqualTo(new Answer.Unknown("pod team/a is not known"));
      broken.set(false);
      answers(pools, "team/a", new Answer.Unknown("namespace team is not known"));
      namespace(Map.of());
      answers(pools, "team/a", new Answer.Default());
    }
  }
}
