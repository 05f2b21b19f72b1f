package io.tidemark.kubernetes.backend;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.Backend;
import io.tidemark.cluster.ClusterNodeBackend;
import io.tidemark.cluster.NodeBackend;
import io.tidemark.config.ConfigSource;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.lease.LeaseSettings;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.MockCluster;
import io.tidemark.kubernetes.server.MockCluster.Asked;
import io.tidemark.resource.CatchUp;
import io.tidemark.testing.Hang;
import io.tidemark.time.PooledEffectRunner;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("When an operator with a lease lists the nodes")
class LeaderListTest {
  @TempDir private Path folder;

  private final MockCluster cluster = MockCluster.start();
  private final ThreadTaskScheduler scheduler =
      ThreadTaskScheduler.start("timer", SystemTime.instance());
  private final PooledEffectRunner effects = new PooledEffectRunner("work", 2, 64, scheduler);
  private Optional<Backend> opened = Optional.empty();

  @AfterEach
  void close() {
    opened.ifPresent(Backend::close);
    effects.close();
    scheduler.close();
    cluster.close();
  }

  private Backend.Environment environment() {
    return environment(
        Map.of(
            "leader-election-namespace", "kube-system",
            "leader-election-lease-duration", "10m",
            "leader-election-renew-deadline", "9m"));
  }

  private Backend.Environment environment(Map<String, String> settings) {
    return new Backend.Environment(
        ConfigSource.of(settings), scheduler, effects, new SplittableRandom(1), false);
  }

  private NodeBackend open() throws Exception {
    NodeBackend backend = KubernetesBackend.connecting(cluster.access(folder)).open(environment());
    opened = Optional.of(backend);
    return backend;
  }

  private static boolean asksForList(Asked asked, String resource) {
    return asked.path().contains("/" + resource + "?") && !asked.path().contains("watch");
  }

  /** The lists, and when the lease was won; no renewals. */
  private List<String> asked(String resource) {
    List<String> all =
        cluster.requests().stream()
            .filter(each -> asksForList(each, resource) || isWrite(each))
            .map(each -> each.verb() + (isWrite(each) ? " lease" : " nodes"))
            .toList();
    List<String> kept = new ArrayList<>();
    for (String each : all.subList(0, all.lastIndexOf("GET nodes") + 1)) {
      boolean renewal =
          !kept.isEmpty()
              && each.endsWith(" lease")
              && kept.get(kept.size() - 1).endsWith(" lease");
      if (!renewal) {
        kept.add(each);
      }
    }
    return kept;
  }

  /** The other operator patches. */
  private static boolean isWrite(Asked asked) {
    return asked.path().contains("/leases") && !List.of("GET", "PATCH").contains(asked.verb());
  }

  private static void awaitTurn(Backend backend) {
    Eventually.holds("the turn has come", () -> backend.turn().toCompletableFuture().isDone());
  }

  @Test
  @DisplayName("D-22 once, after it won the lease at once")
  void wonAtOnce() throws Exception {
    awaitTurn(open());
    assertThat(asked("ciliumnodes")).containsExactly("POST lease", "GET nodes");
  }

  @Test
  @DisplayName("D-22 of a controller of Nodes: once, when the controller begins")
  void controllerOfNodes() throws Exception {
    ClusterNodeBackend backend =
        KubernetesBackend.ofClusterNodes(cluster.access(folder)).open(environment());
    opened = Optional.of(backend);
    awaitTurn(backend);
    assertThat(cluster.requests()).noneMatch(each -> asksForList(each, "nodes"));
    CatchUp end = backend.nodes().catchUp(effects).toCompletableFuture().get(Hang.SECONDS, SECONDS);
    assertThat(end).isEqualTo(new CatchUp.Done());
    assertThat(asked("nodes")).containsExactly("POST lease", "GET nodes");
  }

  @Test
  @DisplayName("D-22 of a controller of CiliumNodes: once, when the controller begins")
  void controllerOfCiliumNodes() throws Exception {
    NodeBackend backend = KubernetesBackend.withoutPods(cluster.access(folder)).open(environment());
    opened = Optional.of(backend);
    awaitTurn(backend);
    CatchUp end = backend.store().catchUp(effects).toCompletableFuture().get(Hang.SECONDS, SECONDS);
    assertThat(end).isEqualTo(new CatchUp.Done());
    assertThat(asked("ciliumnodes")).containsExactly("POST lease", "GET nodes");
  }

  @Test
  @DisplayName("D-22 as a standby, and again when it has won the lease")
  void standby() throws Exception {
    anotherHolds(LeaseSettings.USUAL_NAME);
    awaitTurn(whenListed(open(), LeaseSettings.USUAL_NAME, "ciliumnodes"));
    assertThat(asked("ciliumnodes"))
        .containsExactly("POST lease", "GET nodes", "PUT lease", "GET nodes");
  }

  @Test
  @DisplayName("D-22 of a controller of Nodes: as a standby")
  void standbyOfNodes() throws Exception {
    anotherHolds(LeaseSettings.NODE_CIDR_NAME);
    listsBeforeItLeads(
        KubernetesBackend.ofClusterNodes(cluster.access(folder)).open(environment()),
        LeaseSettings.NODE_CIDR_NAME,
        "nodes");
  }

  @Test
  @DisplayName("D-22 of a controller of CiliumNodes: as a standby")
  void standbyOfCiliumNodes() throws Exception {
    anotherHolds(LeaseSettings.USUAL_NAME);
    listsBeforeItLeads(
        KubernetesBackend.withoutPods(cluster.access(folder)).open(environment()),
        LeaseSettings.USUAL_NAME,
        "ciliumnodes");
  }

  @Test
  @DisplayName("D-22 of a controller of Nodes without a lease: once, when the controller begins")
  void withoutLease() throws Exception {
    ClusterNodeBackend backend =
        KubernetesBackend.ofClusterNodes(cluster.access(folder))
            .open(environment(Map.of("leader-election", "false")));
    opened = Optional.of(backend);
    awaitTurn(backend);
    CatchUp end = backend.nodes().catchUp(effects).toCompletableFuture().get(Hang.SECONDS, SECONDS);
    assertThat(end).isEqualTo(new CatchUp.Done());
    assertThat(asked("nodes")).containsExactly("GET nodes");
  }

  private void listsBeforeItLeads(Backend backend, String lease, String resource) throws Exception {
    opened = Optional.of(backend);
    awaitTurn(whenListed(backend, lease, resource));
    assertThat(asked(resource)).containsExactly("POST lease", "GET nodes");
  }

  /** The other operator gives its lease back after the standby has asked for the list. */
  private Backend whenListed(Backend standby, String lease, String resource) throws Exception {
    Eventually.holds(
        "a standby asks for the list",
        () -> cluster.requests().stream().anyMatch(each -> asksForList(each, resource)));
    try (ClusterConnection admin = cluster.connect(folder)) {
      admin
          .client()
          .leases()
          .inNamespace("kube-system")
          .withName(lease)
          .edit(
              held -> {
                held.getSpec().setHolderIdentity("");
                return held;
              });
    }
    return standby;
  }

  private void anotherHolds(String lease) throws Exception {
    try (ClusterConnection admin = cluster.connect(folder)) {
      String held =
          """
          {"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"%s"},
           "spec":{"holderIdentity":"another","leaseDurationSeconds":600,
           "renewTime":"2026-01-01T00:00:00.000000Z"}}
          """;
      admin
          .client()
          .raw(
              "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases",
              "POST",
              held.formatted(lease));
    }
  }
}
