package io.tidemark.kubernetes.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kubernetes.ClusterAccess;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.WatchPace;
import io.tidemark.kubernetes.server.ApiServer.User;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.store.StoreWorld.Told;
import io.tidemark.resource.NodeResource;
import io.tidemark.time.SystemTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("kubernetes")
@DisplayName("A real etcd that is restored from a backup under its API server")
class RestoredOnServerTest {
  private static final WatchPace PACE =
      new WatchPace(
          WatchPace.USUAL.sockets(),
          Duration.ofMillis(500),
          WatchPace.USUAL.silence(),
          WatchPace.USUAL.closed(),
          WatchPace.USUAL.deadline(),
          Duration.ofSeconds(5));

  @ParameterizedTest(name = "revision raised: {0}")
  @ValueSource(booleans = {true, false})
  @DisplayName("is known as it is then, though no watch tells of it")
  void restored(boolean raised) throws Exception {
    try (StoreWorld world = new StoreWorld();
        ClusterConnection connection =
            ClusterConnection.open(
                new ClusterAccess(
                    Optional.of(world.server.kubeconfig(User.ADMIN)),
                    Optional.empty(),
                    Duration.ofSeconds(10)),
                PACE);
        KubernetesNodeResourceStore store =
            KubernetesNodeResourceStore.open(connection, SystemTime.instance(), Runnable::run)) {
      Told told = new Told();
      store.watch(told);
      create(world, "stays");
      create(world, "deleted");
      Eventually.holds("both are told", () -> told.nodes.size() == 2);
      Path backup = world.server.backUp();
      world.nodes.delete("deleted");
      create(world, "created");
      Eventually.holds(
          "the changes are told",
          () -> told.nodes.containsKey("created") && !told.nodes.containsKey("deleted"));

      world.server.restore(backup, raised ? world.server.revision() + 100 : 0);
      Eventually.holds("what was deleted is back", () -> told.nodes.containsKey("deleted"));
      Eventually.holds("what was created is gone", () -> !told.nodes.containsKey("created"));
      assertThat(store.interruptions()).isPositive();
      create(world, "later");
      Eventually.holds("what comes later is told", () -> told.nodes.containsKey("later"));
    }
  }

  private static void create(StoreWorld world, String name) {
    world.nodes.create(NodeResource.named(name).withInstanceId("i-" + name));
  }
}
