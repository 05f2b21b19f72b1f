package io.tidemark.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.daemon.socket.RawClient;
import io.tidemark.error.IpamException;
import io.tidemark.ip.IpFamily;
import io.tidemark.manifests.DirectoryNodeResourceStore;
import io.tidemark.manifests.DirectoryOptions;
import io.tidemark.program.console.Console;
import io.tidemark.time.EffectModel;
import io.tidemark.time.StopSignal;
import io.tidemark.time.VirtualTime;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
@DisplayName("The command agent")
class AgentProgramTest {
  @TempDir private Path folder;
  private final StopSignal stop = new StopSignal();
  private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
  private final CountDownLatch serving = new CountDownLatch(1);
  private Path socket;

  @BeforeEach
  void nodes() throws IOException {
    socket = folder.resolve("agent.sock");
    node("podCIDRs: [10.1.0.0/24, 10.2.0.0/24, 'fd00::/64']");
  }

  private void node(String ipam) throws IOException {
    Files.writeString(
        folder.resolve("node.yaml"),
        "apiVersion: cilium.io/v2\nkind: CiliumNode\nmetadata:\n  name: n1\nspec:\n  ipam:\n    "
            + ipam
            + "\n");
  }

  /** The standard error, which tells when the agent serves. */
  private final class Errors extends OutputStream {
    @Override
    public synchronized void write(int b) {
      errors.write(b);
      if (b == '\n' && errors.toString(UTF_8).contains("serving node n1")) {
        serving.countDown();
      }
    }
  }

  private int run(String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "agent",
                "--node=n1",
                "--nodes=" + folder.resolve("node.yaml"),
                "--socket=" + socket,
                "--state=" + folder.resolve("state")));
    arguments.addAll(List.of(more));
    if (arguments.stream().noneMatch(each -> each.startsWith("--port="))) {
      arguments.add("--port=0");
    }
    PrintStream out = new PrintStream(OutputStream.nullOutputStream(), true, UTF_8);
    PrintStream err = new PrintStream(new Errors(), true, UTF_8);
    return Main.run(new Console(out, err, false), stop, Map.of(), arguments.toArray(String[]::new));
  }

  private static String request(String command, String container) {
    return "TIDEMARK-CNI/1\nCNI_COMMAND="
        + command
        + "\nCNI_CONTAINERID="
        + container
        + "\nCNI_NETNS=/x\nCNI_IFNAME=eth0\n\n"
        + "{\"cniVersion\":\"1.0.0\",\"name\":\"net\",\"ipam\":{\"type\":\"tidemark-ipam\"}}";
  }

  @Test
  @DisplayName("It serves the first block of each family on its socket until it is stopped")
  void serves() throws Exception {
    CompletableFuture<Integer> end = CompletableFuture.supplyAsync(this::run);
    serving.await();
    String answer = RawClient.ask(socket, request("ADD", "c1"));
    assertThat(answer)
        .startsWith("0\n{\"cniVersion\":\"1.0.0\"")
        .contains("\"10.1.0.", "/24\",\"gateway\":\"10.1.0.1\"", "/64\",\"gateway\":\"fd00::1\"");
    assertThat(RawClient.ask(socket, request("STATUS", "c1"))).isEqualTo("0\n");
    stop.request();

    assertThat(end.get()).isZero();
    assertThat(socket).doesNotExist();
    assertThat(folder.resolve("state/attachments.json")).content().contains("\"net/c1\"");
    assertThat(errors.toString(UTF_8)).contains("Only the first block", "10.2.0.0/24");
  }

  @Test
  @DisplayName("With ipam: eni it serves the pool of the object, and writes what is in use into it")
  void pool() throws Exception {
    Path file = folder.resolve("node.yaml");
    node("{pre-allocate: 2, pool: {10.1.0.5: {resource: eni-1}, 10.1.0.6: {resource: eni-1}}}");
    Files.writeString(
        file,
        Files.readString(file).replace("ipam:\n    {", "ipam: {")
            + "status: {eni: {enis: {eni-1: {id: eni-1, number: 1, subnet: {cidr: 10.1.0.0/24}}}}}\n");
    String[] eni = {"--ipam=eni", "--ipam-cilium-node-update-rate=1s", "--ip-cooldown=0s"};
    CompletableFuture<Integer> end = CompletableFuture.supplyAsync(() -> run(eni));
    serving.await();
    assertThat(RawClient.ask(socket, request("ADD", "c1")))
        .contains("\"address\":\"10.1.0.6/24\",\"gateway\":\"10.1.0.5\"");
    awaitText(file, text -> text.contains("net/c1") && text.contains("router"));
    assertThat(RawClient.ask(socket, request("DEL", "c1"))).startsWith("0\n");
    awaitText(file, text -> !text.contains("net/c1") && text.contains("router"));
    stop.request();
    assertThat(end.get()).isZero();
    assertThat(Files.readString(file)).contains("pre-allocate: 2, pool: {10.1.0.5");
  }

  private void awaitText(Path file, Predicate<String> wanted) throws IOException {
    while (!wanted.test(Files.readString(file))) {
      assertThat(RawClient.ask(socket, request("STATUS", "c1"))).isNotEmpty();
    }
  }

  @Test
  @DisplayName("A node whose pool has too few addresses is told with its code")
  void emptyPool() throws Exception {
    node("pre-allocate: 2");
    Path store = folder.resolve("node.yaml");
    VirtualTime time = new VirtualTime(0);
    try (DirectoryNodeResourceStore nodes =
        DirectoryNodeResourceStore.open(
            store,
            DirectoryOptions.DEFAULT.asAgentOf("n1"),
            time,
            time.effects(EffectModel.reliable(Duration.ZERO, Duration.ZERO)))) {
      Set<IpFamily> ipv4 = Set.of(IpFamily.IPV4);
      assertThatThrownBy(() -> PoolAddresses.await(nodes, "n1", ipv4, Duration.ZERO))
          .isInstanceOf(IpamException.class)
          .hasMessageContaining("TM-1805 NODE_WITHOUT_ADDRESSES: spec.ipam.pool of node n1");
      assertThatThrownBy(() -> PoolAddresses.await(nodes, "n2", ipv4, Duration.ZERO))
          .hasMessageContaining("there is no node n2");
    }
  }

  @Test
  @DisplayName("It serves its metrics, health, readiness and addresses over HTTP")
  void endpoints() throws Exception {
    CompletableFuture<Integer> end = CompletableFuture.supplyAsync(this::run);
    serving.await();
    String unused = RawClient.ask(socket, request("ADD", "c1"));

    assertThat(get("healthz")).isEqualTo("200 ok\n");
    assertThat(get("readyz")).isEqualTo("200 ready\n");
    assertThat(get("metrics"))
        .contains("cilium_ipam_capacity{family=\"ipv4\"} 254.0")
        .contains("cilium_ipam_events_total{action=\"allocate\",family=\"ipv6\"} 2.0")
        .contains("cilium_cni_requests_total{code=\"0\",command=\"ADD\"} 1.0")
        .contains("cilium_cni_waiting 0.0")
        .contains("jvm_threads_live_threads");
    assertThat(get("status"))
        .contains("{\"node\":\"n1\",\"unready\":[],\"pools\":[{\"family\":\"IPv4\"")
        .contains("\"origin\":\"10.1.0.0/24\",\"available\":252,\"inUse\":2")
        .contains("{\"ip\":\"10.1.0.1\",\"state\":\"IN_USE\",\"owner\":\"router\"}")
        .contains("\"owner\":\"net/c1\"");
    stop.request();
    assertThat(end.get()).isZero();
  }

  private String get(String path) throws Exception {
    Matcher port = Pattern.compile("health on port (\\d+)").matcher(errors.toString(UTF_8));
    assertThat(port.find()).isTrue();
    URI uri = URI.create("http://localhost:" + port.group(1) + "/" + path);
    HttpResponse<String> response =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    return response.statusCode() + " " + response.body();
  }

  @Test
  @DisplayName("Metrics can be off; a port that is taken and an address that is none are refused")
  void ports() throws Exception {
    assertThat(run("--port=70000")).isEqualTo(2);
    assertThat(run("--listen=here")).isEqualTo(2);
    assertThat(errors.toString(UTF_8))
        .contains("--port is 70000; expected 0 to 65535", "--listen is 'here'");
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(run("--port=" + other.getLocalPort())).isEqualTo(2);
    }
    assertThat(errors.toString(UTF_8)).contains("PORT_TAKEN");
    CompletableFuture<Integer> end =
        CompletableFuture.supplyAsync(() -> run("--enable-metrics=false"));
    serving.await();
    assertThat(get("metrics")).startsWith("404 metrics are off");
    assertThat(get("readyz")).startsWith("200");
    stop.request();
    assertThat(end.get()).isZero();
  }

  @Test
  @DisplayName("Sixty-four ADDs at once get sixty-four addresses, and none is lost")
  void atOnce() throws Exception {
    CompletableFuture<Integer> end = CompletableFuture.supplyAsync(this::run);
    serving.await();
    ExecutorService pods = Executors.newFixedThreadPool(64);
    List<Future<String>> answers = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      String add = request("ADD", "c" + i);
      answers.add(pods.submit(() -> RawClient.ask(socket, add)));
    }
    List<String> all = new ArrayList<>();
    for (Future<String> each : answers) {
      all.add(each.get());
    }
    pods.shutdown();
    stop.request();

    assertThat(end.get()).isZero();
    assertThat(all).allMatch(each -> each.startsWith("0\n"));
    assertThat(new HashSet<>(all)).hasSize(64);
  }

  @Test
  @DisplayName("A second agent of the same folder is refused, and the first goes on")
  void second() throws Exception {
    CompletableFuture<Integer> end = CompletableFuture.supplyAsync(this::run);
    serving.await();
    assertThat(run()).isEqualTo(2);
    assertThat(errors.toString(UTF_8)).contains("TM-1802 STATE_IN_USE");
    assertThat(RawClient.ask(socket, request("STATUS", "c1"))).isEqualTo("0\n");
    stop.request();
    assertThat(end.get()).isZero();
  }

  @Test
  @DisplayName("A node that is not there, has no block or a broken one is told with its code")
  void noAddresses() throws IOException {
    node("pre-allocate: 8");
    assertThat(run()).isEqualTo(1);
    node("podCIDRs: [10.1.0.0]");
    assertThat(run()).isEqualTo(1);
    node("podCIDRs: ['fd00::/64']");
    assertThat(run("--enable-ipv6=false")).isEqualTo(1);
    Files.writeString(folder.resolve("node.yaml"), "");
    assertThat(run()).isEqualTo(1);

    assertThat(errors.toString(UTF_8))
        .contains("TM-1805 NODE_WITHOUT_ADDRESSES: spec.ipam.podCIDRs of node n1 is []")
        .contains("has '10.1.0.0', which is no CIDR")
        .contains("spec.ipam.podCIDRs of node n1 is [fd00::/64]")
        .contains("node.yaml has no node n1");
    assertThat(socket).doesNotExist();
  }

  @Test
  @DisplayName("All that is wrong with the settings is told at once")
  void settings() {
    assertThat(
            run(
                "--ipam=alibabacloud",
                "--ip-cooldown=1s",
                "--ip-cooldown-floor=2s",
                "--enable-ipv4=false",
                "--enable-ipv6=false",
                "--cni-gateway=interface"))
        .isEqualTo(2);

    assertThat(errors.toString(UTF_8))
        .contains("TM-1000", "ipam", "cluster-pool", "ip-cooldown-floor", "enable-ipv4")
        .contains("cni-gateway", "Expected: router or none");
  }
}
