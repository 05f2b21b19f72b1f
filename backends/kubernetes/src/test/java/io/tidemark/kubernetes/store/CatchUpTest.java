package io.tidemark.kubernetes.store;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.mockwebserver.http.MockResponse;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.MockCluster;
import io.tidemark.kubernetes.server.MockCluster.Asked;
import io.tidemark.resilience.Fence;
import io.tidemark.resource.CatchUp;
import io.tidemark.resource.LastWriter;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodIpPool;
import io.tidemark.resource.StoreResult;
import io.tidemark.testing.Hang;
import io.tidemark.time.EffectFate;
import io.tidemark.time.PooledEffectRunner;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("CiliumNodes read anew after the lease was won (reliability: leader change)")
class CatchUpTest {
  private static final Duration REQUEST_MAX = Hang.LIMIT;
  private static final Instant WON = Instant.parse("2026-01-02T03:04:05Z");

  @RegisterExtension private final MockCluster cluster = MockCluster.start();

  private final ClusterConnection connection = cluster.connection();
  private final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  @AutoClose private KubernetesNodeResourceStore store;

  /** The watch has seen n1 and n2, and sees no more. */
  @BeforeEach
  void open() throws Exception {
    answer(list("9", "", node("n1", "5", "us", "2026-01-01T00:00:00Z"), node("n2", "6")));
    store = KubernetesNodeResourceStore.open(connection, SystemTime.instance(), Runnable::run);
    Eventually.holds("the objects are listed", store::hasListed);
  }

  private static boolean asksForList(Asked asked) {
    return asked.path().startsWith(CiliumNodes.PATH + "?") && !asked.path().contains("watch");
  }

  private void answer(MockResponse answer) {
    cluster.answerOnce(CatchUpTest::asksForList, answer);
  }

  private static String node(String name, String version) {
    return node(name, version, "nobody", "2026-01-01T00:00:00Z");
  }

  /** With a pool of one address that names the version, which {@code manager} wrote. */
  private static String node(String name, String version, String manager, String time) {
    return """
        {"apiVersion":"cilium.io/v2","kind":"CiliumNode",
         "metadata":{"name":"NAME","uid":"u-NAME","resourceVersion":"VERSION","managedFields":[
           {"manager":"MANAGER","operation":"Update","time":"TIME",
            "fieldsV1":{"f:spec":{"f:ipam":{"f:pool":{}}}}}]},
         "spec":{"ipam":{"pool":{"10.0.0.VERSION":{"resource":"eni-1"}}}}}
        """
        .replace("NAME", name)
        .replace("VERSION", version)
        .replace("MANAGER", manager.equals("us") ? "tidemark-operator" : manager)
        .replace("TIME", time);
  }

  private static MockResponse list(String version, String next, String... nodes) {
    return MockCluster.json(
        """
            {"kind":"CiliumNodeList","apiVersion":"cilium.io/v2",
             "metadata":{"resourceVersion":"VERSION","continue":"NEXT"},"items":[ITEMS]}
            """
            .replace("VERSION", version)
            .replace("NEXT", next)
            .replace("ITEMS", String.join(",", nodes)));
  }

  private CatchUp caughtUp() {
    CompletionStage<CatchUp> end =
        store.catchUp(
            time.effects((site, timeout) -> EffectFate.answered(Duration.ZERO, Duration.ZERO)));
    time.runUntil(time.nanos() + Duration.ofSeconds(1).toNanos());
    return end.toCompletableFuture().join();
  }

  private AddressSet pool(String name) {
    return store.latest(name).orElseThrow().pool().addresses();
  }

  private static AddressSet addresses(String text) {
    return AddressSet.of(IpAddress.parse(text));
  }

  private List<String> lists() {
    return cluster.requests("GET").stream()
        .filter(CatchUpTest::asksForList)
        .map(Asked::path)
        .toList();
  }

  @Test
  @DisplayName("D-22 what the list shows is known though the watch lags, deletions included")
  void newerThanTheWatch() {
    answer(list("21", "more", node("n1", "20")));
    answer(list("21", "", node("n3", "11")));
    assertThat(caughtUp()).isEqualTo(new CatchUp.Done());
    assertThat(pool("n1")).isEqualTo(addresses("10.0.0.20"));
    assertThat(store.latest("n2")).isEmpty();
    assertThat(pool("n3")).isEqualTo(addresses("10.0.0.11"));
    assertThat(lists().get(lists().size() - 2))
        .as("no version asked for, so that the server reads it from etcd")
        .doesNotContain("resourceVersion");
    assertThat(lists()).last().asString().contains("continue=more");
  }

  @Test
  @DisplayName("D-22 a first list that is under way does not bring back what was deleted")
  void slowFirstList() throws Exception {
    answer(list("9", "", node("n1", "5"), node("n2", "6")).setBodyDelay(1, SECONDS));
    try (ThreadTaskScheduler timer = ThreadTaskScheduler.start("timer", SystemTime.instance());
        PooledEffectRunner effects = new PooledEffectRunner("work", 1, 16, timer);
        KubernetesNodeResourceStore standby =
            KubernetesNodeResourceStore.unstarted(
                connection, SystemTime.instance(), Runnable::run)) {
      standby.start();
      Eventually.holds("the first list is under way", () -> lists().size() == 2);
      answer(list("21", "", node("n1", "20")));
      assertThat(standby.catchUp(effects).toCompletableFuture().get(Hang.SECONDS, SECONDS))
          .isEqualTo(new CatchUp.Done());
      Eventually.holds("the first list was answered", standby::hasListed);
      assertThat(standby.names()).containsExactly("n1");
    }
  }

  @Test
  @DisplayName("D-22 the first list delivers the nodes of a page before the next page arrives")
  void firstListByPage() throws Exception {
    StoreWorld.Told told = new StoreWorld.Told();
    try (KubernetesNodeResourceStore started =
        KubernetesNodeResourceStore.unstarted(connection, SystemTime.instance(), Runnable::run)) {
      started.watch(told);
      answer(list("9", "more", node("n1", "5")));
      cluster.answerOnce(
          asked ->
              asksForList(asked) && asked.path().contains("continue") && hasReceived(told, "n1"),
          list("9", "", node("n2", "6")));
      started.start();
      Eventually.holds("the objects are listed", () -> told.synced);
    }
    assertThat(told.log).containsExactly("upserted n1", "upserted n2", "synced");
  }

  private static boolean hasReceived(StoreWorld.Told told, String name) {
    Eventually.holds("the watcher has received " + name, () -> told.nodes.containsKey(name));
    return true;
  }

  @Test
  @DisplayName("D-22 pages that expired are read from the beginning, a few times")
  void expired() {
    MockResponse expired = MockCluster.status(410, "Expired", "the continue token is too old");
    answer(list("21", "more", node("n1", "20"), node("n2", "6")));
    answer(expired);
    answer(list("31", "more", node("n1", "30")));
    answer(list("31", "", node("n3", "11")));
    assertThat(caughtUp()).isEqualTo(new CatchUp.Done());
    assertThat(pool("n1")).isEqualTo(addresses("10.0.0.30"));
    assertThat(store.latest("n2")).as("it was there before the pages expired").isEmpty();

    int before = lists().size();
    for (int i = 0; i < 4; i++) {
      answer(expired);
    }
    assertThat(caughtUp()).isInstanceOf(CatchUp.Failed.class);
    assertThat(lists()).hasSize(before + 3);
  }

  @Test
  @DisplayName("D-22 a list that failed says why and changes nothing")
  void failed() {
    answer(MockCluster.status(500, "InternalError", "etcdserver: request timed out"));
    CatchUp end = caughtUp();
    assertThat(end).isInstanceOf(CatchUp.Failed.class);
    assertThat(((CatchUp.Failed) end).detail()).contains("request timed out");
    assertThat(pool("n1")).isEqualTo(addresses("10.0.0.5"));
    assertThat(store.latest("n2")).isPresent();
  }

  @Test
  @DisplayName("D-22 a write under our name may be the predecessor's up to the request time-out")
  void predecessor() {
    assertThat(store.lastWriter("n1").predecessor()).as("no turn yet").isFalse();
    store.leads(Fence.OPEN, Optional.of(WON.plusMillis(700)));
    assertThat(store.lastWriter("n1").predecessor()).isTrue();
    assertThat(store.lastWriter("n2"))
        .as("another's")
        .isEqualTo(
            new LastWriter(Optional.of("nobody"), false, Optional.empty(), LastWriter.NEVER));

    answer(list("31", "", node("n1", "30", "us", WON.toString())));
    assertThat(caughtUp()).isEqualTo(new CatchUp.Done());
    assertThat(store.lastWriter("n1").predecessor()).as("late, of that second").isTrue();
    answer(list("41", "", node("n1", "40", "us", WON.plus(REQUEST_MAX).toString())));
    assertThat(caughtUp()).isEqualTo(new CatchUp.Done());
    assertThat(store.lastWriter("n1").predecessor()).as("at the end of the bound").isTrue();
    answer(list("51", "", node("n1", "50", "us", WON.plus(REQUEST_MAX).plusSeconds(1).toString())));
    assertThat(caughtUp()).isEqualTo(new CatchUp.Done());
    assertThat(store.lastWriter("n1").predecessor()).as("of one that works now").isFalse();
  }

  @Test
  @DisplayName("D-23 nothing is written while the lease is not held")
  void fenced() {
    store.leads(() -> false, Optional.empty());
    NodeResource node = store.latest("n1").orElseThrow();
    StoreResult end = store.update(node, node.withPool(PodIpPool.of(Map.of())));
    assertThat(end).isInstanceOf(StoreResult.Failed.class);
    assertThat(((StoreResult.Failed) end).detail()).contains("lease is not held");
    assertThat(cluster.requests("PUT")).isEmpty();
  }
}
