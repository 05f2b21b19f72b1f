package io.tidemark.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.tidemark.kubernetes.demand.ClusterPods;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.Kubeconfig;
import io.tidemark.kubernetes.server.MockCluster;
import io.tidemark.kubernetes.store.ClusterNodes;
import io.tidemark.kubernetes.store.KubernetesNodeResourceStore;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.StoreResult;
import io.tidemark.testing.Hang;
import io.tidemark.time.SystemTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A server that refuses the credentials, or does not answer")
class RefusedCredentialsTest {
  @TempDir private Path folder;

  @Test
  @DisplayName(
      "401: one warning with the credential and the remedy, however often; one message when mended")
  void refused() throws Exception {
    try (LogRecord log = new LogRecord();
        MockCluster cluster = MockCluster.start()) {
      cluster.answerAll(Optional.of(MockCluster.status(401, "Unauthorized", "Unauthorized")));
      try (ClusterConnection connection = cluster.connect(folder);
          KubernetesNodeResourceStore store = open(connection);
          ClusterPods pods = ClusterPods.watch(connection, node -> {});
          ClusterNodes nodes =
              ClusterNodes.watch(connection, SystemTime.instance(), Runnable::run, node -> {})) {
        Eventually.holds("it was asked often", () -> cluster.requests("GET").size() > 12);
        assertThat(store.get("n1").toString())
            .contains("401 Unauthorized")
            .contains("token of user 'user' in " + folder.resolve("kubeconfig"))
            .contains("http://127.0.0.1:" + cluster.port());
        assertThat(store.trouble().orElseThrow()).contains("401").contains("Log in again");
        assertThat(log.messages(Level.WARN)).hasSize(1);
        assertThat(log.messages(Level.WARN).get(0))
            .contains("401 Unauthorized")
            .contains("http://127.0.0.1:" + cluster.port())
            .contains("token of user 'user' in " + folder.resolve("kubeconfig"))
            .contains("Log in again")
            .doesNotContain("secret");
        cluster.answerAll(Optional.empty());
        Eventually.holds("all is listed", store::hasListed);
        NodeResource made = new CiliumNodes(connection).create(NodeResource.named("n1"));
        assertThat(store.get("n1")).isEqualTo(new StoreResult.Stored(made));
        assertThat(pods.onNode("n1")).isNotNull();
        assertThat(nodes.exists("n1")).isNotNull();
        Eventually.holds("no refusal is on its way", () -> store.trouble().isEmpty());
        // a refusal that was on its way is logged once more, and so is its end
        Eventually.holds(
            "each warning is taken back once",
            () ->
                log.messages(Level.INFO).stream()
                        .filter(line -> line.contains("accepts the credentials again"))
                        .count()
                    == log.messages(Level.WARN).size());
      }
    }
  }

  private static KubernetesNodeResourceStore open(ClusterConnection connection) {
    return KubernetesNodeResourceStore.open(connection, SystemTime.instance(), Runnable::run);
  }

  @Test
  @DisplayName("a token that was replaced in the kubeconfig is sent without a new start")
  void replaced() throws Exception {
    try (MockCluster cluster = MockCluster.start();
        ClusterConnection connection = cluster.connect(folder)) {
      Path file = folder.resolve("kubeconfig");
      Files.writeString(file, Files.readString(file).replace("token: secret", "token: renewed"));
      cluster.answerOnce(
          request -> request.authorization().equals("Bearer secret"),
          MockCluster.status(401, "Unauthorized", "Unauthorized"));
      assertThat(connection.client().configMaps().inNamespace("x").list().getItems()).isEmpty();
      assertThat(cluster.requests().get(1).authorization()).isEqualTo("Bearer renewed");
    }
  }

  @Test
  @DisplayName("no answer: every sentence names the server's address, each watch says it once")
  void away() throws Exception {
    String server = "http://127.0.0.1:1"; // nobody listens there
    Path file = Kubeconfig.write(folder, server);
    try (LogRecord log = new LogRecord();
        ClusterConnection connection =
            ClusterConnection.open(
                new ClusterAccess(Optional.of(file), Optional.empty(), Hang.LIMIT));
        KubernetesNodeResourceStore store = open(connection)) {
      Eventually.holds("trouble is told", () -> store.trouble().isPresent());
      assertThat(store.trouble().orElseThrow()).contains(server).contains("does not answer");
      assertThat(store.get("n1").toString()).contains(server).contains("does not answer");
      assertThat(ClusterIdentity.uid(connection)).isEmpty();
      List<String> warnings = log.messages(Level.WARN);
      assertThat(warnings).isNotEmpty().allMatch(line -> line.contains(server));
    }
  }
}
