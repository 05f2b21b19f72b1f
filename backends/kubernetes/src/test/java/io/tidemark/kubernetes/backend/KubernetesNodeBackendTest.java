package io.tidemark.kubernetes.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.Backend;
import io.tidemark.cluster.Backend.Former;
import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClaimBackend;
import io.tidemark.cluster.ClaimChange;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNodeBackend;
import io.tidemark.cluster.EventWording;
import io.tidemark.cluster.NodeChange;
import io.tidemark.cluster.ObjectEvents;
import io.tidemark.cluster.lease.LeaderNotes;
import io.tidemark.config.ConfigSource;
import io.tidemark.error.CoreError;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.lease.LeaseSettings;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.MockCluster;
import io.tidemark.kubernetes.server.MockCluster.Asked;
import io.tidemark.resource.CatchUp;
import io.tidemark.testing.Hang;
import io.tidemark.time.EffectSite;
import io.tidemark.time.PooledEffectRunner;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The Kubernetes Nodes of a cluster as a backend")
class KubernetesNodeBackendTest {
  /** A leader keeps the lease on a machine that is busy; a standby looks often. */
  private static final Map<String, String> KEPT =
      Map.of(
          "leader-election-lease-duration", "10m",
          "leader-election-renew-deadline", "9m",
          "leader-election-retry-period", "100ms");

  @TempDir private Path folder;

  private final MockCluster cluster = MockCluster.start();
  private final ThreadTaskScheduler timer =
      ThreadTaskScheduler.start("test", SystemTime.instance());
  private final PooledEffectRunner effects = new PooledEffectRunner("test", 4, 64, timer);
  private final List<ClusterNodeBackend> opened = new ArrayList<>();

  @AfterEach
  void close() {
    opened.forEach(ClusterNodeBackend::close);
    effects.close();
    timer.close();
    cluster.close();
  }

  private ClusterNodeBackend open(Map<String, String> settings, boolean readOnly) throws Exception {
    return open(KubernetesBackend.ofClusterNodes(cluster.access(folder)), settings, readOnly);
  }

  private <B extends ClusterNodeBackend> B open(
      Backend.Opener<B> opener, Map<String, String> settings, boolean readOnly) {
    B backend =
        opener.open(
            new Backend.Environment(
                ConfigSource.of(settings),
                timer,
                effects,
                new SplittableRandom(opened.size()),
                readOnly));
    opened.add(backend);
    return backend;
  }

  private ClusterNodeBackend leader() throws Exception {
    ClusterNodeBackend backend = open(KEPT, false);
    end(backend.turn());
    return backend;
  }

  private static <T> T end(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(Hang.SECONDS, TimeUnit.SECONDS);
  }

  /** As a controller does when it begins. */
  private void list(ClusterNodeBackend backend) throws Exception {
    assertThat(end(backend.nodes().catchUp(effects))).isEqualTo(new CatchUp.Done());
  }

  @Test
  @DisplayName("NC-AM18 says how the leader before ended: none, in order, or without a word")
  void former() throws Exception {
    ClusterNodeBackend first = leader();
    assertThat(first.former()).isEqualTo(Former.UNKNOWN);
    assertThat(first.leading()).isEqualTo(Backend.Leading.LEADER);
    assertThat(first.fence().isOpen()).isTrue();
    ClusterNodeBackend standby = open(KEPT, false);
    assertThat(standby.leading()).isEqualTo(Backend.Leading.STANDBY);

    end(first.resign());
    end(standby.turn());
    assertThat(standby.former()).isEqualTo(Former.ENDED);

    standby.close();
    endLease();
    assertThat(leader().former()).as("closed without resigning").isEqualTo(Former.LOST);
  }

  /** As if its holder had a lease of one second. */
  private void endLease() throws Exception {
    try (ClusterConnection admin = cluster.connect(folder)) {
      admin
          .client()
          .leases()
          .inNamespace("ours")
          .withName(LeaseSettings.NODE_CIDR_NAME)
          .edit(
              lease -> {
                lease.getSpec().setLeaseDurationSeconds(1);
                return lease;
              });
    }
  }

  @Test
  @DisplayName("NC-AM18 what a leader writes into the lease is there for the next one")
  void notes() throws Exception {
    ClusterNodeBackend first = leader();
    LeaderNotes notes = first.leaderNotes().orElseThrow();
    assertThat(notes.inherited()).isEmpty();
    notes.writeFrom(() -> Map.of("node-cidr", "how far"));
    assertThat(end(notes.publish())).isTrue();
    end(first.resign());

    ClusterNodeBackend second = leader();
    assertThat(second.leaderNotes().orElseThrow().inherited())
        .containsEntry("node-cidr", "how far");
    assertThat(open(Map.of("leader-election", "false"), false).leaderNotes()).isEmpty();
  }

  @Test
  @DisplayName("NC-AM18 without leader election nobody knows how the one before ended")
  void withoutElection() throws Exception {
    ClusterNodeBackend backend = open(Map.of("leader-election", "false"), false);
    end(backend.turn());
    assertThat(backend.former()).isEqualTo(Former.LOST);
    assertThat(backend.leading()).isEqualTo(Backend.Leading.ALONE);
    assertThat(cluster.requests().stream().map(Asked::path))
        .noneMatch(path -> path.contains("leases"));
  }

  @Test
  @DisplayName("asks for Nodes and its own lease, and for nothing else of the cluster")
  void modest() throws Exception {
    ClusterNodeBackend backend = leader();
    list(backend);
    Eventually.holds("nothing is wrong", () -> backend.trouble().isEmpty());
    assertThat(cluster.requests().stream().map(asked -> asked.path().replaceAll("\\?.*", "")))
        .isNotEmpty()
        .allMatch(path -> path.equals("/api/v1/nodes") || path.contains("/namespaces/ours/leases"));
    assertThat(cluster.requests("GET").stream().map(Asked::path))
        .anyMatch(path -> path.endsWith("/leases/tidemark-node-cidr"));
  }

  @Test
  @DisplayName("NI-27 with claims it asks for Leases of their namespace, and writes as the leader")
  void claims() throws Exception {
    ClaimBackend backend =
        open(KubernetesBackend.withClaims("ids", cluster.access(folder)), KEPT, false);
    end(backend.turn());
    list(backend);
    Eventually.holds("nodes and claims are listed", () -> backend.trouble().isEmpty());
    assertThat(backend.claims().create("node-id-1", "n1", "u-1"))
        .isInstanceOf(ClaimChange.Stored.class);
    assertThat(cluster.requests("GET").stream().map(Asked::path))
        .anyMatch(path -> path.endsWith("/leases/tidemark-node-id"))
        .anyMatch(path -> path.contains("/namespaces/ids/leases?"));

    end(backend.resign());
    Claim seen = backend.claims().latest("node-id-1").orElseThrow();
    assertThat(backend.claims().create("node-id-2", "n2", "u-2"))
        .isInstanceOf(ClaimChange.AskedToWait.class);
    assertThat(backend.claims().delete(seen)).isInstanceOf(ClaimChange.AskedToWait.class);
    assertThat(backend.nodes().annotate(ClusterNode.named("n1", "u-1"), Map.of()))
        .isInstanceOf(NodeChange.AskedToWait.class);
  }

  @Test
  @DisplayName("what only looks waits for the list alone, and writes nothing, no lease either")
  void readOnly() throws Exception {
    ClusterNodeBackend backend = open(KEPT, true);
    end(backend.turn());
    assertThat(backend.former()).isEqualTo(Former.NONE);
    assertThat(backend.events(EventWording.USUAL)).isSameAs(ObjectEvents.NONE);
    assertThat(cluster.requests()).allMatch(asked -> asked.verb().equals("GET"));
    assertThat(cluster.requests().stream().map(Asked::path))
        .noneMatch(path -> path.contains("leases"));
  }

  @Test
  @DisplayName("NC-AM24 reports on the Node with its uid, in the words that are given")
  void events() throws Exception {
    ClusterNodeBackend backend = leader();
    list(backend);
    cluster
        .connect(folder)
        .client()
        .raw(
            "/api/v1/nodes",
            "POST",
            "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\",\"uid\":\"u-1\"}}");
    Eventually.holds("the node is seen", () -> backend.nodes().latest("n1").isPresent());
    String uid = backend.nodes().latest("n1").orElseThrow().uid();

    backend
        .events(
            new EventWording() {
              @Override
              public String component() {
                return "cidrAllocator";
              }
            })
        .report("n1", CoreError.NODE_UNKNOWN, "a test");

    Eventually.holds(
        "the Event is sent",
        () ->
            cluster.requests("POST").stream()
                .filter(asked -> asked.path().contains("/events"))
                .anyMatch(
                    asked ->
                        asked.body().contains("\"kind\":\"Node\"")
                            && asked.body().contains(uid)
                            && asked.body().contains("cidrAllocator")));
  }

  @Test
  @DisplayName("NC-AM38 kube-api-qps and kube-api-burst bound the requests to nodes and Events")
  void paced() throws Exception {
    ClusterNodeBackend backend =
        open(Map.of("operator-k8s-client-qps", "0.001", "operator-k8s-client-burst", "2"), true);
    var requests = backend.paced(effects);
    var first = requests.run(new EffectSite("one", "n1"), Hang.LIMIT, () -> 1);
    var second = requests.run(new EffectSite("two", "n1"), Hang.LIMIT, () -> 2);
    var third = requests.run(new EffectSite("three", "n1"), Hang.LIMIT, () -> 3);
    assertThat(end(first.stage())).isEqualTo(1);
    assertThat(end(second.stage())).isEqualTo(2);
    assertThat(third.started()).isFalse();
  }
}
