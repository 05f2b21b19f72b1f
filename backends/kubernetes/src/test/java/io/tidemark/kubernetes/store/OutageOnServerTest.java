package io.tidemark.kubernetes.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.store.StoreWorld.Told;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.StoreResult;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("kubernetes")
@Tag("long")
@DisplayName("An API server that goes away, and one that forgets")
class OutageOnServerTest {
  /** How long it stays away, beside the seconds that its start takes. */
  private static final Duration AWAY =
      Duration.ofSeconds(Long.getLong("tidemark.outage.seconds", 1));

  @Test
  @DisplayName("killed and back: what changed meanwhile is seen, writes fail in between, then work")
  void outage() throws Exception {
    try (StoreWorld world = new StoreWorld()) {
      NodeResource first = world.nodes.create(NodeResource.named("n1").withInstanceId("i-1"));
      world.nodes.create(NodeResource.named("n2").withInstanceId("i-2"));
      KubernetesNodeResourceStore store = world.listed();
      Told told = new Told();
      store.watch(told);
      Eventually.holds("the list is delivered", () -> told.synced);

      world.server.killApiServer();
      assertThat(store.update(first, first.withPreAllocate(5)))
          .isInstanceOf(StoreResult.Failed.class);
      Eventually.holds("trouble is told", () -> store.trouble().isPresent());
      long end = System.nanoTime() + AWAY.toNanos();
      Eventually.holds(
          "it was away for " + AWAY,
          AWAY.plusSeconds(10),
          () -> {
            assertThat(store.trouble()).isPresent();
            return System.nanoTime() - end > 0;
          });
      world.server.startApiServer();
      world.nodes.delete("n2");
      NodeResource fresh = world.nodes.node("n1");
      assertThat(store.update(fresh, fresh.withPreAllocate(5)))
          .isInstanceOf(StoreResult.Stored.class);
      Eventually.holds(
          "the deletion is seen", Duration.ofSeconds(30), () -> !told.nodes.containsKey("n2"));
      Eventually.holds("the trouble is over", () -> store.trouble().isEmpty());
    }
  }

  @Test
  @DisplayName("a watch whose versions were compacted away lists again (410 Expired)")
  void expiry() throws Exception {
    try (StoreWorld world = new StoreWorld("--watch-cache=false")) {
      world.nodes.create(NodeResource.named("n1").withInstanceId("i-1"));
      KubernetesNodeResourceStore store = world.listed();
      Told told = new Told();
      store.watch(told);
      Eventually.holds("the list is delivered", () -> told.synced);
      world.server.killApiServer();
      world.server.startApiServer();
      NodeResource changed = world.nodes.node("n1");
      for (int i = 1; i <= 20; i++) {
        changed = world.nodes.writeSpec(changed.withPreAllocate(i));
      }
      world.nodes.delete("n1");
      world.nodes.create(NodeResource.named("n3").withInstanceId("i-3"));
      world.server.compact();
      Eventually.holds(
          "the list is seen",
          Duration.ofSeconds(60),
          () -> told.nodes.containsKey("n3") && !told.nodes.containsKey("n1"));
    }
  }
}
