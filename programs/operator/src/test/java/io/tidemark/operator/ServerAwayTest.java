package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kubernetes.server.Kubeconfig;
import io.tidemark.kubernetes.server.MockCluster;
import io.tidemark.operator.Program.Result;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("An API server that takes connections and never answers")
class ServerAwayTest {
  @TempDir private Path folder;

  @Test
  @DisplayName("ends status within its timeout, with 4 and the server's address")
  void silent() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String server = "http://127.0.0.1:" + silent.getLocalPort();
      Path kubeconfig = Kubeconfig.write(folder, server);

      Result result =
          Program.run(
                  Program.arguments(
                      "status --provider=aws --timeout=1s --aws-region=eu-central-1",
                      "--kubeconfig=" + kubeconfig,
                      "--k8s-request-timeout=10m"))
              .ends(4);

      assertThat(result.err())
          .contains("were not read within 1 s: the API server " + server)
          .containsAnyOf("does not answer", "has not sent the nodes yet");
    }
  }

  @Test
  @DisplayName("ends run --once within its timeout, and claims no other operator")
  void once() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Path kubeconfig = Kubeconfig.write(folder, "http://127.0.0.1:" + silent.getLocalPort());

      Result result =
          Program.run(
                  Program.arguments(
                      "run --provider=mock --once --timeout=1s", "--kubeconfig=" + kubeconfig))
              .ends(4);

      assertThat(result.err())
          .contains("not started within 1 s: the API server")
          .doesNotContain("another operator");
    }
  }

  @Test
  @DisplayName("ends a leader, whose last line tells why the lease is lost")
  void leader() throws Exception {
    try (MockCluster cluster = MockCluster.start()) {
      Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), cluster.kubeconfig(""));
      Program program =
          Program.start(
              Program.arguments(
                  "run --provider=mock --port=0 --leader-election-lease-duration=3s"
                      + " --leader-election-renew-deadline=2s --leader-election-retry-period=500ms",
                  "--kubeconfig=" + kubeconfig));
      program.awaitErr("This operator leads");
      cluster.answerAll(
          Optional.of(MockCluster.status(500, "InternalError", "etcdserver: no leader")));
      program.awaitErr("Start this operator again as a standby.");
      assertThat(program.stop().ends(1).err())
          .contains("tidemark: the lease is lost: it was not renewed for 2 s; lease ")
          .contains("etcdserver: no leader")
          .doesNotContain("another operator");
    }
  }
}
