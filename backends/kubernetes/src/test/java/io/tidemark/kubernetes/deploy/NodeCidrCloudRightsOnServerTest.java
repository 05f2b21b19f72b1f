package io.tidemark.kubernetes.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.NodeChange;
import io.tidemark.error.CoreError;
import io.tidemark.kubernetes.ClusterAccess;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.events.ClusterEvents;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.store.ClusterNodes;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.testing.Repository;
import io.tidemark.time.PooledEffectRunner;
import io.tidemark.time.SystemTime;
import io.tidemark.time.TaskScheduler;
import io.tidemark.time.ThreadTaskScheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
      rights.admin.client().raw("/api/v1/nodes", "POST", node);
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
  void notices() throws Exception {
    try (Rights rights = new Rights(Manifests.NODE_CIDR);
        ThreadTaskScheduler scheduler = ThreadTaskScheduler.start("rights", SystemTime.instance());
        PooledEffectRunner effects = new PooledEffectRunner("rights", 4, 64, scheduler)) {
      assertThat(rights.complaints(complaints -> notify(rights, effects, scheduler)))
          .singleElement()
          .asString()
          .contains("cannot create resource \"events\"");

      add(rights, "role-notices.yaml");
      assertThat(rights.complaints(complaints -> notify(rights, effects, scheduler))).isEmpty();
    }
  }

  /** Reports the same problem twice: the second time counts up. */
  private static void notify(Rights rights, PooledEffectRunner effects, TaskScheduler scheduler) {
    ClusterEvents events = ClusterEvents.of(rights.account, "test", effects, scheduler);
    OperatorNotices notices =
        events.onLease(Manifests.NAMESPACE, "tidemark-node-cidr", () -> Optional.of("u"));
    for (int count = 1; count <= 2; count++) {
      int expected = count;
      notices.report(CoreError.CLUSTER_UNNAMED, "none");
      Eventually.holds(
          "the Event is recorded or refused",
          () ->
              rights.hasWarned()
                  || rights
                      .admin
                      .client()
                      .v1()
                      .events()
                      .inNamespace(Manifests.NAMESPACE)
                      .list()
                      .getItems()
                      .stream()
                      .anyMatch(event -> event.getCount() == expected));
    }
    events.close();
  }
}
