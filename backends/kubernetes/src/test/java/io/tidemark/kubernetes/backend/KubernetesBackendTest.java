package io.tidemark.kubernetes.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.Backend;
import io.tidemark.cluster.NodeBackend;
import io.tidemark.config.ConfigSource;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.MockCluster;
import io.tidemark.kubernetes.server.MockCluster.Asked;
import io.tidemark.time.EffectFate;
import io.tidemark.time.VirtualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A cluster without leader election")
class KubernetesBackendTest {
  @TempDir private Path folder;

  private final MockCluster cluster = MockCluster.start();
  private final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  private Optional<NodeBackend> opened = Optional.empty();

  @AfterEach
  void close() {
    opened.ifPresent(NodeBackend::close);
    cluster.close();
  }

  /** Opens a backend whose watch has read all that it needs; nothing else was requested yet. */
  private NodeBackend open(boolean readOnly) throws Exception {
    NodeBackend backend =
        KubernetesBackend.connecting(cluster.access(folder))
            .open(
                new Backend.Environment(
                    ConfigSource.of(Map.of("leader-election", "false", "nodes-gc-interval", "1m")),
                    time,
                    time.effects(
                        (site, limit) -> EffectFate.answered(Duration.ZERO, Duration.ZERO)),
                    new SplittableRandom(1),
                    readOnly));
    opened = Optional.of(backend);
    Eventually.holds(
        "the nodes are listed",
        () ->
            backend.trouble().stream().noneMatch(each -> each.contains("has not sent the nodes")));
    return backend;
  }

  private static boolean asksForList(Asked asked) {
    return asked.path().contains("/ciliumnodes?") && !asked.path().contains("watch");
  }

  private long lists() {
    return cluster.requests("GET").stream().filter(KubernetesBackendTest::asksForList).count();
  }

  private void run(Duration span) {
    time.runUntil(time.nanos() + span.toNanos());
  }

  @Test
  @DisplayName("D-22 work begins after one list of the nodes, and readiness tells the cause")
  void listed() throws Exception {
    AtomicBoolean failing = new AtomicBoolean(true);
    AtomicInteger refused = new AtomicInteger();
    cluster.answerEach(
        asked -> asksForList(asked) && failing.get() && refused.incrementAndGet() > 0,
        MockCluster.status(500, "InternalError", "etcdserver: request timed out"));
    NodeBackend backend = open(false);
    assertThat(backend.turn().toCompletableFuture()).isNotDone();
    assertThat(backend.trouble()).anyMatch(each -> each.contains("request timed out"));
    failing.set(false);
    Eventually.holds("the turn has come", () -> backend.turn().toCompletableFuture().isDone());
    assertThat(lists()).as("the refused ones, and another").isEqualTo(refused.get() + 1);
    Eventually.holds("nothing is wrong", () -> backend.trouble().isEmpty());
    assertThat(backend.fence().isOpen()).isTrue();
    assertThat(backend.leading()).isEqualTo(NodeBackend.Leading.ALONE);
  }

  @Test
  @DisplayName("what only looks at the nodes does not wait, and asks for nothing more")
  void readOnly() throws Exception {
    NodeBackend backend = open(true);
    long before = lists();
    run(Duration.ofSeconds(10));
    assertThat(backend.turn().toCompletableFuture()).isCompleted();
    assertThat(lists()).isEqualTo(before);
  }

  @Test
  @DisplayName("a definition that is deleted or loses its status makes it not ready, until mended")
  void definition() throws Exception {
    NodeBackend backend = open(false);
    run(Duration.ofSeconds(1));
    Eventually.holds("nothing is wrong", () -> backend.trouble().isEmpty());
    cluster.answerOnce(KubernetesBackendTest::discovers, MockCluster.page(404));
    cluster.answerOnce(KubernetesBackendTest::discovers, MockCluster.serves("ciliumnodes"));
    cluster.answerOnce(KubernetesBackendTest::discovers, MockCluster.page(502));
    run(Duration.ofSeconds(30));
    assertThat(backend.trouble())
        .singleElement()
        .asString()
        .startsWith("TM-1107 DEFINITION_UNSUITABLE: the API server has no CiliumNodes. Apply");
    run(Duration.ofSeconds(5));
    assertThat(backend.trouble())
        .singleElement()
        .asString()
        .contains("the CustomResourceDefinition of CiliumNodes has no subresource status");
    run(Duration.ofSeconds(5));
    assertThat(backend.trouble())
        .as("without an answer nothing changes")
        .singleElement()
        .asString()
        .contains("has no subresource status");
    run(Duration.ofSeconds(5));
    assertThat(backend.trouble()).isEmpty();
  }

  private static boolean discovers(Asked asked) {
    return asked.path().equals(MockCluster.DISCOVERY);
  }

  @Test
  @DisplayName("Nodes are watched once, for every question about them")
  void oneWatchOfNodes() throws Exception {
    NodeBackend backend = open(false);
    Eventually.holds("the Nodes are watched", () -> nodeRequests("watch=true") > 0);
    assertThat(backend.closedNodes().isClosed("n1")).isFalse();
    assertThat(backend.kubelets().maxPods("n1")).isEmpty();
    run(Duration.ofMinutes(10));
    assertThat(nodeRequests("watch=true")).isEqualTo(1);
    assertThat(nodeRequests("limit=")).as("lists").isEqualTo(1);
  }

  private long nodeRequests(String query) {
    return cluster.requests("GET").stream()
        .filter(asked -> asked.path().startsWith("/api/v1/nodes?") && asked.path().contains(query))
        .count();
  }
}
