package io.tidemark.kubernetes.demand;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.mockwebserver.http.MockResponse;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.WatchPace;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.MockCluster;
import io.tidemark.kubernetes.server.MockCluster.Asked;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Pods that wait, listed again")
class ClusterPodsTest {
  private static final WatchPace PACE =
      new WatchPace(
          WatchPace.USUAL.sockets(),
          Duration.ofMillis(20),
          WatchPace.USUAL.silence(),
          WatchPace.USUAL.closed(),
          WatchPace.USUAL.deadline(),
          Duration.ofMillis(200));

  @TempDir private Path folder;

  private static boolean asksForList(Asked asked) {
    return asked.path().startsWith("/api/v1/pods?") && !asked.path().contains("watch=true");
  }

  private static MockResponse list(String version, String uid, String node) {
    return MockCluster.json(
        """
            {"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"VERSION"},"items":[
             {"apiVersion":"v1","kind":"Pod",
              "metadata":{"name":"db-0","namespace":"ns","uid":"UID","resourceVersion":"VERSION"},
              "spec":{"nodeName":"NODE"},"status":{"phase":"Pending"}}]}
            """
            .replace("VERSION", version)
            .replace("UID", uid)
            .replace("NODE", node));
  }

  @Test
  @DisplayName("a pod that has the name of another one waits in its place")
  void otherUid() throws Exception {
    try (MockCluster cluster = MockCluster.start()) {
      cluster.answerOnce(ClusterPodsTest::asksForList, list("5", "u-1", "n1"));
      cluster.answerEach(ClusterPodsTest::asksForList, list("9", "u-2", "n2"));
      try (ClusterConnection connection = ClusterConnection.open(cluster.access(folder), PACE);
          ClusterPods pods = ClusterPods.watch(connection, node -> {})) {
        Eventually.holds("it waits", () -> pods.onNode("n2").equals(OptionalInt.of(1)));
        assertThat(pods.onNode("n1")).hasValue(0);
        assertThat(pods.unaddressed("n2")).containsExactly("ns/db-0");
        assertThat(pods.unaddressed("n1")).isEmpty();
      }
    }
  }
}
