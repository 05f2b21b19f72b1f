package io.tidemark.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.tidemark.kubernetes.demand.ClusterPods;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.ApiServer.User;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.store.ClusterNodes;
import io.tidemark.kubernetes.store.KubernetesNodeResourceStore;
import io.tidemark.time.SystemTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("kubernetes")
@Tag("long")
@DisplayName("Credentials and a real API server, which ends the connection of a refused one")
class CredentialsOnServerTest {
  private static final int REQUESTS = 40;

  @TempDir private Path folder;

  @Test
  @DisplayName("a wrong token is one warning with 401 and the remedy; a right one is taken at once")
  void wrongToken() throws Exception {
    try (LogRecord log = new LogRecord();
        ApiServer server = ApiServer.start()) {
      String right = Files.readString(server.kubeconfig(User.ADMIN));
      String wrong = right.replaceAll("token: [^}]+", "token: wrong-token");
      assertThat(wrong).isNotEqualTo(right);
      Path file = Files.writeString(folder.resolve("kubeconfig"), wrong);
      try (ClusterConnection connection =
              ClusterConnection.open(
                  new ClusterAccess(Optional.of(file), Optional.empty(), Duration.ofSeconds(10)));
          KubernetesNodeResourceStore store =
              KubernetesNodeResourceStore.open(connection, SystemTime.instance(), Runnable::run);
          ClusterPods pods = ClusterPods.watch(connection, node -> {});
          ClusterNodes nodes =
              ClusterNodes.watch(connection, SystemTime.instance(), Runnable::run, node -> {})) {
        AtomicInteger asked = new AtomicInteger();
        Eventually.holds(
            "the cause is known, and was met often",
            () ->
                store.get("n1").toString().contains("401 Unauthorized")
                    && asked.incrementAndGet() > REQUESTS);
        assertThat(store.trouble().orElseThrow())
            .contains("401 Unauthorized")
            .contains(connection.server())
            .contains("in " + file)
            .contains("Log in again");
        assertThat(log.messages(Level.WARN)).hasSize(1);
        assertThat(log.messages(Level.WARN).get(0)).contains("401 Unauthorized").contains("Log in");
        Files.writeString(file, right);
        Eventually.holds("all is listed", store::hasListed);
        Eventually.holds("nodes are listed", () -> nodes.exists("n1").isPresent());
        Eventually.holds("pods are listed", () -> pods.onNode("n1").isPresent());
      }
      assertThat(log.messages(Level.WARN)).hasSize(1);
      assertThat(log.messages(Level.INFO))
          .anyMatch(line -> line.contains("accepts the credentials"));
    }
  }
}
