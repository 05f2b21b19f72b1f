package io.tidemark.kubernetes.backend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.tidemark.cluster.Backend;
import io.tidemark.cluster.ClusterNodeBackend;
import io.tidemark.cluster.NodeBackend;
import io.tidemark.config.ConfigSource;
import io.tidemark.kubernetes.ClusterAccess;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.lease.LeaseSettings;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.server.MockCluster;
import io.tidemark.kubernetes.server.MockCluster.Asked;
import io.tidemark.resource.CatchUp;
import io.tidemark.time.PooledEffectRunner;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZonedDateTime;
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
  private static final Duration REQUEST_MAX = Duration.ofSeconds(10);

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

  private ClusterAccess access() throws Exception {
    Path kubeconfig =
        Files.writeString(folder.resolve("kubeconfig"), cluster.kubeconfig(""), UTF_8);
    return new ClusterAccess(Optional.of(kubeconfig), Optional.empty(), REQUEST_MAX);
  }

  private Backend.Environment environment() {
    return environment(Map.of("leader-election-namespace", "kube-system"));
  }

  private Backend.Environment environment(Map<String, String> settings) {
    return new Backend.Environment(
        ConfigSource.of(settings), scheduler, effects, new SplittableRandom(1), false);
  }

  private NodeBackend open() throws Exception {
    NodeBackend backend = KubernetesBackend.connecting(access()).open(environment());
    opened = Optional.of(backend);
    return backend;
  }

  private static boolean asksForList(Asked asked, String resource) {
    return asked.path().contains("/" + resource + "?") && !asked.path().contains("watch");
  }

  /** The lists, and when the lease was won; not the renewals after the last list. */
  private List<String> asked(String resource) {
    List<String> all =
        cluster.requests().stream()
            .filter(each -> asksForList(each, resource) || isWrite(each))
            .map(each -> each.verb() + (isWrite(each) ? " lease" : " nodes"))
            .toList();
    return all.subList(0, all.lastIndexOf("GET nodes") + 1);
  }

  private static boolean isWrite(Asked asked) {
    return asked.path().contains("/leases") && !asked.verb().equals("GET");
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
    ClusterNodeBackend backend = KubernetesBackend.ofClusterNodes(access()).open(environment());
    opened = Optional.of(backend);
    awaitTurn(backend);
    assertThat(cluster.requests()).noneMatch(each -> asksForList(each, "nodes"));
    CatchUp end = backend.nodes().catchUp(effects).toCompletableFuture().get(10, SECONDS);
    assertThat(end).isEqualTo(new CatchUp.Done());
    assertThat(asked("nodes")).containsExactly("POST lease", "GET nodes");
  }

  @Test
  @DisplayName("D-22 of a controller of CiliumNodes: once, when the controller begins")
  void controllerOfCiliumNodes() throws Exception {
    NodeBackend backend = KubernetesBackend.withoutPods(access()).open(environment());
    opened = Optional.of(backend);
    awaitTurn(backend);
    CatchUp end = backend.store().catchUp(effects).toCompletableFuture().get(10, SECONDS);
    assertThat(end).isEqualTo(new CatchUp.Done());
    assertThat(asked("ciliumnodes")).containsExactly("POST lease", "GET nodes");
  }

  @Test
  @DisplayName("D-22 as a standby, and again when it has won the lease")
  void standby() throws Exception {
    anotherHolds(LeaseSettings.USUAL_NAME);
    awaitTurn(open());
    assertThat(asked("ciliumnodes"))
        .containsExactly("POST lease", "GET nodes", "PUT lease", "GET nodes");
  }

  @Test
  @DisplayName("D-22 of a controller of Nodes: as a standby")
  void standbyOfNodes() throws Exception {
    anotherHolds(LeaseSettings.NODE_CIDR_NAME);
    listsBeforeItLeads(KubernetesBackend.ofClusterNodes(access()).open(environment()), "nodes");
  }

  @Test
  @DisplayName("D-22 of a controller of CiliumNodes: as a standby")
  void standbyOfCiliumNodes() throws Exception {
    anotherHolds(LeaseSettings.USUAL_NAME);
    listsBeforeItLeads(KubernetesBackend.withoutPods(access()).open(environment()), "ciliumnodes");
  }

  @Test
  @DisplayName("D-22 of a controller of Nodes without a lease: once, when the controller begins")
  void withoutLease() throws Exception {
    ClusterNodeBackend backend =
        KubernetesBackend.ofClusterNodes(access())
            .open(environment(Map.of("leader-election", "false")));
    opened = Optional.of(backend);
    awaitTurn(backend);
    CatchUp end = backend.nodes().catchUp(effects).toCompletableFuture().get(10, SECONDS);
    assertThat(end).isEqualTo(new CatchUp.Done());
    assertThat(asked("nodes")).containsExactly("GET nodes");
  }

  private void listsBeforeItLeads(Backend backend, String resource) {
    opened = Optional.of(backend);
    awaitTurn(backend);
    assertThat(asked(resource)).containsExactly("POST lease", "GET nodes");
  }

  /** A lease that has ended, but that an operator has not seen end. */
  private void anotherHolds(String lease) throws Exception {
    try (ClusterConnection admin = cluster.connect(folder, REQUEST_MAX)) {
      Object unused =
          admin
              .client()
              .leases()
              .inNamespace("kube-system")
              .resource(
                  new LeaseBuilder()
                      .withNewMetadata()
                      .withName(lease)
                      .endMetadata()
                      .withNewSpec()
                      .withHolderIdentity("another")
                      .withLeaseDurationSeconds(1)
                      .withRenewTime(ZonedDateTime.parse("2026-01-01T00:00:00Z"))
                      .endSpec()
                      .build())
              .create();
    }
  }
}
