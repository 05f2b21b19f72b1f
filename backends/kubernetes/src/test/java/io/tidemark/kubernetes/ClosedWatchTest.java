package io.tidemark.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.tidemark.kubernetes.demand.ClusterPods;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.Kubeconfig;
import io.tidemark.kubernetes.store.ClusterNodes;
import io.tidemark.kubernetes.store.KubernetesNodeResourceStore;
import io.tidemark.time.SystemTime;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A watch that was closed")
class ClosedWatchTest {
  private static final int WATCHES = 3;

  @TempDir private Path folder;

  @Test
  @DisplayName("logs nothing when the list request that was in flight fails later")
  void silent() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        LogRecord ours = new LogRecord("io.tidemark");
        LogRecord library = new LogRecord("io.fabric8.kubernetes")) {
      ClusterConnection connection = connect(silent.getLocalPort());
      KubernetesNodeResourceStore.open(connection, SystemTime.instance(), Runnable::run).close();
      ClusterPods.watch(connection, node -> {}).close();
      ClusterNodes.watch(connection, SystemTime.instance(), Runnable::run, node -> {}).close();
      connection.close();

      Eventually.holds(
          "the requests in flight failed", () -> library.messages(Level.WARN).size() >= WATCHES);
      assertThat(library.messages(Level.ERROR)).isEmpty();
      assertThat(ours.messages(Level.WARN)).isEmpty();
      assertThat(ours.messages(Level.ERROR)).isEmpty();
    }
  }

  private ClusterConnection connect(int port) throws Exception {
    Path kubeconfig = Kubeconfig.write(folder, "http://127.0.0.1:" + port);
    return ClusterConnection.open(
        new ClusterAccess(Optional.of(kubeconfig), Optional.empty(), Duration.ofSeconds(1)));
  }
}
