package io.tidemark.kubernetes.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.tidemark.cluster.ClusterNodeStore.Reading;
import io.tidemark.cluster.lease.LeaderLease;
import io.tidemark.cluster.lease.LeaseTiming;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.ip.IpAddress;
import io.tidemark.kubernetes.ClusterConfigMap;
import io.tidemark.kubernetes.ClusterIdentity;
import io.tidemark.kubernetes.demand.ClusterPods;
import io.tidemark.kubernetes.deploy.Rights.Right;
import io.tidemark.kubernetes.deploy.Rights.Use;
import io.tidemark.kubernetes.events.ClusterEvents;
import io.tidemark.kubernetes.gc.StaleNodes;
import io.tidemark.kubernetes.lease.LeaseSettings;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.store.ClusterNodes;
import io.tidemark.kubernetes.store.KubernetesNodeResourceStore;
import io.tidemark.resilience.Fence;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.StoreResult;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.time.PooledEffectRunner;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("kubernetes")
@DisplayName("The rights of deploy/base: all that is asked for is allowed, and nothing is too much")
class RightsOnServerTest {
  private static final Duration SOON = Duration.ofMillis(100);
  private static final LeaseTiming QUICK =
      new LeaseTiming(Duration.ofSeconds(4), Duration.ofSeconds(3), Duration.ofMillis(200));

  private static Rights rights;
  private static CiliumNodes ciliumNodes;
  private static ThreadTaskScheduler scheduler;
  private static PooledEffectRunner effects;
  private static int names;

  @BeforeAll
  static void start() throws Exception {
    rights = new Rights(Manifests.OPERATOR);
    ciliumNodes = new CiliumNodes(rights.admin);
    scheduler = ThreadTaskScheduler.start("test-timer", SystemTime.instance());
    effects = new PooledEffectRunner("test-effects", 4, 64, scheduler);
    admin(
        "/api/v1/namespaces/kube-system/configmaps",
        "POST",
        """
        {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"cilium-config"},
         "data":{"ipam":"eni"}}
        """);
  }

  @AfterAll
  static void stop() {
    effects.close();
    scheduler.close();
    rights.close();
  }

  private static final Map<String, Use> USES =
      Map.of(
          "ciliumnodes",
          RightsOnServerTest::ciliumNodes,
          "ciliumnodes/status",
          RightsOnServerTest::status,
          "pods",
          complaints -> pods(),
          "nodes",
          RightsOnServerTest::nodes,
          "leases",
          RightsOnServerTest::leases,
          "configmaps",
          RightsOnServerTest::configMaps,
          "namespaces",
          complaints -> identity(),
          "events",
          complaints -> events());

  static Stream<Right> rights() throws IOException {
    return Rights.all(Manifests.OPERATOR).stream();
  }

  @Test
  @DisplayName("with the roles bound everything works and nobody complains")
  void enough() throws Exception {
    for (Map.Entry<String, Use> each : USES.entrySet()) {
      assertThat(rights.complaints(each.getValue())).as(each.getKey()).isEmpty();
    }
    assertThat(rights().map(Right::resource).distinct())
        .containsExactlyInAnyOrderElementsOf(USES.keySet());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rights")
  @DisplayName("one right less, and what needs it says which")
  void needed(Right right) throws Exception {
    rights.assertNeeded(right, use(right.resource()));
  }

  private static Use use(String resource) {
    Use use = USES.get(resource);
    if (use == null) {
      throw new AssertionError("nothing in the module uses " + resource);
    }
    return use;
  }

  private static String admin(String path, String method, String body) {
    return rights.admin.client().raw(path, method, body.isEmpty() ? null : body);
  }

  private static String freshName() {
    return "n" + ++names;
  }

  private static NodeResource ciliumNode() {
    return ciliumNodes.create(NodeResource.named(freshName()).withInstanceId("i"));
  }

  private static void note(StoreResult result, List<String> complaints) {
    if (result instanceof StoreResult.Failed failed) {
      complaints.add(failed.detail());
    } else {
      assertThat(result).isInstanceOf(StoreResult.Stored.class);
    }
  }

  private static void ciliumNodes(List<String> complaints) {
    NodeResource first = ciliumNode();
    try (KubernetesNodeResourceStore store =
        KubernetesNodeResourceStore.open(rights.account, SystemTime.instance(), Runnable::run)) {
      Eventually.holds("listed", () -> store.hasListed() || store.trouble().isPresent());
      NodeResource later = ciliumNode();
      Eventually.holds(
          "the watch tells of a new node",
          () -> store.trouble().isPresent() || store.latest(later.name()).isPresent());
      store.trouble().ifPresent(complaints::add);
      note(store.get(first.name()), complaints);
      note(store.update(first, first.withPreAllocate(3)), complaints);
    }
    stale();
    ciliumNodes.clear();
  }

  /** The reads use the administrator's rights; the deletion is not. */
  private static void stale() {
    NodeResource stale = ciliumNode();
    try (KubernetesNodeResourceStore store =
            KubernetesNodeResourceStore.open(rights.admin, SystemTime.instance(), Runnable::run);
        ClusterNodes nodes =
            ClusterNodes.watch(rights.admin, SystemTime.instance(), Runnable::run, name -> {})) {
      Eventually.holds(
          "all is known",
          () ->
              store.latest(stale.name()).isPresent()
                  && nodes.exists(stale.name()).equals(Optional.of(false)));
      try (StaleNodes collector =
          StaleNodes.start(
              rights.account,
              store,
              nodes,
              SOON,
              scheduler,
              effects,
              Fence.OPEN,
              OperatorNotices.NONE)) {
        assertThat(collector).isNotNull();
        Eventually.holds(
            "the stale node is gone, or cannot be deleted",
            () -> rights.hasWarned() || store.latest(stale.name()).isEmpty());
      }
    }
  }

  private static void status(List<String> complaints) {
    NodeResource node = ciliumNode();
    try (KubernetesNodeResourceStore store =
        KubernetesNodeResourceStore.open(rights.account, SystemTime.instance(), Runnable::run)) {
      var marked =
          node.withReleaseIps(Map.of(IpAddress.parse("10.0.0.1"), HandshakeState.RELEASED));
      note(store.updateStatus(node, marked), complaints);
    }
    ciliumNodes.clear();
  }

  private static void pods() {
    String node = freshName();
    try (ClusterPods pods = ClusterPods.watch(rights.account, name -> {})) {
      Eventually.holds("listed", () -> rights.hasWarned() || pods.onNode(node).isPresent());
      admin(
          "/api/v1/namespaces/default/pods",
          "POST",
          """
          {"apiVersion":"v1","kind":"Pod","metadata":{"name":"NAME"},
           "spec":{"nodeName":"NAME","containers":[{"name":"c","image":"i"}]}}
          """
              .replace("NAME", node));
      Eventually.holds(
          "the pod is counted", () -> rights.hasWarned() || pods.onNode(node).orElse(0) == 1);
    }
  }

  private static void nodes(List<String> complaints) {
    String name = freshName();
    try (ClusterNodes nodes =
        ClusterNodes.watch(rights.account, SystemTime.instance(), Runnable::run, changed -> {})) {
      Eventually.holds("listed", () -> rights.hasWarned() || nodes.exists(name).isPresent());
      admin(
          "/api/v1/nodes",
          "POST",
          """
          {"apiVersion":"v1","kind":"Node","metadata":{"name":"NAME"},
           "spec":{"unschedulable":true}}
          """
              .replace("NAME", name));
      Eventually.holds("it is cordoned", () -> rights.hasWarned() || nodes.isClosed(name));
      if (nodes.get(name) instanceof Reading.Failed failed) {
        complaints.add(failed.detail());
      }
    }
  }

  private static void leases(List<String> complaints) throws Exception {
    LeaderLease lease =
        new LeaseSettings(
                Manifests.NAMESPACE, LeaseSettings.USUAL_NAME, "process-" + freshName(), QUICK)
            .lease(rights.account, scheduler, effects, Map::of);
    lease.start();
    Eventually.holds(
        "it is won and renewed",
        () -> lease.trouble().isPresent() || (lease.isOpen() && isRenewed()));
    lease.trouble().ifPresent(complaints::add);
    lease.release().toCompletableFuture().get();
    rights.admin.client().leases().inNamespace(Manifests.NAMESPACE).delete();
  }

  private static boolean isRenewed() {
    Lease lease =
        rights
            .admin
            .client()
            .leases()
            .inNamespace(Manifests.NAMESPACE)
            .withName(LeaseSettings.USUAL_NAME)
            .get();
    return lease != null
        && !lease.getSpec().getRenewTime().equals(lease.getSpec().getAcquireTime());
  }

  private static void configMaps(List<String> complaints) {
    try {
      Map<String, String> read =
          new ClusterConfigMap(Manifests.NAMESPACE, "cilium-config").read(rights.account);
      assertThat(read).containsEntry("ipam", "eni");
    } catch (IpamException e) {
      complaints.add(e.getMessage());
    }
  }

  private static void identity() {
    boolean known = ClusterIdentity.uid(rights.account).isPresent();
    assertThat(known || rights.hasWarned()).isTrue();
  }

  private static void events() {
    String node = freshName();
    ClusterEvents events = ClusterEvents.of(rights.account, "test", effects, scheduler);
    Blocked why = new Blocked(BlockedReason.NO_SUBNET, "none");
    events.onCiliumNodes(name -> Optional.of("u")).report(node, why.reason(), why.detail());
    Eventually.holds("it is told", () -> rights.hasWarned() || count(node) == 1);
    events.onCiliumNodes(name -> Optional.of("u")).report(node, why.reason(), why.detail());
    Eventually.holds("it counts up", () -> rights.hasWarned() || count(node) == 2);
    String lease = freshName();
    OperatorNotices notices = events.onLease(Manifests.NAMESPACE, lease, () -> Optional.of("u"));
    notices.report(CoreError.CLUSTER_UNNAMED, "none");
    Eventually.holds("it is told of the lease", () -> rights.hasWarned() || count(lease) == 1);
    notices.report(CoreError.CLUSTER_UNNAMED, "none");
    Eventually.holds("that counts up", () -> rights.hasWarned() || count(lease) == 2);
    events.close();
  }

  private static int count(String node) {
    return rights.admin.client().v1().events().inAnyNamespace().list().getItems().stream()
        .filter(event -> event.getInvolvedObject().getName().equals(node))
        .mapToInt(event -> event.getCount())
        .findFirst()
        .orElse(0);
  }
}
