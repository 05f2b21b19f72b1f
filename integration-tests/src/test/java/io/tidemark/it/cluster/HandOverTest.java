package io.tidemark.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kubernetes.server.Eventually;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("kubernetes")
@Tag("long")
@DisplayName("Of two operators one works; the other follows")
class HandOverTest {
  private static final String LEADS = "This operator leads";
  private static final String STANDS_BY = "On standby for the lease";

  /** A short lease, so that the tests need not wait long for its end. */
  private static final String[] SHORT_LEASE = {
    "--leader-election-lease-duration=3s",
    "--leader-election-renew-deadline=2s",
    "--leader-election-retry-period=500ms"
  };

  @TempDir private Path folder;

  private static void fill(ClusterWorld world, String node, int addresses) {
    Eventually.holds(
        node + " has " + addresses + " addresses",
        () -> world.nodes.node(node).pool().size() >= addresses);
  }

  /** Asks for more addresses on a node, as a person does. */
  private static void ask(ClusterWorld world, String node, int addresses) {
    world.nodes.writeSpec(world.nodes.node(node).withPreAllocate(addresses));
  }

  @Test
  @DisplayName("at the end of the lease, when the leader was killed amid its work")
  void killed() throws Exception {
    try (ClusterWorld world = new ClusterWorld(folder, 6, "\"pre-allocate\":8")) {
      ClusterOperator first = world.operator("first", SHORT_LEASE).awaitLog(LEADS);
      ClusterOperator second = world.operator("second", SHORT_LEASE).awaitLog(STANDS_BY);
      Eventually.holds("it began", () -> world.mutations() > 0);
      first.kill();
      second.awaitLog(LEADS);
      for (String node : world.names()) {
        fill(world, node, 8);
      }
      assertThat(second.terminate()).as(second.log()).isZero();
      assertThat(world.addresses()).hasSize(48);
    }
  }

  @Test
  @DisplayName("and one that was paused past its lease changes nothing when it goes on, and ends")
  void paused() throws Exception {
    try (ClusterWorld world = new ClusterWorld(folder, 2, "\"pre-allocate\":4")) {
      ClusterOperator first = world.operator("first", SHORT_LEASE).awaitLog(LEADS);
      fill(world, "node-0", 4);
      fill(world, "node-1", 4);
      ClusterOperator second = world.operator("second", SHORT_LEASE).awaitLog(STANDS_BY);
      first.pause();
      second.awaitLog(LEADS);
      second.kill();
      ask(world, "node-0", 8);
      long before = world.mutations();

      first.goOn();
      assertThat(first.await()).as(first.log()).isEqualTo(1);
      assertThat(first.log()).contains("The lease is lost", "another operator holds the lease");
      assertThat(world.mutations()).isEqualTo(before);
    }
  }
}
