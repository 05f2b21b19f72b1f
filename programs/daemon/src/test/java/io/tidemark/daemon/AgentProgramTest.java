package io.tidemark.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.testing.Hang;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(5 * Hang.SECONDS)
@DisplayName("The command agent")
class AgentProgramTest {
  @TempDir private Path folder;
  private AgentRun agent;
  private String nodes = "";

  @BeforeEach
  void nodes() throws IOException {
    agent = new AgentRun(folder);
    nodes = "--nodes=" + folder.resolve("node.yaml");
    node("podCIDRs: [10.1.0.0/24, 10.2.0.0/24, 'fd00::/64']");
  }

  /** Writes the node's object as it was for long, so that it is read at once. */
  private void settledNode(String ipam) throws IOException {
    node(ipam);
    settled(folder.resolve("node.yaml"));
  }

  private static void settled(Path file) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
  }

  private void node(String ipam) throws IOException {
    Files.writeString(
        folder.resolve("node.yaml"),
        "apiVersion: cilium.io/v2\nkind: CiliumNode\nmetadata:\n  name: n1\nspec:\n  ipam:\n    "
            + ipam
            + "\n");
  }

  @Test
  @DisplayName("It serves the first block of each family on its socket until it is stopped")
  void serves() throws Exception {
    agent.serve(nodes);
    String answer = agent.ask("ADD", "c1");
    assertThat(answer)
        .startsWith("200 {\"cniVersion\":\"1.1.0\"")
        .contains("\"10.1.0.", "/24\",\"gateway\":\"10.1.0.1\"", "/64\",\"gateway\":\"fd00::1\"");
    assertThat(agent.ask("STATUS", "c1")).isEqualTo("200 ");
    agent.end();
    assertThat(agent.socket).doesNotExist();
    assertThat(folder.resolve("state/attachments.json")).content().contains("\"net/c1\"");
    assertThat(agent.errors()).contains("Only the first block", "10.2.0.0/24");
  }

  @Test
  @DisplayName("A96 Neither a pod nor the gateway gets an address of the node itself")
  void ofTheNode() throws Exception {
    Path file = folder.resolve("node.yaml");
    Files.writeString(
        file,
        Files.readString(file)
            .replace("spec:\n", "spec:\n  addresses: [{type: InternalIP, ip: 10.1.0.1}]\n"));
    agent.serve(nodes);
    assertThat(agent.ask("ADD", "c1")).contains("/24\",\"gateway\":\"10.1.0.2\"");
    assertThat(agent.get("/status")).contains("10.1.0.1", "node-ip");
    agent.end();
  }

  @Test
  @DisplayName("It serves its metrics, health, readiness and addresses over HTTP")
  void endpoints() throws Exception {
    agent.serve(nodes);
    agent.ask("ADD", "c1");

    Eventually.holds("it is healthy", () -> agent.get("/healthz").equals("200 ok\n"));
    assertThat(agent.get("/readyz")).isEqualTo("200 ready\n");
    assertThat(agent.get("/metrics"))
        .contains("cilium_ipam_capacity{family=\"ipv4\"} 254.0")
        .contains("cilium_ipam_events_total{action=\"allocate\",family=\"ipv6\"} 2.0")
        .contains("cilium_cni_requests_total{code=\"0\",command=\"ADD\"} 1.0")
        .contains("cilium_cni_waiting 0.0")
        .contains("jvm_threads_live_threads");
    assertThat(agent.get("/status"))
        .contains("{\"node\":\"n1\",\"unready\":[],\"pools\":[{\"family\":\"IPv4\"")
        .contains("\"origin\":\"10.1.0.0/24\",\"available\":252,\"inUse\":2")
        .contains("{\"ip\":\"10.1.0.1\",\"state\":\"IN_USE\",\"owner\":\"router\"}")
        .contains("\"owner\":\"net/c1\"");
    agent.end();
  }

  @Test
  @DisplayName("Metrics can be off; a port that is taken and an address that is none are refused")
  void ports() throws Exception {
    assertThat(agent.run(nodes, "--port=70000")).isEqualTo(2);
    assertThat(agent.run(nodes, "--listen=here")).isEqualTo(2);
    assertThat(agent.errors())
        .contains("--port is 70000; expected 0 to 65535", "--listen is 'here'");
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(agent.run(nodes, "--port=" + other.getLocalPort())).isEqualTo(2);
    }
    assertThat(agent.errors()).contains("PORT_TAKEN");
    agent.serve(nodes, "--enable-metrics=false");
    assertThat(agent.get("/metrics")).startsWith("404 metrics are off");
    assertThat(agent.get("/readyz")).startsWith("200");
    agent.end();
  }

  @Test
  @DisplayName("With ipam: eni it serves the pool of the object, and writes what is in use into it")
  void pool() throws Exception {
    Path file = folder.resolve("node.yaml");
    pool("");
    String[] eni = {
      nodes,
      "--ipam=eni",
      "--instance-id=i-1",
      "--ipam-cilium-node-update-rate=1s",
      "--ip-cooldown=0s"
    };
    agent.serve(eni);
    assertThat(agent.ask("ADD", "c1"))
        .contains("\"address\":\"10.1.0.6/24\",\"gateway\":\"10.1.0.5\"");
    awaitText(file, text -> text.contains("net/c1") && text.contains("router"));
    assertThat(agent.ask("DEL", "c1")).startsWith("200 ");
    awaitText(file, text -> !text.contains("net/c1") && text.contains("router"));
    agent.end();
    assertThat(Files.readString(file)).contains("pre-allocate: 2", "10.1.0.5");
  }

  @Test
  @DisplayName("A64 Without a state file the gateway and the health address of the object are kept")
  void published() throws Exception {
    pool("");
    Path file = folder.resolve("node.yaml");
    Files.writeString(
        file,
        Files.readString(file)
            .replace("pre-allocate: 2, pool: {", "pool: {10.1.0.4: {resource: eni-1}, ")
            .replace(
                "status: {",
                "status: {ipam: {used: {10.1.0.6: {owner: router, resource: eni-1},"
                    + " 10.1.0.5: {owner: health, resource: eni-1}}}, "));
    settled(file);
    agent.serve(nodes, "--ipam=eni", "--instance-id=i-1", "--enable-health-checking");
    assertThat(agent.ask("ADD", "c1"))
        .contains("\"address\":\"10.1.0.4/24\",\"gateway\":\"10.1.0.6\"");
    assertThat(agent.get("/status"))
        .contains("{\"ip\":\"10.1.0.5\",\"state\":\"IN_USE\",\"owner\":\"health\"}");
    agent.end();
  }

  /** Two addresses of instance i-1, on an interface with this MAC; empty for one not known. */
  private void pool(String mac) throws IOException {
    node("{pre-allocate: 2, pool: {10.1.0.5: {resource: eni-1}, 10.1.0.6: {resource: eni-1}}}");
    Path file = folder.resolve("node.yaml");
    Files.writeString(
        file,
        Files.readString(file).replace("spec:\n", "spec:\n  instance-id: i-1\n")
            + "status: {eni: {enis: {eni-1: {id: eni-1, number: 1, mac: \"MAC\", addresses: [10.1.0.4, 10.1.0.5, 10.1.0.6], vpc: {primary-cidr: 10.1.0.0/16}, subnet: {cidr: 10.1.0.0/24}}}}}\n"
                .replace("MAC", mac));
    settled(file);
  }

  @Test
  @DisplayName(
      "A84 The object of another instance counts as none, and its addresses are not served")
  void otherInstance() throws Exception {
    pool("");
    agent.waitsInVain(
        "spec.instance-id of node n1 is i-1; this instance is i-2",
        nodes,
        "--ipam=eni",
        "--instance-id=i-2");
  }

  @Test
  @DisplayName("A83 Addresses of an interface that is not on this machine are waited for")
  void otherMachine() throws Exception {
    pool("02:00:00:00:00:fe");
    agent.waitsInVain(
        "0 IPv4 addresses of 2 that are required", nodes, "--ipam=eni", "--instance-id=i-1");
    assertThat(agent.errors()).contains("eni-1");
    agent.serve(
        nodes,
        "--ipam=eni",
        "--instance-id=i-1",
        "--agent-check-interfaces=false",
        "--cni-gateway=interface");
    assertThat(agent.ask("ADD", "c1"))
        .contains("\"gateway\":\"10.1.0.1\"")
        .contains("{\"resource\":\"eni-1\",\"mac\":\"02:00:00:00:00:fe\",\"number\":\"1\",")
        .contains("\"cidrs\":[\"10.1.0.0/16\"],\"gateway\":\"10.1.0.1\"}");
    agent.end();
  }

  @Test
  @DisplayName(
      "A45 On an instance that holds fewer addresses than the node asks for it serves those")
  void ceiling() throws Exception {
    pool("");
    Path file = folder.resolve("node.yaml");
    Files.writeString(file, Files.readString(file).replace("pre-allocate: 2", "pre-allocate: 8"));
    settled(file);
    agent = AgentRun.servingSoon(folder, nodes, "--ipam=eni", "--instance-id=i-1");
    assertThat(agent.ask("ADD", "c1")).contains("\"address\":\"10.1.0.");
    agent.end();
    assertThat(agent.errors())
        .contains("The agent serves 2 of 8 addresses that its node asks for")
        .contains("serving node n1 from spec.ipam.pool, 2 of 8 addresses");
  }

  private static void awaitText(Path file, Predicate<String> wanted) {
    Eventually.holds("it is written", () -> wanted.test(Files.readString(file)));
  }

  @Test
  @DisplayName("With ipam: delegated-plugin it gives no address, and says so; a DEL succeeds")
  void delegated() throws Exception {
    Files.delete(folder.resolve("node.yaml"));
    agent.serve(nodes, "--ipam=delegated-plugin");
    assertThat(agent.ask("ADD", "c1")).startsWith("400 ").contains("\"code\":1613");
    assertThat(agent.ask("DEL", "c1")).isEqualTo("200 ");
    assertThat(agent.ask("STATUS", "c1")).contains("\"code\":50", "TM-1613 UNSUPPORTED");
    assertThat(agent.get("/readyz")).startsWith("503").contains("TM-1613 UNSUPPORTED");
    Eventually.holds("it is healthy", () -> agent.get("/healthz").startsWith("200"));
    assertThat(agent.get("/status")).contains("\"pools\":[]");
    agent.end();
    assertThat(folder.resolve("node.yaml")).doesNotExist();
  }

  @Test
  @DisplayName("A pool whose one address is the node's own is waited for")
  void poolOfTheNode() throws Exception {
    node("{pre-allocate: 1, pool: {10.1.0.5: {}}}");
    Path file = folder.resolve("node.yaml");
    String own = "spec:\n  addresses: [{type: InternalIP, ip: 10.1.0.5}]\n";
    Files.writeString(file, Files.readString(file).replace("spec:\n", own));
    settled(file);
    agent.waitsInVain("spec.ipam.pool of node n1 has too few addresses", nodes, "--ipam=crd");
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"--ipam=crd", "--ipam=cluster-pool", "--ipam=multi-pool"})
  @DisplayName("A node of another name is waited for, and then called unknown: 2")
  void unknownNode(String mode) throws Exception {
    settledNode("podCIDRs: [10.1.0.0/24]");
    new AgentRun(folder, "nope").waitsForNobody("node.yaml has no node nope", nodes, mode);
  }

  @Test
  @DisplayName("Sixty-four ADDs at once get sixty-four addresses, and none is lost")
  void atOnce() throws Exception {
    agent.serve(nodes);
    ExecutorService pods = Executors.newFixedThreadPool(64);
    List<Future<String>> answers = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      String container = "c" + i;
      answers.add(pods.submit(() -> agent.ask("ADD", container)));
    }
    List<String> all = new ArrayList<>();
    for (Future<String> each : answers) {
      all.add(each.get());
    }
    pods.shutdown();
    agent.end();
    assertThat(all).allMatch(each -> each.startsWith("200 "));
    assertThat(new HashSet<>(all)).hasSize(64);
  }

  @Test
  @DisplayName("A second agent of the same folder is refused, and the first goes on")
  void second() throws Exception {
    agent.serve(nodes);
    assertThat(agent.run(nodes)).isEqualTo(2);
    assertThat(agent.errors()).contains("TM-1802 STATE_IN_USE");
    assertThat(agent.ask("STATUS", "c1")).isEqualTo("200 ");
    agent.end();
  }

  @Test
  @DisplayName("It serves when the node's object and its blocks come later")
  void later() throws Exception {
    Files.writeString(folder.resolve("node.yaml"), "");
    agent.start(nodes);
    agent.waiting.await();
    assertThat(agent.socket).doesNotExist();
    node("podCIDRs: [10.1.0.0/24]");
    agent.serving.await();
    assertThat(agent.ask("ADD", "c1")).startsWith("200 ");
    agent.end();
    assertThat(agent.errors()).contains("node.yaml has no node n1");
  }

  @Test
  @DisplayName("A stop ends the wait for the node, with 0")
  void stoppedBefore() throws Exception {
    Files.writeString(folder.resolve("node.yaml"), "");
    agent.start(nodes);
    agent.waiting.await();
    agent.end();
    assertThat(agent.socket).doesNotExist();
  }

  @Test
  @DisplayName("A node without a place, with two, or with a name that is none is refused")
  void places() {
    assertThat(agent.run()).isEqualTo(2);
    assertThat(agent.run(nodes, "--context=west")).isEqualTo(2);
    AgentRun odd = new AgentRun(folder, "a,b");
    assertThat(odd.run(nodes)).isEqualTo(2);

    assertThat(agent.errors())
        .contains("there are no nodes: give --nodes, or --kubeconfig")
        .contains("--nodes names files, --kubeconfig and --context a cluster");
    assertThat(odd.errors()).contains("--node is 'a,b'; expected the name of a node");
  }

  @Test
  @DisplayName("All that is wrong with the settings is told at once")
  void settings() {
    assertThat(
            agent.run(
                nodes,
                "--ipam=alibabacloud",
                "--ip-cooldown=1s",
                "--ip-cooldown-floor=2s",
                "--enable-ipv4=false",
                "--enable-ipv6=false",
                "--cni-gateway=interface",
                "--instance-metadata-endpoint=http://metadata.example"))
        .isEqualTo(2);

    assertThat(agent.errors())
        .contains("TM-1000", "ipam", "cluster-pool", "ip-cooldown-floor", "enable-ipv4")
        .contains("cni-gateway", "contradicts ipam=alibabacloud")
        .contains("instance-metadata-endpoint", "http URL of this machine");
  }
}
