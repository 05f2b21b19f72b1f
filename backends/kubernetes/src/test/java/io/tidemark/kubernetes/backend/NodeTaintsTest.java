package io.tidemark.kubernetes.backend;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.tidemark.cluster.NodeProblem;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.LogRecord;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.MockCluster;
import io.tidemark.kubernetes.server.MockCluster.Asked;
import io.tidemark.kubernetes.store.ClusterNodes;
import io.tidemark.spi.BlockedReason;
import io.tidemark.time.EffectFate;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("The taint and the condition of a node that has no addresses (taint-exhausted-nodes)")
class NodeTaintsTest {
  private static final NodeProblem FULL =
      new NodeProblem(BlockedReason.SUBNET_EXHAUSTED, "subnet-1 has 0 addresses");

  private static final String OURS =
      "{\"key\":\"tidemark.io/no-pod-addresses\",\"effect\":\"NoSchedule\"}";
  private static final String THEIRS = "{\"key\":\"theirs\",\"effect\":\"NoExecute\"}";
  private static final String SAYS_NO =
      "{\"type\":\"PodAddressesAvailable\",\"status\":\"False\",\"reason\":\"SubnetExhausted\"}";

  @RegisterExtension private final LogRecord log = new LogRecord();
  @RegisterExtension private final MockCluster cluster = MockCluster.start();

  private final ClusterConnection connection = cluster.connection();
  private final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  private final ClusterNodes nodes =
      ClusterNodes.watch(connection, time, Runnable::run, name -> {});
  private int seen;

  /** A server that has this node, and answers the next change with another. */
  @BeforeEach
  void create() {
    Eventually.holds("the nodes are listed", nodes::hasListed);
    shows(1, THEIRS, "");
  }

  private static String node(int version, String taints, String condition) {
    return """
        {"apiVersion":"v1","kind":"Node",
         "metadata":{"name":"n1","uid":"u-1","resourceVersion":"%d"},
         "spec":{"taints":[%s]},"status":{"conditions":[%s]}}
        """
        .formatted(900 + version, taints, condition);
  }

  /** Another writer was faster. */
  private void shows(int version, String taints, String condition) {
    cluster.answerOnce(
        asked -> asked.verb().equals("GET") && asked.path().endsWith("/nodes/n1"),
        MockCluster.json(node(version, taints, condition)));
    nodes.get("n1");
  }

  private void answers(int version, String taints, String condition) {
    cluster.answerOnce(NodeTaintsTest::isPatch, MockCluster.json(node(version, taints, condition)));
  }

  @AfterEach
  void close() {
    nodes.close();
  }

  private NodeTaints taints(Optional<Duration> delay) {
    NodeTaints made =
        new NodeTaints(
            delay,
            nodes,
            time.effects((site, limit) -> EffectFate.answered(Duration.ZERO, Duration.ZERO)),
            Duration.ofSeconds(10),
            time,
            time,
            new Random(1));
    return made;
  }

  private void run(int seconds) {
    time.runUntil(time.nanos() + Duration.ofSeconds(seconds).toNanos());
  }

  /** The changes since the last call: of the taint with or without ours, or of the condition. */
  private List<String> changes() {
    List<String> all =
        cluster.requests("PATCH").stream()
            .map(
                asked ->
                    asked.path().contains("/status")
                        ? asked.body().contains("\"False\"") ? "says no" : "says yes"
                        : asked.body().contains(OURS) ? "taints" : "untaints")
            .toList();
    List<String> more = all.subList(seen, all.size());
    seen = all.size();
    return more;
  }

  private static boolean isPatch(Asked asked) {
    return asked.verb().equals("PATCH");
  }

  @Test
  @DisplayName("come after a conflict, too, stay although others remove them, and go")
  void life() {
    NodeTaints taints = taints(Optional.of(Duration.ofSeconds(20)));
    cluster.answerOnce(NodeTaintsTest::isPatch, MockCluster.status(409, "Conflict", "newer"));
    answers(2, THEIRS + "," + OURS, "");
    answers(3, THEIRS + "," + OURS, SAYS_NO);
    taints.exhausted("n1", FULL);
    assertThat(taints.isTainted("n1")).isTrue();
    run(5);
    assertThat(changes()).containsExactly("taints", "taints", "says no");
    assertThat(taints.tainted()).containsExactly("n1");
    taints.exhausted("n1", FULL);
    run(5);
    assertThat(changes()).isEmpty();

    shows(4, THEIRS, SAYS_NO);
    answers(5, THEIRS + "," + OURS, SAYS_NO);
    taints.changed("n1");
    run(2);
    assertThat(changes()).containsExactly("taints");

    answers(6, THEIRS, SAYS_NO);
    answers(7, THEIRS, "");
    taints.available("n1");
    assertThat(taints.isTainted("n1")).isFalse();
    run(5);
    assertThat(changes()).containsExactly("untaints", "says yes");
    taints.available("n1");
    shows(8, THEIRS + "," + OURS, "");
    taints.changed("n1");
    run(5);
    assertThat(changes()).isEmpty();
    taints.close();
  }

  @Test
  @DisplayName("that another program removes each time come back after longer and longer pauses")
  void rival() {
    NodeTaints taints = taints(Optional.of(Duration.ofSeconds(20)));
    int version = 2;
    answers(version, OURS, SAYS_NO);
    taints.exhausted("n1", FULL);
    run(5);
    for (int second = 0; second < 600; second++) {
      if (nodes.latest("n1").orElseThrow().scheduling().isTainted()) {
        shows(++version, THEIRS, SAYS_NO);
        answers(++version, THEIRS + "," + OURS, SAYS_NO);
        taints.changed("n1");
      }
      run(1);
    }
    assertThat(changes()).containsOnly("taints").hasSizeBetween(4, 20);
    taints.close();
  }

  @Test
  @DisplayName("of an earlier operator are seen and removed by the next one")
  void next() {
    shows(2, OURS + "," + THEIRS, SAYS_NO);
    NodeTaints taints = taints(Optional.empty());
    assertThat(taints.isTainted("n1")).isTrue();
    assertThat(taints.tainted()).containsExactly("n1");
    answers(3, THEIRS, SAYS_NO);
    answers(4, THEIRS, "");
    taints.available("n1");
    run(5);
    assertThat(changes()).containsExactly("untaints", "says yes");
    taints.close();
  }

  @Test
  @DisplayName("that may not be written are reported once, with the remedy")
  void refused() {
    NodeTaints taints = taints(Optional.of(Duration.ofSeconds(20)));
    cluster.answerEach(
        NodeTaintsTest::isPatch, MockCluster.status(403, "Forbidden", "cannot patch"));
    taints.exhausted("n1", FULL);
    run(60);
    assertThat(cluster.requests("PATCH")).hasSizeBetween(2, 60);
    assertThat(log.messages(Level.WARN))
        .filteredOn(text -> text.contains("deploy/taint-exhausted"))
        .hasSize(1);
    taints.close();
  }
}
