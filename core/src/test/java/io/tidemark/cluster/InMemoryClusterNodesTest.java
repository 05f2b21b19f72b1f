package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.ClusterNode.PodCidrs;
import io.tidemark.cluster.ClusterNodeStore.Reading;
import io.tidemark.cluster.InMemoryClusterNodes.Interference;
import io.tidemark.cluster.InMemoryClusterNodes.Request;
import io.tidemark.ip.Cidr;
import io.tidemark.resource.CatchUp;
import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.time.EffectModel;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

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

  @Test
  @DisplayName("the server gives a node its uid, version and time of creation, and knows who wrote")
  void server() {
    ClusterNode made = server.create(ClusterNode.named("n1", "ignored")).orElseThrow();
    assertThat(server.create(ClusterNode.named("n1", ""))).isEmpty();
    assertThat(made.created()).contains(START);
    assertThat(made.uid()).isNotEqualTo("ignored");
    assertThat(byOther("n1", "10.244.3.0/24")).isInstanceOf(NodeChange.Accepted.class);
    assertThat(server.find("n1").map(ClusterNode::podCidrs))
        .contains(PodCidrs.of(List.of(Cidr.parse("10.244.3.0/24")), "kube-controller-manager"));
    assertThat(server.change("n1", node -> node.withPodCidrs(PodCidrs.NONE))).isTrue();
    assertThat(server.all()).singleElement().matches(node -> !node.podCidrs().isEmpty());
  }

  @Test
  @DisplayName(
      "the condition NetworkUnavailable is set to false, on the incarnation that was named")
  void networkAvailable() {
    String uid = server.create(ClusterNode.named("n1", "")).orElseThrow().uid();
    ClusterNodeStore store = server.client("tidemark-operator", time);
    assertThat(store.networkAvailable("n1", "another")).isEqualTo(new NodeChange.Gone());
    assertThat(store.networkAvailable("n1", uid)).isInstanceOf(NodeChange.Accepted.class);
    assertThat(store.latest("n1").flatMap(ClusterNode::networkUnavailable)).contains(false);
    String version = server.find("n1").orElseThrow().version();
    assertThat(store.networkAvailable("n1", uid)).isInstanceOf(NodeChange.Accepted.class);
    assertThat(server.find("n1").orElseThrow().version()).isEqualTo(version);
  }

  @Test
  @DisplayName("a list catches up with what a lagging watch has not shown yet")
  void catchUp() {
    assertThat(server.create(ClusterNode.named("n1", ""))).isPresent();
    ClusterNodeStore store =
        server.client("tidemark-operator", time, () -> 60 * SECOND, Interference.NONE);
    Watch watch = store.watch(new Told());
    time.runUntil(time.nanos() + 61 * SECOND);
    assertThat(store.names()).containsExactly("n1");
    server.delete("n1");
    assertThat(server.create(ClusterNode.named("n2", ""))).isPresent();
    AtomicReference<CatchUp> end = new AtomicReference<>();
    store
        .catchUp(time.effects(EffectModel.reliable(Duration.ZERO, Duration.ZERO)))
        .thenAccept(end::set);
    time.runUntil(time.nanos() + SECOND);
    assertThat(end.get()).isEqualTo(new CatchUp.Done());
    assertThat(store.names()).containsExactly("n2");
    watch.close();
  }

  @Test
  @DisplayName("requests are intercepted one by one: a change ends as told, a read fails")
  void interference() {
    String uid = server.create(ClusterNode.named("n1", "")).orElseThrow().uid();
    List<String> asked = new ArrayList<>();
    NodeChange lost = new NodeChange.Unknown("the answer was lost");
    ClusterNodeStore store =
        server.client(
            "tidemark-operator",
            time,
            DeliveryDelay.NONE,
            (request, name) -> {
              asked.add(request + " " + name);
              return request == Request.LIST ? Optional.empty() : Optional.of(lost);
            });
    assertThat(store.assignPodCidrs("n1", uid, List.of(Cidr.parse("10.244.3.0/24"))))
        .isEqualTo(lost);
    assertThat(store.get("n1")).isInstanceOf(Reading.Failed.class);
    assertThat(asked).containsExactly("ASSIGN n1", "GET n1");
    assertThat(server.find("n1").orElseThrow().podCidrs().isEmpty()).isTrue();
  }

  @Test
  @DisplayName("a watch that lags too far begins again with a list of all nodes")
  void tooFar() {
    assertThat(server.create(ClusterNode.named("n1", ""))).isPresent();
    ClusterNodeStore store =
        server.client("tidemark-operator", time, () -> 5 * SECOND, Interference.NONE, 2);
    Told told = new Told();
    Watch watch = store.watch(told);
    time.runUntil(time.nanos() + 6 * SECOND);
    for (int i = 2; i <= 4; i++) {
      assertThat(server.create(ClusterNode.named("n" + i, ""))).isPresent();
    }
    server.delete("n1");
    server.delete("n2");
    time.runUntil(time.nanos() + 20 * SECOND);
    assertThat(told.log())
        .containsExactly(
            "upserted n1 []", "synced", "deleted n1", "upserted n3 []", "upserted n4 []");
    watch.close();
  }

  @Test
  @DisplayName(
      "a list of a server that lags shows a live node as deleted; a read by name finds it, and so"
          + " does the next list")
  void stale() {
    InMemoryClusterNodes.Snapshot before = server.snapshot();
    assertThat(server.create(ClusterNode.named("n1", ""))).isPresent();
    ClusterNodeStore store = server.client("tidemark-operator", time);
    Told told = new Told();
    Watch watch = store.watch(told);
    time.runUntil(time.nanos() + SECOND);
    server.relist(before);
    time.runUntil(time.nanos() + SECOND);
    assertThat(told.log()).containsExactly("upserted n1 []", "synced", "deleted n1");
    assertThat(store.names()).isEmpty();
    assertThat(store.get("n1")).isInstanceOf(Reading.Found.class);
    assertThat(store.names()).containsExactly("n1");
    server.relist(server.snapshot());
    time.runUntil(time.nanos() + SECOND);
    assertThat(told.log()).endsWith("deleted n1", "upserted n1 []");
    watch.close();
  }
}
