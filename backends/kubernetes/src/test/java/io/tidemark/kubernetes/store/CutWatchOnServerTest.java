package io.tidemark.kubernetes.store;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidemark.kubernetes.ClusterAccess;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.WatchPace;
import io.tidemark.kubernetes.http.SocketPace;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.CutLine;
import io.tidemark.kubernetes.server.CutLine.Cut;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.store.StoreWorld.Told;
import io.tidemark.resource.NodeResource;
import io.tidemark.testing.Hang;
import io.tidemark.time.SystemTime;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("kubernetes")
@DisplayName("Connections to a real API server that are cut behind its words")
class CutWatchOnServerTest {
  private static final int CUTS = 10;
  private static final int MANY_CUTS = 200;
  private static final WatchPace PACE =
      new WatchPace(
          new SocketPace(Duration.ofMillis(20), Duration.ofSeconds(1), Duration.ofMillis(300)),
          WatchPace.USUAL.look(),
          WatchPace.USUAL.silence(),
          WatchPace.USUAL.closed(),
          WatchPace.USUAL.deadline(),
          WatchPace.USUAL.list());

  @AutoClose private static StoreWorld world;

  @BeforeAll
  static void start() throws IOException {
    world = new StoreWorld();
  }

  /** Of the watch alone: no ping is waited for. */
  private static final WatchPace WITHOUT_PINGS =
      new WatchPace(
          new SocketPace(Duration.ofSeconds(1), Duration.ofSeconds(1), Hang.LIMIT),
          Duration.ofMillis(100),
          Duration.ofMillis(2500),
          Hang.LIMIT,
          Hang.LIMIT,
          WatchPace.USUAL.list());

  private static ClusterConnection over(CutLine line, Duration timeout, WatchPace pace)
      throws IOException {
    return ClusterConnection.open(
        new ClusterAccess(
            Optional.of(world.server.kubeconfig(ApiServer.User.ADMIN, line.port())),
            Optional.empty(),
            timeout),
        pace);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("no object is lost, and nothing is listed again")
  void cut(Cut how) throws Exception {
    cut(how, CUTS, PACE);
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource
  @DisplayName("no object is lost by many cuts")
  void cutOften(Cut how) throws Exception {
    cut(how, MANY_CUTS, PACE);
  }

  @Test
  @DisplayName("a watch is opened again after its silence where pings tell nothing")
  void withoutPings() throws Exception {
    cut(Cut.SILENCE, 1, WITHOUT_PINGS);
  }

  private void cut(Cut how, int cuts, WatchPace pace) throws Exception {
    try (CutLine line = CutLine.to(world.server.port());
        ClusterConnection connection = over(line, Duration.ofSeconds(10), pace)) {
      KubernetesNodeResourceStore store =
          KubernetesNodeResourceStore.open(connection, SystemTime.instance(), Runnable::run);
      Told told = new Told();
      AutoCloseable watch = store.watch(told);
      Eventually.holds("it is watched", () -> told.synced && line.answers() > 0);
      for (int i = 0; i < cuts; i++) {
        String name = how.name().toLowerCase(Locale.ROOT).replace('_', '-') + '-' + cuts + '-' + i;
        line.cutNext(how);
        world.nodes.create(NodeResource.named(name).withInstanceId("i-" + i));
        Eventually.holds(name + " is told", () -> told.nodes.containsKey(name));
      }
      Eventually.holds("each was cut", () -> line.cuts() == cuts);
      watch.close();
      store.close();
    }
  }

  @Test
  @DisplayName(
      "requests after one that was silent go over another connection, though all share one")
  void renewed() throws Exception {
    try (CutLine line = CutLine.to(world.server.port());
        ClusterConnection connection = over(line, Duration.ofSeconds(2), PACE)) {
      Eventually.holds("it is connected", () -> !ask(connection).isEmpty());
      line.silenceAll();
      assertThatThrownBy(() -> ask(connection)).isInstanceOf(KubernetesClientException.class);
      Eventually.holds("it is connected again", () -> !ask(connection).isEmpty());
    }
  }

  private static String ask(ClusterConnection connection) {
    return connection.send("GET", CiliumNodes.PATH + "?limit=1", null);
  }
}
