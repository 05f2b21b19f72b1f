package io.tidemark.daemon;

import static io.tidemark.daemon.ipamd.grpc.Wire.address;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.daemon.ipamd.grpc.RpcClient;
import io.tidemark.daemon.ipamd.grpc.Wire;
import io.tidemark.kubernetes.server.Eventually;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpResponse;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
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

  private IpamdRun run() {
    return new IpamdRun(socket, checkpoint, "--interfaces=" + interfaces);
  }

  private void serving(IpamdRun.Calls calls, String... more) throws Exception {
    run().serve(calls, more);
  }

  private static byte[] add(String container) {
    return Wire.addition("web", container, "v1.23.1");
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
          assertThat(address(IpamdOnEc2.del(client, "a"))).isEqualTo(given[0]);
          assertThat(client.call(RpcClient.ADD, add("c"))).as("one cools").isEmpty();
        });
    assertThat(checkpoint).content().doesNotContain("\"containerID\":\"a\"");
  }

  @Test
  @DisplayName("AM14 With IPv6 pods get addresses of an IPv6 prefix of the file, and keep them")
  void ipv6() throws Exception {
    Files.writeString(
        interfaces,
        "{\"interfaces\":[{\"id\":\"eni-1\",\"device\":0,\"addresses\":[\"10.0.0.5\"],"
            + "\"prefixes\":[\"2001:db8::/80\"]}]}");
    String[] family = {
      "--enable-ipv4=false", "--enable-ipv6=true", "--enable-prefix-delegation=true"
    };
    IpamdRun run = run();
    run.serve(
        client -> {
          byte[] reply = client.call(RpcClient.ADD, add("a"));
          assertThat(address(reply)).isEqualTo("2001:db8::");
          assertThat(Wire.values(reply, 6)).isEmpty();
          assertThat(run.get("introspection", "/v1/plan").body())
              .contains("\"family\":\"IPv6\"", "\"total\":281474976710656,\"assigned\":1");
          assertThat(run.get("introspection", "/v1/enis").body())
              .contains("\"2001:db8::\":{\"Address\":\"2001:db8::\"");
          assertThat(run.get("introspection", "/v1/ipamd-env-settings").body())
              .contains("\"ENABLE_IPv4\":false,\"ENABLE_IPv6\":true");
          assertThat(run.get("metrics", "/metrics").body())
              .contains("awscni_assigned_ip_per_cidr{card=\"0\",cidr=\"2001:db8::/80\"} 1.0");
        },
        family);
    assertThat(checkpoint).content().contains("\"ipv6\":\"2001:db8::\"").doesNotContain("ipv4");
    serving(
        client -> {
          assertThat(address(client.call(RpcClient.ADD, add("a")))).isEqualTo("2001:db8::");
          assertThat(address(client.call(RpcClient.ADD, add("b")))).isEqualTo("2001:db8::1");
          assertThat(address(IpamdOnEc2.del(client, "a"))).isEqualTo("2001:db8::");
        },
        family);
  }

  @Test
  @DisplayName("D80 A pod that has no link any more at the start has lost its address")
  void ended() throws Exception {
    serving(client -> assertThat(client.call(RpcClient.ADD, add("a"))).isNotEmpty());
    IpamdRun run = run();
    run.serve(
        client -> {
          assertThat(checkpoint).content().doesNotContain("\"containerID\":\"a\"");
          assertThat(client.call(RpcClient.ADD, add("b"))).isNotEmpty();
          assertThat(client.call(RpcClient.ADD, add("c"))).as("one cools").isEmpty();
        },
        "--check-pod-links=true");
    assertThat(run.errors()).contains("The pod default/web has ended without a DEL here");
  }

  @Test
  @DisplayName(
      "D83 Another program's checkpoint is taken over, and what is free cools, unless"
          + " cooldown-after-restart is false")
  void coolsAfterRestart() throws Exception {
    for (boolean cools : new boolean[] {true, false}) {
      Files.createDirectories(checkpoint.getParent());
      Files.writeString(
          checkpoint,
          "{\"version\":\"vpc-cni-ipam/1\",\"allocations\":[{\"networkName\":\"aws-cni\","
              + "\"containerID\":\"old\",\"ifName\":\"eth0\",\"ipv4\":\"10.0.0.6\"}]}\n");
      serving(
          client -> {
            assertThat(address(client.call(RpcClient.ADD, add("old")))).isEqualTo("10.0.0.6");
            assertThat(client.call(RpcClient.ADD, add("new")).length == 0).isEqualTo(cools);
          },
          "--cooldown-after-restart=" + cools);
    }
  }

  @Test
  @DisplayName("D84 The system says how long ago it started")
  void boot() throws Exception {
    Duration before = uptime();
    assertThat(BootId.age()).isBetween(before, uptime());
    assertThat(BootId.read()).hasSize(36);
  }

  private static Duration uptime() throws IOException {
    String seconds = Files.readString(Path.of("/proc/uptime")).split("[.]", 2)[0];
    return Duration.ofSeconds(Long.parseLong(seconds));
  }

  @Test
  @DisplayName("D118 D106 It says over HTTP what it has, without containers, and counts it")
  void introspection() throws Exception {
    IpamdRun run = run();
    run.serve(
        client -> {
          client.call(RpcClient.ADD, add("container-1"));
          HttpResponse<String> enis = run.get("introspection", "/v1/enis");
          assertThat(enis.statusCode()).isEqualTo(200);
          assertThat(enis.body())
              .contains("\"TotalIPs\":2,\"AssignedIPs\":1", "\"k8sPodName\":\"web\"")
              .doesNotContain("container-1", "eth0");
          assertThat(run.get("introspection", "/").body()).contains("AvailableCommands");
          assertThat(run.get("introspection", "/v1/eni-configs").statusCode()).isEqualTo(404);
          assertThat(run.get("introspection", "/readyz").body()).isEqualTo("ready\n");
          Eventually.holds(
              "it is healthy", () -> run.get("introspection", "/healthz").statusCode() == 200);
          assertThat(run.get("introspection", "/v1/plan").body())
              .contains("\"grows\":false,\"reason\":\"the interfaces are those of a file");
          assertThat(run.get("introspection", "/v1/ipamd-env-settings").body())
              .contains("\"IP_COOLDOWN_PERIOD\":130");
          assertThat(run.get("introspection", "/v1/networkutils-env-settings").body())
              .contains("\"AWS_VPC_K8S_CNI_EXTERNALSNAT\":false");
          assertThat(run.get("metrics", "/status").body()).contains("\"grows\":false");
          assertThat(run.get("metrics", "/metrics").body())
              .contains(
                  "awscni_total_ip_addresses{card=\"0\"} 2.0",
                  "awscni_assigned_ip_per_eni{card=\"0\",eni=\"eni-1\"} 1.0",
                  "awscni_add_ip_req_count 1.0",
                  "awscni_checkpoint_duration_seconds_count{card=\"0\"} 2",
                  "awscni_rpc_duration_seconds_count{code=\"OK\",method=\"AddNetwork\"} 1");
        });
  }

  @Test
  @DisplayName(
      "Introspection is off on request, also by the name that the AWS VPC CNI gives it; health is"
          + " served without it and without metrics")
  void introspectionOff() throws Exception {
    IpamdRun run = run();
    run.environment = Map.of("DISABLE_INTROSPECTION", "true");
    run.serve(
        client -> {
          assertThat(run.errors()).doesNotContain("introspection on");
          Eventually.holds(
              "it is healthy", () -> run.get("metrics", "/healthz").statusCode() == 200);
          assertThat(run.get("metrics", "/readyz").statusCode()).isEqualTo(200);
        },
        "--enable-metrics=false");
    IpamdRun wrong = run();
    assertThat(wrong.run("--introspection-address=unix:x.sock", "--metrics-address=nowhere:1"))
        .isEqualTo(2);
    assertThat(wrong.errors())
        .contains(
            "introspection-address",
            "unix:x.sock",
            "or unix: and the absolute path of a socket",
            "metrics-address",
            "nowhere:1");
  }

  @Test
  @DisplayName("D118 Introspection on a Unix socket, for owner and group, in a stale one's place")
  void introspectionOnSocket() throws Exception {
    Path path = folder.resolve("introspection.sock");
    ServerSocketChannel.open(StandardProtocolFamily.UNIX)
        .bind(UnixDomainSocketAddress.of(path))
        .close();
    IpamdRun run = run();
    run.serve(
        client -> {
          assertThat(run.errors()).contains("introspection on " + path);
          assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
              .isEqualTo("rw-rw----");
          try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            String request = "GET /v1/enis HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
            channel.write(UTF_8.encode(request));
            String answer = new String(Channels.newInputStream(channel).readAllBytes(), UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 200").contains("\"TotalIPs\":2");
          }
        },
        "--introspection-address=unix:" + path);
    assertThat(path).doesNotExist();
  }

  @Test
  @DisplayName("A second one on the same checkpoint is refused, and the first one goes on")
  void locked() throws Exception {
    serving(
        client -> {
          String given = address(client.call(RpcClient.ADD, add("a")));
          byte[] before = Files.readAllBytes(checkpoint);
          IpamdRun second = run();
          assertThat(second.run("--ipamd-socket=" + folder.resolve("other.sock"))).isEqualTo(2);
          assertThat(second.errors())
              .contains("TM-1820", checkpoint + " is in use by another ipamd", "Stop the other");
          assertThat(folder.resolve("other.sock")).doesNotExist();
          assertThat(checkpoint).hasBinaryContent(before);
          assertThat(address(client.call(RpcClient.ADD, add("a")))).isEqualTo(given);
        });
    serving(client -> assertThat(client.call(RpcClient.ADD, add("a"))).isNotEmpty());
  }

  @Test
  @DisplayName(
      "D126 The setting of the journal is refused with the remedy, and so is a damaged journal")
  void journal() throws Exception {
    IpamdRun argument = run();
    assertThat(argument.run("--checkpoint=journal")).isEqualTo(2);
    assertThat(argument.errors())
        .contains("--checkpoint was removed", "folds a journal that is left");
    IpamdRun variable = run();
    variable.environment = Map.of("TIDEMARK_CHECKPOINT", "journal");
    assertThat(variable.run()).isEqualTo(2);
    assertThat(variable.errors()).contains("TM-1002", "folds a journal that is left");
    Files.createDirectories(checkpoint.getParent());
    Path journal = checkpoint.resolveSibling("ipam.json.journal");
    Files.writeString(journal, "paper");
    IpamdRun damaged = run();
    assertThat(damaged.run()).isNotZero();
    assertThat(damaged.errors()).contains("TM-1711", journal + ": byte 0");
    assertThat(journal).exists();
  }

  @Test
  @DisplayName("What is wrong is refused with the reason before anything is served")
  void refused() throws IOException {
    IpamdRun settings = run();
    assertThat(
            settings.run(
                "--ipamd-listen=udp", "--ip-cooldown-floor=1h", "--exclude-snat-cidrs=10.0.0.0/99"))
        .isEqualTo(2);
    assertThat(settings.errors())
        .contains("ipamd-listen", "unix, tcp or both", "ip-cooldown-floor", "exclude-snat-cidrs");
    Files.createDirectories(checkpoint.getParent());
    Files.writeString(checkpoint, "{\"version\":\"vpc-cni-ipam/9\",\"allocations\":[]}");
    IpamdRun version = run();
    assertThat(version.run()).isNotZero();
    assertThat(version.errors()).contains("TM-1712", "vpc-cni-ipam/9");
    Files.writeString(interfaces, "{}");
    Files.delete(checkpoint);
    IpamdRun file = run();
    assertThat(file.run()).isEqualTo(2);
    assertThat(file.errors()).contains("TM-1807", "interfaces is missing or empty");
    assertThat(socket).doesNotExist();
  }
}
