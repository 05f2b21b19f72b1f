package io.tidemark.kubernetes.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.NodeChange;
import io.tidemark.error.CoreError;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.store.ClusterNodes;
import io.tidemark.testing.Repository;
import io.tidemark.time.SystemTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("kubernetes")
@Tag("long")
@DisplayName("The rights that deploy/node-cidr-cloud adds to those of deploy/node-cidr")
class NodeCidrCloudRightsOnServerTest {
  private static void add(Rights rights, String file) throws IOException {
    Path path = Repository.root().resolve("deploy/node-cidr-cloud").resolve(file);
    Manifests.of(file, Files.readString(path)).forEach(each -> each.create(rights.admin.client()));
  }

  @Test
  @DisplayName("NC-AM38 is the patch of nodes/status: without it the condition is refused")
  void status(@TempDir Path folder) throws Exception {
    try (Rights rights = new Rights(Manifests.NODE_CIDR, folder);
        ClusterNodes nodes =
            ClusterNodes.watch(
                rights.account, SystemTime.instance(), Runnable::run, changed -> {})) {
      rights.make("/api/v1/nodes", "Node", "\"name\":\"n1\"", "");
      Eventually.holds("it is listed", () -> nodes.latest("n1").isPresent());
      String uid = nodes.latest("n1").map(ClusterNode::uid).orElseThrow();

      assertThat(nodes.networkAvailable("n1", uid))
          .isInstanceOfSatisfying(
              NodeChange.Refused.class,
              refused -> assertThat(refused.detail()).contains("nodes/status"));

      add(rights, "clusterrole-status.yaml");
      Eventually.holds(
          "the right is there",
          () -> nodes.networkAvailable("n1", uid) instanceof NodeChange.Accepted);
      assertThat(nodes.latest("n1").flatMap(ClusterNode::networkUnavailable)).contains(false);
    }
  }

  @Test
  @DisplayName(
      "NC-AM38 are Events on the lease: without them problems at the cloud are not reported")
  void notices(@TempDir Path folder) throws Exception {
    try (Rights rights = new Rights(Manifests.NODE_CIDR, folder)) {
      assertThat(rights.complaints(complaints -> notify(rights)))
          .singleElement()
          .asString()
          .contains("cannot create resource \"events\"");

      add(rights, "role-notices.yaml");
      assertThat(rights.complaints(complaints -> notify(rights))).isEmpty();
    }
  }

  private static void notify(Rights rights) {
    rights.reportTwice(
        (events, lease) ->
            events
                .onLease(Manifests.NAMESPACE, lease, () -> Optional.of("u"))
                .report(CoreError.CLUSTER_UNNAMED, "none"));
  }
}
