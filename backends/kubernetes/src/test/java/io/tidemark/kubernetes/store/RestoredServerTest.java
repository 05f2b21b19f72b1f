package io.tidemark.kubernetes.store;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.tidemark.kubernetes.ClusterAccess;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.LogRecord;
import io.tidemark.kubernetes.WatchPace;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.HistoryServer;
import io.tidemark.kubernetes.server.HistoryServer.Backup;
import io.tidemark.kubernetes.server.Kubeconfig;
import io.tidemark.kubernetes.store.StoreWorld.Told;
import io.tidemark.time.SystemTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A server that was restored from a backup while its watch stayed open")
class RestoredServerTest {
  private static final long BUMP = 1_000_000_000;
  private static final WatchPace PACE =
      new WatchPace(
          WatchPace.USUAL.sockets(),
          Duration.ofMillis(20),
          WatchPace.USUAL.silence(),
          WatchPace.USUAL.closed(),
          WatchPace.USUAL.deadline(),
          Duration.ofMillis(200));

  @TempDir private Path folder;

  @RegisterExtension private final LogRecord log = new LogRecord();
  private final Told told = new Told();
  private HistoryServer server;
  private ClusterConnection connection;
  private KubernetesNodeResourceStore store;

  @BeforeEach
  void start() throws Exception {
    server = HistoryServer.start();
    server.put("stays");
    server.put("deleted");
    server.put("replaced");
    Path kubeconfig = Kubeconfig.write(folder, "http://127.0.0.1:" + server.port());
    connection =
        ClusterConnection.open(
            new ClusterAccess(Optional.of(kubeconfig), Optional.empty(), Duration.ofSeconds(10)),
            PACE);
    store = KubernetesNodeResourceStore.open(connection, SystemTime.instance(), Runnable::run);
    store.watch(told);
    Eventually.holds("all is told", () -> told.nodes.size() == 3);
  }

  @AfterEach
  void close() throws Exception {
    store.close();
    connection.close();
    server.close();
  }

  private void changeAll() throws Exception {
    server.delete("deleted");
    server.put("created");
    server.delete("replaced");
    server.put("replaced", "u-2");
    server.put("stays");
    Eventually.holds(
        "the changes are told",
        () -> !told.nodes.containsKey("deleted") && "u-2".equals(uid("replaced")));
  }

  private String uid(String name) {
    return store.uid(name).orElse("");
  }

  private String version(String name) {
    return store.latest(name).orElseThrow().resourceVersion();
  }

  @ParameterizedTest(name = "revision raised by {0}")
  @ValueSource(longs = {BUMP, 0})
  @DisplayName("is known as it is after the next list, by names and uids, and watched from there")
  void restored(long raised) throws Exception {
    Backup backup = server.backup();
    String before = version("stays");
    changeAll();
    server.restore(backup, backup.version() + raised);
    Eventually.holds("what was deleted is back", () -> told.nodes.containsKey("deleted"));
    Eventually.holds("what was created is gone", () -> !told.nodes.containsKey("created"));
    Eventually.holds("the former incarnation is back", () -> "u-replaced".equals(uid("replaced")));
    assertThat(version("stays")).isEqualTo(before);
    assertThat(log.messages(Level.WARN)).anyMatch(each -> each.contains("older state"));
    assertThat(store.interruptions()).as("nothing was missed by the watch").isZero();

    server.put("later");
    Eventually.holds("what comes later is told", () -> told.nodes.containsKey("later"));
    server.put("created");
    Eventually.holds("also of a name that was gone", () -> told.nodes.containsKey("created"));
    server.delete("deleted");
    Eventually.holds("so are deletions", () -> !told.nodes.containsKey("deleted"));
  }

  @Test
  @DisplayName("is listed now and then, which gives no event when nothing has changed")
  void quiet() {
    int before = told.log.size();
    long lists = server.lists();
    Eventually.holds("it is listed twice more", () -> server.lists() >= lists + 2);
    assertThat(told.log).hasSize(before);
    assertThat(log.messages(Level.WARN)).isEmpty();
    assertThat(connection.watches().late()).isEmpty();
  }
}
