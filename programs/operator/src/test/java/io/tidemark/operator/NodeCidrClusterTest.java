package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Node;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.operator.Program.Result;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("kubernetes")
@Tag("long")
@DisplayName("run --ipam=kubernetes on a real API server")
class NodeCidrClusterTest {
  private static final String RUN =
      "run --ipam=kubernetes --allocate-node-cidrs --cluster-cidr=10.0.0.0/8";

  @RegisterExtension private final NodesOnServer cluster = new NodesOnServer();

  private static String cidr(Node node) {
    String cidr = node.getSpec().getPodCIDR();
    return cidr == null ? "" : cidr;
  }

  private long assigned() {
    return cluster.nodes().stream().filter(node -> !cidr(node).isEmpty()).count();
  }

  /** Every node has a CIDR, and none has that of another. */
  private void assertDistinct(int count) {
    Map<String, String> owners = new HashMap<>();
    for (Node node : cluster.nodes()) {
      String other = owners.put(cidr(node), node.getMetadata().getName());
      assertThat(other).as(cidr(node) + " of " + node.getMetadata().getName()).isNull();
    }
    assertThat(owners).hasSize(count).doesNotContainKey("");
  }

  @Test
  @DisplayName("NC-AM16 once: assigns at the first lease, and a second run changes nothing")
  void once() throws Exception {
    cluster.create(5);

    cluster.succeeds(RUN + " --once");
    assertDistinct(5);
    List<String> versions = cluster.versions();
    Result second = cluster.succeeds(RUN + " --once");

    assertThat(second.out()).doesNotContain("assign pod CIDRs");
    assertThat(cluster.versions()).isEqualTo(versions);
    Result status = cluster.run(RUN.replace("run ", "status "));
    assertThat(status.out()).startsWith("5 nodes: 5 assigned\n");
  }

  @Test
  @DisplayName("NC-AM24 a node without a block is told on the Node, as a Warning, then as Normal")
  void told() throws Exception {
    cluster.create(3);
    Program program =
        cluster.start(
            "run --ipam=kubernetes --allocate-node-cidrs --cluster-cidr=10.0.0.0/23 --port=0"
                + " --node-cidr-cool-down=1s");
    Eventually.holds(
        "the Event is there",
        () -> !cluster.events(each -> each.getReason().equals("CIDRNotAvailable")).isEmpty());
    Event event = cluster.events(each -> true).get(0);
    String parked = event.getInvolvedObject().getName();
    assertThat(event.getType()).isEqualTo("Warning");
    assertThat(event.getSource().getComponent()).isEqualTo("cidrAllocator");
    assertThat(event.getInvolvedObject().getUid())
        .isEqualTo(cluster.admin().client().nodes().withName(parked).get().getMetadata().getUid());
    assertThat(event.getMessage())
        .startsWith("Node " + parked + " status is now: CIDRNotAvailable")
        .contains("TM-1401", "2 blocks of /24: 2 used", "0 free");

    String owner =
        cluster.nodes().stream()
            .filter(node -> !cidr(node).isEmpty())
            .map(node -> node.getMetadata().getName())
            .findFirst()
            .orElseThrow();
    cluster.delete(owner);
    Eventually.holds("the block goes to the node that waits", () -> assigned() == 2);
    Eventually.holds(
        "the Event is normal",
        () -> cluster.events(each -> each.getType().equals("Normal")).size() == 1);
    assertThat(program.ask("/readyz").body()).isEqualTo("ready\n");
    assertThat(program.stop().exitCode()).isZero();
  }

  @Test
  @DisplayName("NC-B26 labels that change right after creation cause no refused patch, no event")
  void noFalseEvent() throws Exception {
    Program program = cluster.start(RUN + " --port=0");
    program.awaitErr("This operator leads");
    IntStream.range(0, 100)
        .parallel()
        .forEach(
            i -> {
              cluster.create("n" + i);
              for (int change = 0; change < 10; change++) {
                String label = "{\"metadata\":{\"labels\":{\"change\":\"" + change + "\"}}}";
                cluster.patch("n" + i, label);
              }
            });
    Eventually.holds("all have CIDRs", () -> assigned() == 100);
    assertDistinct(100);
    assertThat(cluster.events(each -> true)).isEmpty();
    assertThat(program.ask("/metrics").body())
        .contains("tidemark_node_cidr_writes_total{ending=\"accepted\"} 100.0")
        .doesNotContain("ending=\"refused\"", "ending=\"occupied\"");
    assertThat(program.stop().exitCode()).isZero();
  }

  @Test
  @DisplayName("NC-AM17 a node that is created again under its name gets another CIDR, by its uid")
  void createdAgain() throws Exception {
    cluster.create("worker");
    Program program = cluster.start(RUN + " --port=0");
    Eventually.holds("it has a CIDR", () -> assigned() == 1);
    String first = cidr(cluster.nodes().get(0));
    cluster.delete("worker");
    cluster.create("worker");
    Eventually.holds("the new one has a CIDR", () -> assigned() == 1);
    assertThat(cidr(cluster.nodes().get(0))).isNotEqualTo(first);
    assertThat(cluster.events(each -> true)).isEmpty();
    assertThat(program.stop().exitCode()).isZero();
  }

  @Test
  @DisplayName(
      "NC-AM18 two operators, the leader killed in the middle: the next goes on at once, none gets twice")
  void killed() throws Exception {
    Process leader =
        cluster.leader(
            RUN + NodesOnServer.QUICK + " --port=0 --kube-api-qps=20 --kube-api-burst=5",
            "tidemark-node-cidr");
    Program standby =
        cluster.start(RUN + NodesOnServer.QUICK + " --port=0 --node-cidr-takeover-hold=10m");
    standby.awaitErr("On standby for the lease");
    cluster.create(500);
    Eventually.holds("the middle", () -> assigned() > 100);
    NodesOnServer.kill(leader);
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
    cluster.create(20);
    Program program =
        cluster.start(
            RUN
                + " --port=0 --leader-election=false"
                + " --node-cidr-cool-down=0s --node-cidr-takeover-hold=0s");
    Eventually.holds("all have CIDRs", () -> assigned() == 20);
    cluster.server().killApiServer();
    assertThat(program.ask("/healthz").body()).isEqualTo("ok\n");
    cluster.server().startApiServer();
    Eventually.holds("the server is back", () -> cluster.nodes().size() == 20);
    IntStream.range(20, 40).forEach(i -> cluster.create("n" + i));
    Eventually.holds("the new ones have CIDRs", () -> assigned() == 40);
    assertDistinct(40);
    assertThat(cluster.events(each -> true)).isEmpty();
    assertThat(program.stop().exitCode()).isZero();
  }
}
