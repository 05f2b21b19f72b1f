package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import io.tidemark.time.VirtualTime;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Kubernetes Nodes in memory (node-cidr 17.2 AM15)")
class InMemoryClusterNodesTest extends AnnotatedNodesContract {
  private static final long SECOND = 1_000_000_000L;
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final VirtualTime time = new VirtualTime(START.toEpochMilli());
  private final InMemoryClusterNodes server = new InMemoryClusterNodes(time);

  @Override
  protected World world() {
    ClusterNodeStore store = server.client("tidemark-operator", time);
    return new World() {
      @Override
      public ClusterNodeStore store() {
        return store;
      }

      @Override
      public ClusterNode create(String name) {
        return server.create(ClusterNode.named(name, "")).orElseThrow();
      }

      @Override
      public void delete(String name) {
        assertThat(server.delete(name)).isTrue();
      }

      @Override
      public void beginDeletion(String name) {
        assertThat(server.change(name, ClusterNode::withBeingDeleted)).isTrue();
      }

      @Override
      public void heartbeat(String name) {
        assertThat(server.change(name, node -> node)).isTrue();
      }

      @Override
      public void assign(String name, String... cidrs) {
        assertThat(byOther(name, cidrs)).isInstanceOf(NodeChange.Accepted.class);
      }

      @Override
      public void eventually(String what, BooleanSupplier holds) {
        time.runUntilIdle(time.nanos() + SECOND);
        assertThat(holds.getAsBoolean()).as(what).isTrue();
      }
    };
  }

  private NodeChange byOther(String name, String... cidrs) {
    return server.assign(
        "kube-controller-manager",
        name,
        server.find(name).orElseThrow().uid(),
        Stream.of(cidrs).map(Cidr::parse).toList());
  }
}
