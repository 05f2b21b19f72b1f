package io.tidemark.kubernetes.store;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.tidemark.kubernetes.ClusterAccess;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.LogRecord;
import io.tidemark.kubernetes.WatchPace;
import io.tidemark.kubernetes.http.SocketPace;
import io.tidemark.kubernetes.server.CutLine;
import io.tidemark.kubernetes.server.CutLine.Cut;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.HistoryServer;
import io.tidemark.kubernetes.server.Kubeconfig;
import io.tidemark.kubernetes.store.StoreWorld.Told;
import io.tidemark.testing.Hang;
import io.tidemark.time.SystemTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A watch whose connection is cut behind an event")
class CutWatchTest {
  private static final SocketPace SOCKETS =
      new SocketPace(Duration.ofMillis(10), Duration.ofMillis(200), Duration.ofMillis(100));
  private static final WatchPace PACE =
      new WatchPace(
          SOCKETS,
          Duration.ofMillis(100),
          WatchPace.USUAL.silence(),
          Duration.ofMillis(500),
          WatchPace.USUAL.deadline(),
          WatchPace.USUAL.list());

  /** Of the watch alone: pings are not answered. */
  private static final WatchPace WITHOUT_PINGS =
      new WatchPace(
          SOCKETS,
          Duration.ofMillis(100),
          Duration.ofMillis(2500),
          Hang.LIMIT,
          Hang.LIMIT,
          WatchPace.USUAL.list());

  @TempDir private Path folder;

  @RegisterExtension private final LogRecord log = new LogRecord();
  private final Told told = new Told();
  private HistoryServer server;
  private CutLine line;

  @SuppressWarnings("NullAway.Init") // each test opens it
  private ClusterConnection connection;

  @SuppressWarnings("NullAway.Init")
  private KubernetesNodeResourceStore store;

  @BeforeEach
  void start() throws Exception {
    server = HistoryServer.start();
    line = CutLine.to(server.port());
  }

  private void open(WatchPace pace) throws Exception {
    Path kubeconfig = Kubeconfig.write(folder, "http://127.0.0.1:" + line.port());
    connection =
        ClusterConnection.open(
            new ClusterAccess(Optional.of(kubeconfig), Optional.empty(), Duration.ofSeconds(10)),
            pace);
    store = KubernetesNodeResourceStore.open(connection, SystemTime.instance(), Runnable::run);
    store.watch(told);
    server.put("first");
    Eventually.holds("it is watched", () -> told.nodes.containsKey("first"));
    Eventually.holds(
        "the server is known to answer pings",
        () -> pace.equals(WITHOUT_PINGS) || line.answers() > 0);
  }

  @AfterEach
  void close() throws Exception {
    store.close();
    connection.close();
    line.close();
    server.close();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("is open again at once from the last version, and no object is lost")
  void cut(Cut how) throws Exception {
    cut(how, 8);
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource
  @DisplayName("is open again after each of many cuts")
  void cutOften(Cut how) throws Exception {
    cut(how, 200);
  }

  private void cut(Cut how, int times) throws Exception {
    open(PACE);
    for (int i = 0; i < times; i++) {
      String cut = "cut-" + i;
      String after = "after-" + i;
      line.cutNext(how);
      server.put(cut);
      Eventually.holds(cut + " is told", () -> told.nodes.containsKey(cut));
      server.put(after);
      Eventually.holds(after + " is told", () -> told.nodes.containsKey(after));
    }
    assertThat(line.cuts()).isEqualTo(times);
    assertThat(store.interruptions()).isGreaterThanOrEqualTo(times);
    assertThat(server.lists()).isEqualTo(1);
  }

  @Test
  @DisplayName("lists again when the server has forgotten the last version")
  void forgotten() throws Exception {
    open(PACE);
    line.refuse(true);
    line.closeAll();
    server.put("meanwhile");
    server.forget();
    line.refuse(false);
    Eventually.holds("it is listed", () -> told.nodes.containsKey("meanwhile"));
    assertThat(server.lists()).isGreaterThan(1);
  }

  @Test
  @DisplayName("is opened again after its silence where something between keeps pings back")
  void withoutPings() throws Exception {
    server.answersPings(false);
    open(WITHOUT_PINGS);
    line.cutNext(Cut.SILENCE);
    server.put("cut");
    server.put("after");
    Eventually.holds("it is told", () -> told.nodes.containsKey("after"));
    assertThat(server.lists()).isEqualTo(1);
    assertThat(connection.watches().late()).isEmpty();
  }

  @Test
  @DisplayName("is reported with its code while it does not come back, and its age is known")
  void late() throws Exception {
    open(PACE);
    line.refuse(true);
    line.silenceAll();
    Eventually.holds("it is late", () -> !connection.watches().late().isEmpty());
    assertThat(connection.watches().late())
        .singleElement()
        .asString()
        .startsWith("TM-1110 WATCH_LATE: the watch of CiliumNodes has given no sign of life for");
    assertThat(store.trouble()).isPresent();
    assertThat(connection.watches().ages()).containsOnlyKeys("CiliumNodes");
    assertThat(log.messages(Level.WARN)).anyMatch(each -> each.contains("TM-1110"));

    line.closeAll();
    server.put("meanwhile");
    line.refuse(false);
    Eventually.holds("it is told", () -> told.nodes.containsKey("meanwhile"));
    Eventually.holds("it is in time", () -> connection.watches().late().isEmpty());
    Eventually.holds("nothing is wrong", () -> store.trouble().isEmpty());
    assertThat(server.lists()).isEqualTo(1);
  }
}
