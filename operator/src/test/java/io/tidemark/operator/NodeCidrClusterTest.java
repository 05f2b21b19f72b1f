package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Node;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.ApiServer.User;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.operator.Program.Result;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("kubernetes")
@DisplayName("run --ipam=kubernetes on a real API server")
class NodeCidrClusterTest {
  private static final String NODES = "/api/v1/nodes";
  private static final String RUN =
      "run --ipam=kubernetes --allocate-node-cidrs --cluster-cidr=10.0.0.0/8";
  private static final String QUICK =
      " --leader-election-lease-duration=3s --leader-election-renew-deadline=2s"
          + " --leader-election-retry-period=200ms";

  @TempDir private Path folder;

  private ApiServer server;
  private ClusterConnection admin;

  @BeforeEach
  void start() throws Exception {
    server = ApiServer.start();
    admin = server.connect(User.ADMIN);
  }

  @AfterEach
  void stop() {
    admin.close();
    server.close();
  }

  private String[] arguments(String words) throws IOException {
    return Program.arguments(words, "--kubeconfig=" + server.kubeconfig(User.ADMIN));
  }

  private void create(String name) {
    String node =
        "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"" + name + "\"}}";
    String unused = admin.client().raw(NODES, "POST", node);
  }

  private void create(int count) {
    IntStream.range(0, count).parallel().forEach(i -> create("n" + i));
  }

  private List<Node> nodes() {
    return admin.client().nodes().list().getItems();
  }

  private static String cidr(Node node) {
    String cidr = node.getSpec().getPodCIDR();
    return cidr == null ? "" : cidr;
  }

  private long assigned() {
    return nodes().stream().filter(node -> !cidr(node).isEmpty()).count();
  }

  /** Every node has a CIDR, and none has that of another. */
  private void assertDistinct(int count) {
    Map<String, String> owners = new HashMap<>();
    for (Node node : nodes()) {
      String other = owners.put(cidr(node), node.getMetadata().getName());
      assertThat(other).as(cidr(node) + " of " + node.getMetadata().getName()).isNull();
    }
    assertThat(owners).hasSize(count).doesNotContainKey("");
  }

  private List<Event> events(Predicate<Event> wanted) {
    return admin.client().v1().events().inNamespace("default").list().getItems().stream()
        .filter(event -> "Node".equals(event.getInvolvedObject().getKind()))
        .filter(wanted)
        .toList();
  }

  /** A process of its own, which can be killed. */
  private Process process(String words) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
    command.add(Main.class.getName());
    command.addAll(List.of(arguments(words)));
    File log = folder.resolve("log").toFile();
    return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
  }

  @Test
  @DisplayName("NC-AM16 once: assigns at the first lease, and a second run changes nothing")
  void once() throws Exception {
    create(5);

    Result first = Program.run(arguments(RUN + " --once"));
    assertThat(first.exitCode()).as(first.err()).isZero();
    assertDistinct(5);
    List<String> versions =
        nodes().stream().map(node -> node.getMetadata().getResourceVersion()).toList();
    Result second = Program.run(arguments(RUN + " --once"));

    assertThat(second.exitCode()).as(second.err()).isZero();
    assertThat(second.out()).doesNotContain("assign pod CIDRs");
    assertThat(nodes().stream().map(node -> node.getMetadata().getResourceVersion()).toList())
        .isEqualTo(versions);
    Result status = Program.run(arguments(RUN.replace("run ", "status ")));
    assertThat(status.out()).startsWith("5 nodes: 5 assigned\n");
  }

  @Test
  @DisplayName("NC-AM24 a node without a block is told on the Node, as a Warning, then as Normal")
  void told() throws Exception {
    create(3);
    Program program =
        Program.start(
            arguments(
                "run --ipam=kubernetes --allocate-node-cidrs --cluster-cidr=10.0.0.0/23 --port=0"
                    + " --node-cidr-cool-down=1s"));
    Eventually.holds(
        "the Event is there",
        () -> !events(each -> each.getReason().equals("CIDRNotAvailable")).isEmpty());
    Event event = events(each -> true).get(0);
    String parked = event.getInvolvedObject().getName();
    assertThat(event.getType()).isEqualTo("Warning");
    assertThat(event.getSource().getComponent()).isEqualTo("cidrAllocator");
    assertThat(event.getInvolvedObject().getUid())
        .isEqualTo(admin.client().nodes().withName(parked).get().getMetadata().getUid());
    assertThat(event.getMessage())
        .startsWith("Node " + parked + " status is now: CIDRNotAvailable")
        .contains("TM-1401", "2 blocks of /24: 2 used", "0 free");

    String owner =
        nodes().stream()
            .filter(node -> !cidr(node).isEmpty())
            .map(node -> node.getMetadata().getName())
            .findFirst()
            .orElseThrow();
    String unused = admin.client().raw(NODES + '/' + owner, "DELETE", null);
    Eventually.holds("the block goes to the node that waits", () -> assigned() == 2);
    Eventually.holds(
        "the Event is normal", () -> events(each -> each.getType().equals("Normal")).size() == 1);
    assertThat(program.ask("/readyz").body()).isEqualTo("ready\n");
    assertThat(program.stop().exitCode()).isZero();
  }

  @Test
  @DisplayName("NC-B26 labels that change right after creation cause no refused patch, no event")
  void noFalseEvent() throws Exception {
    Program program = Program.start(arguments(RUN + " --port=0"));
    program.awaitErr("This operator leads");
    IntStream.range(0, 100)
        .parallel()
        .forEach(
            i -> {
              create("n" + i);
              for (int change = 0; change < 10; change++) {
                String label = "{\"metadata\":{\"labels\":{\"change\":\"" + change + "\"}}}";
                String unused = admin.client().raw(NODES + "/n" + i, "PATCH", label);
              }
            });
    Eventually.holds("all have CIDRs", () -> assigned() == 100);
    assertDistinct(100);
    assertThat(events(each -> true)).isEmpty();
    assertThat(program.ask("/metrics").body())
        .contains("tidemark_node_cidr_writes_total{ending=\"accepted\"} 100.0")
        .doesNotContain("ending=\"refused\"", "ending=\"occupied\"");
    assertThat(program.stop().exitCode()).isZero();
  }

  @Test
  @DisplayName("NC-AM17 a node that is created again under its name gets another CIDR, by its uid")
  void createdAgain() throws Exception {
    create("worker");
    Program program = Program.start(arguments(RUN + " --port=0"));
    Eventually.holds("it has a CIDR", () -> assigned() == 1);
    String first = cidr(nodes().get(0));
    String unused = admin.client().raw(NODES + "/worker", "DELETE", null);
    create("worker");
    Eventually.holds("the new one has a CIDR", () -> assigned() == 1);
    assertThat(cidr(nodes().get(0))).isNotEqualTo(first);
    assertThat(events(each -> true)).isEmpty();
    assertThat(program.stop().exitCode()).isZero();
  }

  @Test
  @DisplayName(
      "NC-AM18 two operators, the leader killed in the middle: the next goes on at once, none gets twice")
  void killed() throws Exception {
    Process leader = process(RUN + QUICK + " --port=0 --kube-api-qps=20 --kube-api-burst=5");
    Eventually.holds(
        "it leads",
        () ->
            admin.client().leases().inAnyNamespace().list().getItems().stream()
                .anyMatch(lease -> lease.getMetadata().getName().equals("tidemark-node-cidr")));
    Program standby =
        Program.start(arguments(RUN + QUICK + " --port=0 --node-cidr-takeover-hold=10m"));
    standby.awaitErr("On standby for the lease");
    create(500);
    Eventually.holds("the middle", () -> assigned() > 100);
    leader.destroyForcibly();
    assertThat(leader.waitFor(20, TimeUnit.SECONDS)).isTrue();
    long then = assigned();
    assertThat(then).isLessThan(500);

    standby.awaitErr("This operator leads");
    // Out of reach of requests that the former leader has sent, by what it left in the lease.
    Eventually.holds("all have CIDRs, long before the hold ends", () -> assigned() == 500);
    assertDistinct(500);
    assertThat(standby.stop().exitCode()).isZero();
  }

  @Test
  @DisplayName(
      "NC-AM20 an outage of the API server: it stays healthy, then goes on, and none gets twice")
  void outage() throws Exception {
    create(20);
    Program program =
        Program.start(
            arguments(
                RUN
                    + " --port=0 --leader-election=false"
                    + " --node-cidr-cool-down=0s --node-cidr-takeover-hold=0s"));
    Eventually.holds("all have CIDRs", () -> assigned() == 20);
    server.killApiServer();
    assertThat(program.ask("/healthz").body()).isEqualTo("ok\n");
    server.startApiServer();
    Eventually.holds("the server is back", () -> nodes().size() == 20);
    IntStream.range(20, 40).forEach(i -> create("n" + i));
    Eventually.holds("the new ones have CIDRs", () -> assigned() == 40);
    assertDistinct(40);
    assertThat(events(each -> true)).isEmpty();
    assertThat(program.stop().exitCode()).isZero();
  }
}
