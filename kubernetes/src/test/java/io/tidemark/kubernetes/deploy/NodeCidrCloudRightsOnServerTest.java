package io.tidemark.kubernetes.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.NodeChange;
import io.tidemark.kubernetes.ClusterAccess;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.deploy.Manifests.Manifest;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.store.ClusterNodes;
import io.tidemark.time.SystemTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("kubernetes")
@DisplayName("The right that deploy/node-cidr-cloud adds to those of deploy/node-cidr")
class NodeCidrCloudRightsOnServerTest {
  private static final Path ROLE =
      Path.of("..", "deploy", "node-cidr-cloud", "clusterrole-status.yaml");

  @Test
  @DisplayName("NC-AM38 is the patch of nodes/status: without it the condition is refused")
  void status(@TempDir Path folder) throws Exception {
    Rights rights = new Rights(Manifests.NODE_CIDR);
    try (rights;
        ClusterConnection account =
            ClusterConnection.open(
                new ClusterAccess(
                    Optional.of(rights.kubeconfig(folder, rights.token())),
                    Optional.empty(),
                    Duration.ofSeconds(10)));
        ClusterNodes nodes =
            ClusterNodes.watch(account, SystemTime.instance(), Runnable::run, changed -> {})) {
      String node = "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\"}}";
      String unused = rights.admin.client().raw("/api/v1/nodes", "POST", node);
      Eventually.holds("it is listed", () -> nodes.latest("n1").isPresent());
      String uid = nodes.latest("n1").map(ClusterNode::uid).orElseThrow();

      assertThat(nodes.networkAvailable("n1", uid))
          .isInstanceOfSatisfying(
              NodeChange.Refused.class,
              refused -> assertThat(refused.detail()).contains("nodes/status"));

      List<Manifest> added = Manifests.of("clusterrole-status.yaml", Files.readString(ROLE));
      added.forEach(each -> each.create(rights.admin.client()));
      Eventually.holds(
          "the right is there",
          () -> nodes.networkAvailable("n1", uid) instanceof NodeChange.Accepted);
      assertThat(nodes.latest("n1").flatMap(ClusterNode::networkUnavailable)).contains(false);
    }
  }
}
