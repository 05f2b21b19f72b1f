package io.tidemark.kubernetes.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.ApiServer.User;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.store.StoreWorld.Told;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.StoreResult;
import io.tidemark.time.SystemTime;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("kubernetes")
@DisplayName("The CiliumNode of one node in a real API server")
class OneNodeOnServerTest {
  private static NodeResource node(String name) {
    return NodeResource.named(name).withInstanceId("i-" + name);
  }

  @Test
  @DisplayName(
      "of a hundred nodes its agent is told one, writes under its own name, and outlives a restart")
  void one() throws Exception {
    try (StoreWorld world = new StoreWorld();
        ClusterConnection connection = world.server.connect(User.ADMIN);
        KubernetesNodeResourceStore store =
            KubernetesNodeResourceStore.ofNode(
                "n1", "tidemark-agent", connection, SystemTime.instance(), Runnable::run)) {
      for (int i = 2; i <= 100; i++) {
        world.nodes.create(node("n" + i));
      }
      Told told = new Told();
      store.watch(told);
      Eventually.holds("all is told", () -> told.synced);
      assertThat(told.log).containsExactly("synced");
      assertThat(store.create(node("n1"))).isInstanceOf(StoreResult.Stored.class);
      Eventually.holds("it is told", () -> told.nodes.containsKey("n1"));
      assertThat(world.nodes.text("n1")).contains("\"manager\":\"tidemark-agent\"");
      assertThat(store.create(node("n1"))).isInstanceOf(StoreResult.Conflict.class);

      world.server.killApiServer();
      Eventually.holds(
          "trouble is told",
          () -> store.get("n1") instanceof StoreResult.Failed && store.trouble().isPresent());
      world.server.startApiServer();
      world.nodes.writeSpec(world.nodes.node("n1").withPreAllocate(5));
      world.nodes.writeSpec(world.nodes.node("n2").withPreAllocate(5));
      Eventually.holds(
          "the change has arrived",
          () -> store.latest("n1").orElseThrow().ipam().preAllocate() == 5);
      assertThat(told.nodes).containsOnlyKeys("n1");
      assertThat(store.names()).containsExactly("n1");
    }
  }
}
