package io.tidemark.kubernetes.backend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.tidemark.cluster.Backend;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigSource;
import io.tidemark.kubernetes.ClusterAccess;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.KubernetesConfig;
import io.tidemark.kubernetes.LogRecord;
import io.tidemark.kubernetes.WatchPace;
import io.tidemark.kubernetes.backend.ClusterBackend.Opened;
import io.tidemark.kubernetes.backend.KubernetesBackend.WhenAbsent;
import io.tidemark.kubernetes.http.SocketPace;
import io.tidemark.kubernetes.server.CutLine;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.MockCluster;
import io.tidemark.testing.Hang;
import io.tidemark.time.EffectFate;
import io.tidemark.time.VirtualTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Whether a program is ready while its watches have died")
class LateWatchesTest {
  private static final WatchPace PACE =
      new WatchPace(
          SocketPace.USUAL,
          Duration.ofMillis(50),
          WatchPace.USUAL.silence(),
          WatchPace.USUAL.closed(),
          Duration.ofSeconds(1),
          WatchPace.USUAL.list());

  @TempDir private Path folder;
  @RegisterExtension private final LogRecord log = new LogRecord();

  private final MockCluster cluster = MockCluster.start();
  private final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  private CutLine line;
  private ClusterConnection connection;

  @BeforeEach
  void connect() throws Exception {
    line = CutLine.to(cluster.port());
    Path kubeconfig =
        Files.writeString(
            folder.resolve("kubeconfig"),
            cluster.kubeconfig("").replace(":" + cluster.port(), ":" + line.port()),
            UTF_8);
    connection =
        ClusterConnection.open(
            new ClusterAccess(Optional.of(kubeconfig), Optional.empty(), Hang.LIMIT), PACE);
  }

  @AfterEach
  void close() throws Exception {
    line.close();
    cluster.close();
  }

  private Backend.Environment environment() {
    return new Backend.Environment(
        ConfigSource.of(Map.of("leader-election", "false")),
        time,
        time.effects((site, limit) -> EffectFate.answered(Duration.ZERO, Duration.ZERO)),
        new SplittableRandom(1),
        true);
  }

  private Opened opened() {
    return new Opened(
        connection,
        KubernetesConfig.read(environment().settings(), new ConfigProblems()),
        environment());
  }

  /** Lets nothing through, and expects each kind in what is said of the readiness. */
  private void expect(Backend backend, String... kinds) {
    Eventually.holds("all is watched", () -> backend.watchAges().keySet().equals(Set.of(kinds)));
    line.silenceAll();
    Eventually.holds("each is late", () -> backend.lateWatches().size() == kinds.length);
    List<String> trouble = backend.trouble();
    for (String kind : kinds) {
      assertThat(trouble)
          .anyMatch(each -> each.startsWith("TM-1110 WATCH_LATE: the watch of " + kind + " has "));
    }
    assertThat(log.messages(Level.WARN)).anyMatch(each -> each.contains("TM-1110"));
    line.closeAll();
    Eventually.holds("each is in time again", () -> backend.lateWatches().isEmpty());
  }

  @Test
  @DisplayName("an operator with an engine: CiliumNodes, Nodes, Pods")
  void engine() {
    try (CiliumNodeBackend backend = new CiliumNodeBackend(opened(), true)) {
      expect(backend, "CiliumNodes", "Nodes", "Pods");
    }
  }

  @Test
  @DisplayName("the assignment of ids: Nodes, and Leases as claims")
  void claims() {
    try (KubernetesClaimBackend backend = KubernetesClaimBackend.open(opened(), "ids")) {
      expect(backend, "Leases", "Nodes");
    }
  }

  @Test
  @DisplayName("an agent: its own object, the pods of its node, namespaces")
  void agent() {
    try (NodeObjectBackend backend =
        new NodeObjectBackend("n1", "agent", WhenAbsent.WAIT, connection, environment())) {
      backend.podPools();
      expect(backend, "CiliumNodes", "Namespaces", "Pods");
    }
  }
}
