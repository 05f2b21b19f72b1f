package io.tidemark.nodecidr.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.ClusterNodeStore.Reading;
import io.tidemark.cluster.ClusterNodeStoreContract;
import io.tidemark.cluster.NodeChange;
import io.tidemark.cluster.ObjectEvents;
import io.tidemark.ip.Cidr;
import io.tidemark.resource.InMemoryNodeResourceStore.Interference;
import io.tidemark.resource.InMemoryNodeResourceStore.Operation;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.StoreResult;
import io.tidemark.resource.StoreResult.Effect;
import io.tidemark.time.EffectModel;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("CiliumNodes as nodes with CIDRs (node-cidr 17.4 AM27)")
class CiliumNodeCidrsTest extends ClusterNodeStoreContract {
  private static final long SECOND = 1_000_000_000L;
  private static final List<Cidr> ONE = cidrs("10.0.1.0/24");

  private final VirtualTime time = new VirtualTime(0);
  private final PoolServer server = new PoolServer(time);

  /** Requests of the store so far; a test takes one away to have it served. */
  private final List<String> requests = new ArrayList<>();

  private static List<Cidr> cidrs(String... texts) {
    return Stream.of(texts).map(Cidr::parse).toList();
  }

  private CiliumNodeCidrs store(Interference faults) {
    NodeResourceStore objects =
        server.client(
            (operation, name) -> {
              requests.add(operation + " " + name);
              return faults.before(operation, name);
            });
    return new CiliumNodeCidrs(objects, 3, errors(objects));
  }

  private OperatorErrors errors(NodeResourceStore objects) {
    EffectRunner effects = time.effects(EffectModel.reliable(Duration.ZERO, Duration.ZERO));
    return new OperatorErrors(
        ObjectEvents.NONE, objects, 3, effects, time, () -> true, new Random(1));
  }

  @Override
  protected boolean grows() {
    return true;
  }

  @Override
  protected World world() {
    CiliumNodeCidrs store = store(Interference.NONE);
    return new World() {
      @Override
      public ClusterNodeStore store() {
        return store;
      }

      @Override
      public ClusterNode create(String name) {
        String uid = server.create(name).uid().orElseThrow();
        assertThat(store.get(name)).isInstanceOf(Reading.Found.class);
        return store.latest(name).filter(node -> node.uid().equals(uid)).orElseThrow();
      }

      @Override
      public void delete(String name) {
        server.delete(name);
      }

      @Override
      public void beginDeletion(String name) {
        server.replace(name, ",\"deletionTimestamp\":\"2026-01-01T00:00:00Z\"");
      }

      @Override
      public void heartbeat(String name) {
        assertThat(server.server().touch(name)).isTrue();
      }

      @Override
      public void assign(String name, String... cidrs) {
        server.assign(name, cidrs);
      }

      @Override
      public void eventually(String what, BooleanSupplier holds) {
        time.runUntilIdle(time.nanos() + SECOND);
        assertThat(holds.getAsBoolean()).as(what).isTrue();
      }
    };
  }

  @ParameterizedTest(name = "{0} and {1} is {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
                                       | 10.0.1.0/24 fd00::/112 | 10.0.1.0/24 fd00::/112
          10.0.1.0/24                  | fd00::/112             | 10.0.1.0/24 fd00::/112
          fd00::/112                   | 10.0.1.0/24            | 10.0.1.0/24 fd00::/112
          10.0.1.0/24 10.0.2.0/24      | fd00::/112             | 10.0.1.0/24 10.0.2.0/24 fd00::/112
          010.0.1.7/24                 | 10.0.1.0/24 fd00::/112 | 010.0.1.7/24 fd00::/112
          10.0.1.0/24                  | 10.0.2.0/24            | occupied
          10.0.1.0/24                  | 10.0.2.0/24 fd00::/112 | occupied
          10.0.1.0/24 nonsense         | fd00::/112             | occupied
          nonsense                     | 10.0.1.0/24            | occupied
                                       | 10.0.1.0/24 10.0.2.0/24| 10.0.1.0/24 10.0.2.0/24
          """)
  @DisplayName("NC-P5 missing families are added, and what is written stays as it is")
  void grow(String has, String added, String expected) {
    String[] before = has == null ? new String[0] : has.split(" ", -1);
    String uid = server.create("n1", before).uid().orElseThrow();
    NodeChange change = store(Interference.NONE).assignPodCidrs("n1", uid, cidrs(added.split(" ")));
    if (expected.equals("occupied")) {
      assertThat(change).isInstanceOf(NodeChange.Occupied.class);
      assertThat(server.cidrs("n1")).containsExactly(before);
    } else {
      assertThat(change).isInstanceOf(NodeChange.Accepted.class);
      assertThat(server.cidrs("n1")).containsExactly(expected.split(" "));
    }
  }

  @Test
  @DisplayName("NC-P11 so often, and not more; the caller is asked to wait")
  void conflicts() {
    String uid = server.create("n1").uid().orElseThrow();
    CiliumNodeCidrs store =
        store(
            (operation, name) -> {
              if (operation == Operation.UPDATE) {
                assertThat(server.server().touch(name)).isTrue();
              }
              return Optional.empty();
            });
    assertThat(store.assignPodCidrs("n1", uid, ONE)).isInstanceOf(NodeChange.AskedToWait.class);
    assertThat(requests).filteredOn("UPDATE n1"::equals).hasSize(3);
    assertThat(server.cidrs("n1")).isEmpty();
  }

  @Test
  @DisplayName("NC-P11 a write that cannot be served is unknown, and one that is refused is not")
  void failures() {
    String uid = server.create("n1").uid().orElseThrow();
    Map<Effect, NodeChange> endings =
        Map.of(
            Effect.UNKNOWN, new NodeChange.Unknown("why"),
            Effect.ASKED_TO_WAIT, new NodeChange.AskedToWait("why"),
            Effect.REFUSED, new NodeChange.Refused("why"));
    endings.forEach(
        (effect, ending) -> {
          Optional<StoreResult> failed = Optional.of(new StoreResult.Failed("why", effect));
          assertThat(store(failing(Operation.UPDATE, failed)).assignPodCidrs("n1", uid, ONE))
              .isEqualTo(ending);
          // Nothing was written, since the object could not be read.
          assertThat(store(failing(Operation.GET, failed)).assignPodCidrs("n1", uid, ONE))
              .isEqualTo(new NodeChange.AskedToWait("why"));
        });
    Optional<StoreResult> invalid = Optional.of(new StoreResult.Refused("admission says no"));
    CiliumNodeCidrs store = store(failing(Operation.UPDATE, invalid));
    assertThat(store.assignPodCidrs("n1", uid, ONE))
        .isEqualTo(new NodeChange.Refused("admission says no"));
    assertThat(store.networkAvailable("n1", uid)).isInstanceOf(NodeChange.Refused.class);
    assertThat(store.annotate(store.latest("n1").orElseThrow(), Map.of()))
        .isInstanceOf(NodeChange.Refused.class);
  }

  private static Interference failing(Operation failing, Optional<StoreResult> instead) {
    return (operation, name) -> operation == failing ? instead : Optional.empty();
  }

  @Test
  @DisplayName("NC-B23 an object shows who wrote its CIDRs; one to be ignored does not")
  void writers() {
    CiliumNodeCidrs store = store(Interference.NONE);
    for (String name : List.of("ours", "theirs", "bare", "unknown")) {
      server.create(name);
    }
    server.createIgnored("ignored");
    server.assignAs("tidemark-operator", "ours", "10.0.1.0/24");
    server.assignAs("cilium-operator-generic", "theirs", "10.0.2.0/24");
    server.assignAs("cilium-operator-generic", "ignored", "10.0.3.0/24");
    server.assign("unknown", "10.0.4.0/24");
    NodeResource theirs = server.node("theirs");
    server.change("theirs", node -> node.withPreAllocate(8));
    Map<String, String> writers = new HashMap<>();
    for (String name : List.of("ours", "theirs", "bare", "unknown", "ignored")) {
      assertThat(store.get(name)).isInstanceOf(Reading.Found.class);
      store
          .latest(name)
          .flatMap(node -> node.podCidrs().writer())
          .ifPresent(writer -> writers.put(name, writer));
    }
    assertThat(writers)
        .isEqualTo(Map.of("ours", "tidemark-operator", "theirs", "cilium-operator-generic"));
    assertThat(server.node("theirs").resourceVersion()).isNotEqualTo(theirs.resourceVersion());
  }

  @Test
  @DisplayName("NC-P3 an ignored object is shown with its CIDRs, without any not at all")
  void ignored() {
    CiliumNodeCidrs store = store(Interference.NONE);
    server.createIgnored("bare");
    server.createIgnored("full", "10.0.1.0/24");
    Told told = new Told();
    Watch watch = store.watch(told);
    time.runUntilIdle(SECOND);
    assertThat(told.log()).containsExactly("upserted full [10.0.1.0/24]", "synced");
    assertThat(store.names()).containsExactly("full");
    assertThat(store.get("bare")).isEqualTo(new Reading.Absent());
    String uid = server.node("bare").uid().orElseThrow();
    assertThat(store.assignPodCidrs("bare", uid, ONE)).isInstanceOf(NodeChange.Occupied.class);
    uid = server.node("full").uid().orElseThrow();
    assertThat(store.assignPodCidrs("full", uid, cidrs("fd00::/112")))
        .isInstanceOf(NodeChange.Occupied.class);
    assertThat(store.latest("full").map(ClusterNode::exempt)).contains(true);
    watch.close();
  }

  @Test
  @DisplayName("NC-P3 an object that is ignored no more is shown again, one that is now goes")
  void ignoredLater() {
    CiliumNodeCidrs store = store(Interference.NONE);
    server.createIgnored("full", "10.0.1.0/24");
    server.create("bare");
    Told told = new Told();
    Watch watch = store.watch(told);
    time.runUntilIdle(SECOND);
    server.replace("full", "");
    server.replace("bare", ",\"annotations\":{\"ipam.cilium.io/ignore\":\"true\"}");
    time.runUntilIdle(2 * SECOND);
    assertThat(told.log().subList(3, told.log().size()))
        .containsExactly("upserted full [10.0.1.0/24]", "deleted bare");
    assertThat(store.latest("full").map(ClusterNode::exempt)).contains(false);
    watch.close();
  }
}
