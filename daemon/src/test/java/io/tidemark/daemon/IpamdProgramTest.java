package io.tidemark.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.daemon.ipamd.grpc.RpcClient;
import io.tidemark.daemon.ipamd.grpc.Wire;
import io.tidemark.program.console.Console;
import io.tidemark.time.StopSignal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The command ipamd")
class IpamdProgramTest {
  @TempDir Path folder;
  private Path socket = Path.of("");
  private Path interfaces = Path.of("");
  private Path checkpoint = Path.of("");

  @BeforeEach
  void files() throws IOException {
    socket = folder.resolve("run/ipamd.sock");
    interfaces = folder.resolve("interfaces.json");
    checkpoint = folder.resolve("state/ipam.json");
    Files.writeString(
        interfaces,
        "{\"interfaces\":[{\"id\":\"eni-1\",\"device\":0,\"addresses\":[\"10.0.0.5\",\"10.0.0.6\"]}]}");
  }

  /** One run of the command in this process. */
  private final class Run {
    final StopSignal stop = new StopSignal();
    final CountDownLatch serving = new CountDownLatch(1);
    final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    int run(String... more) {
      List<String> arguments =
          new ArrayList<>(
              List.of(
                  "ipamd",
                  "--interfaces=" + interfaces,
                  "--ipamd-socket=" + socket,
                  "--checkpoint-path=" + checkpoint));
      arguments.addAll(List.of(more));
      OutputStream watched =
          new OutputStream() {
            @Override
            public synchronized void write(int b) {
              errors.write(b);
              if (b == '\n' && errors().contains("serving the plugin")) {
                serving.countDown();
              }
            }
          };
      PrintStream out = new PrintStream(OutputStream.nullOutputStream(), true, UTF_8);
      PrintStream err = new PrintStream(watched, true, UTF_8);
      Console console = new Console(out, err, false);
      return Main.run(console, stop, Map.of(), arguments.toArray(String[]::new));
    }

    String errors() {
      return errors.toString(UTF_8);
    }
  }

  private interface Calls {
    void with(RpcClient client) throws Exception;
  }

  /** Serves while {@code calls} run; the exit code must be that of a stop. */
  private void serving(Calls calls, String... more) throws Exception {
    Run run = new Run();
    CompletableFuture<Integer> end = CompletableFuture.supplyAsync(() -> run.run(more));
    Object unused = end.whenComplete((code, thrown) -> run.serving.countDown());
    run.serving.await();
    assertThat(end).as(run.errors()).isNotDone();
    try (RpcClient client = RpcClient.of(socket)) {
      calls.with(client);
    } finally {
      run.stop.request();
    }
    assertThat(end.get()).isZero();
    assertThat(socket).doesNotExist();
  }

  private static byte[] add(String container) {
    return new Wire()
        .text(1, "web")
        .text(2, "default")
        .text(5, "eth0")
        .text(6, "aws-cni")
        .text(7, container)
        .text(8, "v1.23.1")
        .done();
  }

  private static String address(byte[] reply) {
    return Wire.address(reply);
  }

  @Test
  @DisplayName(
      "D117 It serves the plugin, keeps what is assigned over a restart, and ends when stopped")
  void restarted() throws Exception {
    String[] given = {""};
    serving(client -> given[0] = address(client.call(RpcClient.ADD, add("a"))));
    assertThat(checkpoint)
        .content()
        .contains("\"containerID\":\"a\"", given[0], "\"k8sPodName\":\"web\"");
    serving(
        client -> {
          assertThat(address(client.call(RpcClient.ADD, add("a")))).isEqualTo(given[0]);
          assertThat(address(client.call(RpcClient.ADD, add("b")))).isNotEqualTo(given[0]);
          byte[] del = new Wire().text(6, "eth0").text(7, "aws-cni").text(8, "a").done();
          assertThat(address(client.call(RpcClient.DEL, del))).isEqualTo(given[0]);
          assertThat(client.call(RpcClient.ADD, add("c"))).as("one cools").isEmpty();
        });
    assertThat(checkpoint).content().doesNotContain("\"containerID\":\"a\"");
  }

  @Test
  @DisplayName("A checkpoint that the AWS VPC CNI left is taken over")
  void takenOver() throws Exception {
    Files.createDirectories(checkpoint.getParent());
    Files.writeString(
        checkpoint,
        "{\"version\":\"vpc-cni-ipam/1\",\"allocations\":[{\"networkName\":\"aws-cni\","
            + "\"containerID\":\"old\",\"ifName\":\"eth0\",\"ipv4\":\"10.0.0.6\"}]}\n");
    serving(
        client ->
            assertThat(address(client.call(RpcClient.ADD, add("old")))).isEqualTo("10.0.0.6"));
  }

  @Test
  @DisplayName("What is wrong is refused with the reason before anything is served")
  void refused() throws IOException {
    Run settings = new Run();
    assertThat(
            settings.run(
                "--ipamd-listen=udp", "--ip-cooldown=10s", "--exclude-snat-cidrs=10.0.0.0/99"))
        .isEqualTo(2);
    assertThat(settings.errors())
        .contains("ipamd-listen", "unix, tcp or both", "ip-cooldown-floor", "exclude-snat-cidrs");
    Files.createDirectories(checkpoint.getParent());
    Files.writeString(checkpoint, "{\"version\":\"vpc-cni-ipam/9\",\"allocations\":[]}");
    Run version = new Run();
    assertThat(version.run()).isNotZero();
    assertThat(version.errors()).contains("TM-1712", "vpc-cni-ipam/9");
    Files.writeString(interfaces, "{}");
    Files.delete(checkpoint);
    Run file = new Run();
    assertThat(file.run()).isEqualTo(2);
    assertThat(file.errors()).contains("TM-1807", "interfaces is missing or empty");
    assertThat(socket).doesNotExist();
  }
}
