package io.tidemark.kubernetes.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.IpAddress;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.MockCluster;
import io.tidemark.kubernetes.server.MockCluster.Asked;
import io.tidemark.kubernetes.store.StoreWorld.Told;
import io.tidemark.resource.CatchUp;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.StoreResult;
import io.tidemark.testing.Hang;
import io.tidemark.testing.Samples;
import io.tidemark.time.EffectFate;
import io.tidemark.time.SystemTime;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("The CiliumNode of one node behind an API server, as its agent has it")
class OneNodeTest {
  private static final String SELECTOR = "fieldSelector=metadata.name%3Dn1";

  @RegisterExtension private final MockCluster cluster = MockCluster.start();

  private final ClusterConnection connection = cluster.connection();
  private final CiliumNodes others = new CiliumNodes(connection);

  @AutoClose
  private final KubernetesNodeResourceStore store =
      KubernetesNodeResourceStore.ofNode(
          "n1", "tidemark-agent", connection, SystemTime.instance(), Runnable::run);

  private static NodeResource node(String name) {
    return NodeResource.named(name).withInstanceId("i-" + name);
  }

  /** Paths of lists and watches. */
  private List<String> lists() {
    return cluster.requests("GET").stream()
        .map(Asked::path)
        .filter(path -> path.startsWith(CiliumNodes.PATH + '?'))
        .toList();
  }

  @Test
  @DisplayName("lists and watches name it, so that of other nodes nothing is sent")
  void selected() {
    Eventually.holds("it is listed", store::hasListed);
    Told told = new Told();
    store.watch(told);
    others.create(node("n2"));
    others.create(node("n1"));
    Eventually.holds("the watcher has received it", () -> told.nodes.containsKey("n1"));
    others.delete("n1");
    Eventually.holds(
        "the watcher has received its deletion", () -> told.log.contains("deleted n1"));

    assertThat(told.log).containsExactly("synced", "upserted n1", "deleted n1");
    assertThat(lists()).hasSizeGreaterThanOrEqualTo(2).allMatch(path -> path.contains(SELECTOR));
  }

  @Test
  @DisplayName("it catches up with that object alone")
  void catchUp() {
    Eventually.holds("it is listed", store::hasListed);
    int before = lists().size();
    VirtualTime time = new VirtualTime(0);
    CompletionStage<CatchUp> end =
        store.catchUp(
            time.effects((site, timeout) -> EffectFate.answered(Duration.ZERO, Duration.ZERO)));
    time.runUntil(1);

    assertThat(end.toCompletableFuture()).isCompletedWithValue(new CatchUp.Done());
    assertThat(lists()).hasSizeGreaterThan(before).allMatch(path -> path.contains(SELECTOR));
  }

  @Test
  @DisplayName("it is made, changed and its status written under the agent's own name")
  void writes() {
    NodeResource made = stored(store.create(node("n1")));
    NodeResource asking = stored(store.update(made, made.withPreAllocate(3)));
    NodeResource marked =
        asking.withReleaseIps(
            Map.of(IpAddress.parse("10.0.0.9"), HandshakeState.READY_FOR_RELEASE));
    stored(store.updateStatus(asking, marked));

    assertThat(cluster.requests("POST").get(0).path())
        .endsWith("?fieldManager=tidemark-agent&timeout=" + Hang.SECONDS + "s");
    assertThat(cluster.requests("PUT"))
        .extracting(Asked::path)
        .containsExactly(
            CiliumNodes.PATH + "/n1?fieldManager=tidemark-agent&timeout=" + Hang.SECONDS + "s",
            CiliumNodes.PATH
                + "/n1/status?fieldManager=tidemark-agent&timeout="
                + Hang.SECONDS
                + "s");
    assertThat(Samples.parsed(cluster.requests("PUT").get(1).body()).releaseIps())
        .isEqualTo(marked.releaseIps());
  }

  private static NodeResource stored(StoreResult result) {
    assertThat(result).isInstanceOf(StoreResult.Stored.class);
    return ((StoreResult.Stored) result).resource();
  }
}
