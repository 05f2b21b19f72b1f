package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.Hang;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("process")
@DisplayName("A process of its own")
class ProcessTest {
  @TempDir private Path directory;

  private static Process start(String... arguments) throws IOException {
    return Program.process(List.of(arguments)).redirectErrorStream(true).start();
  }

  /** Sends SIGTERM after such a line; all that the process printed until it ended. */
  static String endedAt(Process process, String part) throws Exception {
    StringBuilder output = new StringBuilder();
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      String line = reader.readLine();
      while (line != null) {
        output.append(line).append('\n');
        if (line.contains(part)) {
          process.toHandle().destroy(); // leaves the streams open
        }
        line = reader.readLine();
      }
    }
    assertThat(process.waitFor(5 * Hang.SECONDS, TimeUnit.SECONDS)).isTrue();
    return output.toString();
  }

  @Test
  @DisplayName("ends orderly by SIGTERM, with 0 and the nodes written")
  void sigterm() throws Exception {
    Manifests manifests = new Manifests(directory).with("a.yaml", Manifests.fresh("worker-a"));
    Process process = start(Program.arguments("run --provider=mock --port=0", manifests.option()));
    String output = endedAt(process, "node=worker-a state=ok");

    assertThat(process.exitValue()).as(output).isZero();
    assertThat(output).contains("worker-a     0          8       0       0           1  ok");
    assertThat(manifests.read("a.yaml")).contains("pool:");
    assertThat(directory).isDirectoryNotContaining(file -> file.toString().contains("lock"));
  }

  /**
   * Sends SIGTERM, which ends a command that listens to nothing, too; what it printed until then.
   */
  private static String interrupted(Process process) throws Exception {
    process.toHandle().destroy();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(5 * Hang.SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isEqualTo(1);
    return output;
  }

  @Test
  @DisplayName("CO-1 is ended by SIGTERM in the middle of a simulation")
  void simulation() throws Exception {
    Process process = start("simulate", "--nodes=100000", "--pods-per-node=100", "--trace");
    assertThat(process.getInputStream().read()).isPositive();

    assertThat(interrupted(process)).doesNotContain("Violations");
  }

  @Test
  @DisplayName("CO-1 is ended by SIGTERM while it reads a standard input that does not end")
  void standardInput() throws Exception {
    Process process = start("node-cidr", "plan", "--cluster-cidr=10.244.0.0/16", "--nodes=-");
    // More than a pipe holds: it is written when the command reads.
    process
        .getOutputStream()
        .write("# a comment\n".repeat(50_000).getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();

    assertThat(interrupted(process)).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "kubectl status",
        "config --provider=mock --config-map=kube-system/cilium-config",
        "run --provider=mock --config-map=kube-system/cilium-config",
        "status --provider=mock",
        "doctor --provider=mock --migration",
      })
  @DisplayName("CO-1 is ended by SIGTERM while it waits for an API server that does not answer")
  void silentServer(String words) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Path kubeconfig = directory.resolve("kubeconfig");
      Files.writeString(
          kubeconfig,
          """
          apiVersion: v1
          kind: Config
          clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
          users: [{name: u, user: {}}]
          contexts: [{name: x, context: {cluster: c, user: u}}]
          current-context: x
          """
              .formatted(server.getLocalPort()));
      Process process = start(Program.arguments(words, "--kubeconfig=" + kubeconfig));
      try (Socket asked = server.accept()) {
        assertThat(asked.isConnected()).isTrue();
        assertThat(interrupted(process)).doesNotContain("TM-", "\tat ");
      }
    }
  }

  @Test
  @DisplayName("passes the exit code of its command on")
  void exitCode() throws Exception {
    Process process = start("run", "--provider=gcp", "--nodes=" + directory);

    assertThat(process.waitFor(5 * Hang.SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(2);
  }
}
