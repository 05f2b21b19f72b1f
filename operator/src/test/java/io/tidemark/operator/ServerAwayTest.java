package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kubernetes.server.Kubeconfig;
import io.tidemark.operator.Program.Result;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
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
                  "--k8s-request-timeout=10m"));

      assertThat(result.exitCode()).isEqualTo(4);
      assertThat(result.err())
          .contains("were not read within 1 s: the API server " + server)
          .containsAnyOf("does not answer", "has not sent the nodes yet");
    }
  }
}
