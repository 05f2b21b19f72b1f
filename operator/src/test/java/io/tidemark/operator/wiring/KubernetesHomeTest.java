package io.tidemark.operator.wiring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.KubernetesConfig;
import io.tidemark.config.LeaderElectionConfig;
import io.tidemark.kubernetes.ClusterAccess;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.MockCluster;
import io.tidemark.kubernetes.server.MockCluster.Asked;
import io.tidemark.time.EffectFate;
import io.tidemark.time.VirtualTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A cluster without leader election")
class KubernetesHomeTest {
  @TempDir private Path folder;

  private final MockCluster cluster = MockCluster.start();
  private final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  private Optional<NodeHome> opened = Optional.empty();

  @BeforeEach
  void write() throws Exception {
    Files.writeString(folder.resolve("kubeconfig"), cluster.kubeconfig(""), UTF_8);
  }

  @AfterEach
  void close() {
    opened.ifPresent(NodeHome::close);
    cluster.close();
  }

  /** What the watch needs has been read, and nothing else was asked for yet. */
  private NodeHome open(boolean readOnly) throws Exception {
    Duration requestTimeout = Duration.ofSeconds(10);
    LeaderElectionConfig none =
        new LeaderElectionConfig(
            false,
            Optional.empty(),
            Duration.ofSeconds(15),
            Duration.ofSeconds(10),
            Duration.ofSeconds(2));
    NodeHome home =
        KubernetesHome.opener(
                new ClusterAccess(
                    Optional.of(folder.resolve("kubeconfig")), Optional.empty(), requestTimeout),
                new KubernetesConfig(
                    Optional.empty(), true, none, Optional.empty(), requestTimeout))
            .open(
                time,
                time.effects((site, limit) -> EffectFate.answered(Duration.ZERO, Duration.ZERO)),
                readOnly);
    opened = Optional.of(home);
    Eventually.holds("the nodes are listed", home::isRead);
    return home;
  }

  private static boolean asksForList(Asked asked) {
    return asked.path().contains("/ciliumnodes?") && !asked.path().contains("watch");
  }

  private long lists() {
    return cluster.requests("GET").stream().filter(KubernetesHomeTest::asksForList).count();
  }

  private void run(Duration span) {
    time.runUntil(time.nanos() + span.toNanos());
  }

  @Test
  @DisplayName("D-22 work begins only on nodes that were read anew, and readiness tells the cause")
  void readAnew() throws Exception {
    NodeHome home = open(false);
    assertThat(home.turn().toCompletableFuture()).as("listed by the watch alone").isNotDone();
    assertThat(home.trouble()).singleElement().asString().contains("being read anew");

    cluster.answerOnce(
        KubernetesHomeTest::asksForList,
        MockCluster.status(500, "InternalError", "etcdserver: request timed out"));
    run(Duration.ofMillis(1));
    assertThat(home.turn().toCompletableFuture()).isNotDone();
    assertThat(home.trouble())
        .anySatisfy(
            reason ->
                assertThat(reason)
                    .contains("could not be read anew")
                    .contains("request timed out"));

    run(Duration.ofSeconds(1));
    assertThat(home.turn().toCompletableFuture()).isCompleted();
    assertThat(home.trouble()).isEmpty();
    assertThat(home.fence().isOpen()).isTrue();
    assertThat(home.leading()).isEqualTo(NodeHome.Leading.ALONE);
  }

  @Test
  @DisplayName("what only looks at the nodes does not wait, and asks for nothing more")
  void readOnly() throws Exception {
    NodeHome home = open(true);
    long before = lists();
    run(Duration.ofSeconds(10));
    assertThat(home.turn().toCompletableFuture()).isCompleted();
    assertThat(lists()).isEqualTo(before);
  }
}
