package io.tidemark.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.ApiServer.User;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.resource.NodeResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The leader's lease ends while etcd is away. When etcd is back, the standby leads before its watch
 * shows what the leader wrote last.
 */
@Tag("kubernetes")
@Tag("long")
@DisplayName("A standby that takes over after an outage of etcd")
class EtcdOutageTest {
  private static final int ROUNDS = Integer.getInteger("tidemark.takeovers", 2);
  private static final int NODES = 300;
  private static final int PRE_ALLOCATE = 8;
  private static final int FILLED_BEFORE = 60;

  /** Of the mock cloud, so that etcd can be ended amid the work. */
  private static final String LATENCY = "2s";

  private static final Duration AWAY = Duration.ofSeconds(15);
  private static final Duration FULL_WITHIN = Duration.ofSeconds(45);
  private static final Duration LOOK = Duration.ofMillis(100);
  private static final Pattern SECOND_OWNER =
      Pattern.compile("TM-1217|SECOND_OWNER|Another operator writes");

  @TempDir private Path folder;

  @Test
  @DisplayName(
      "D-22 takes no write of its predecessor for a second operator's, and fills every node")
  void takesOver() throws Exception {
    for (int round = 1; round <= ROUNDS; round++) {
      Path logs = Files.createDirectory(folder.resolve("round-" + round));
      try (ApiServer server = ApiServer.start();
          ClusterConnection admin = server.connect(User.ADMIN)) {
        takeOver(round, server, admin, logs);
      }
    }
  }

  private static void takeOver(int round, ApiServer server, ClusterConnection admin, Path logs)
      throws Exception {
    CiliumNodes nodes = new CiliumNodes(admin);
    new ManyObjects(admin).nodes(NODES);
    try (ClusterOperator leader = operator(server, logs.resolve("leader.log"))) {
      leader.awaitLog("This operator leads");
      try (ClusterOperator standby = operator(server, logs.resolve("standby.log"))) {
        standby.awaitLog("On standby for the lease");
        Eventually.holds("nodes are filled", () -> filled(nodes) >= FILLED_BEFORE);
        server.killEtcd();
        long killed = System.nanoTime();
        Eventually.holds("etcd was away", () -> System.nanoTime() - killed - AWAY.toNanos() > 0);
        server.startEtcd();
        long back = System.nanoTime();
        standby.awaitLog("This operator leads");
        double leads = seconds(back);
        int[] full = {0};
        try {
          Eventually.holds(
              "every node is full",
              FULL_WITHIN.minusNanos(System.nanoTime() - back),
              () -> LOOK,
              () -> {
                full[0] = filledIfAnswered(nodes);
                return full[0] == NODES;
              });
        } finally {
          System.out.printf(
              Locale.ROOT,
              "round %d: led %.1f s after the restart, %d of %d nodes full after %.1f s,"
                  + " %d said to have a second operator%n",
              round,
              leads,
              full[0],
              NODES,
              seconds(back),
              SECOND_OWNER.matcher(standby.log()).results().count());
        }
        assertThat(standby.log()).doesNotContainPattern(SECOND_OWNER);
        assertThat(standby.status()).doesNotContainPattern(SECOND_OWNER);
        assertThat(leader.log()).doesNotContainPattern(SECOND_OWNER);
      }
    }
  }

  private static ClusterOperator operator(ApiServer server, Path log) throws IOException {
    return ClusterOperator.start(
        log,
        "111111111111",
        List.of(
            "--provider=mock",
            "--mock-latency=" + LATENCY,
            "--port=0",
            "--log-level=info",
            "--kubeconfig=" + server.kubeconfig(User.ADMIN)));
  }

  private static int filled(CiliumNodes nodes) {
    int filled = 0;
    for (NodeResource node : nodes.all()) {
      filled += node.pool().size() >= PRE_ALLOCATE ? 1 : 0;
    }
    return filled;
  }

  /** Nothing while the server is not back yet. */
  private static int filledIfAnswered(CiliumNodes nodes) {
    try {
      return filled(nodes);
    } catch (RuntimeException e) {
      return 0;
    }
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }
}
