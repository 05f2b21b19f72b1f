package io.tidemark.kubernetes.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.Backend;
import io.tidemark.cluster.NodeBackend;
import io.tidemark.cluster.PoolMetadata;
import io.tidemark.config.ConfigSource;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.kubernetes.ClusterAccess;
import io.tidemark.kubernetes.backend.KubernetesBackend;
import io.tidemark.kubernetes.backend.KubernetesBackend.WhenAbsent;
import io.tidemark.kubernetes.demand.NodePodPools;
import io.tidemark.kubernetes.deploy.Rights.Right;
import io.tidemark.kubernetes.deploy.Rights.Use;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.StoreResult;
import io.tidemark.time.PooledEffectRunner;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("kubernetes")
@Tag("long")
@DisplayName(
    "The rights of deploy/agent: all that is asked for is allowed, and nothing is too much")
class AgentRightsOnServerTest {
  @TempDir private static Path folder;

  private static final String POOL = "ipam.cilium.io/ip-pool";

  private static Rights rights;
  private static CiliumNodes ciliumNodes;
  private static ThreadTaskScheduler scheduler;
  private static PooledEffectRunner effects;
  private static ClusterAccess access;
  private static int names;

  @BeforeAll
  static void start() throws Exception {
    rights = new Rights(Manifests.AGENT);
    ciliumNodes = new CiliumNodes(rights.admin);
    scheduler = ThreadTaskScheduler.start("test-timer", SystemTime.instance());
    effects = new PooledEffectRunner("test-effects", 4, 64, scheduler);
    access =
        new ClusterAccess(
            Optional.of(rights.kubeconfig(folder, rights.token())),
            Optional.empty(),
            Duration.ofSeconds(10));
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
          AgentRightsOnServerTest::ciliumNodes,
          "ciliumnodes/status",
          AgentRightsOnServerTest::status,
          "nodes",
          AgentRightsOnServerTest::nodes,
          "pods",
          complaints -> pods(),
          "namespaces",
          complaints -> namespaces());

  static Stream<Right> rights() throws IOException {
    return Rights.all(Manifests.AGENT).stream();
  }

  @Test
  @DisplayName("with the role bound everything works and nobody complains")
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
    Use use = Optional.ofNullable(USES.get(right.resource())).orElseThrow();
    rights.assertNeeded(right, use);
  }

  /** A Kubernetes Node of a new name, with CIDRs. */
  private static String freshNode() {
    String name = "n" + ++names;
    rights
        .admin
        .client()
        .raw(
            "/api/v1/nodes",
            "POST",
            Map.of(
                "apiVersion",
                "v1",
                "kind",
                "Node",
                "metadata",
                Map.of("name", name),
                "spec",
                Map.of("podCIDRs", List.of("10.1.0.0/24"))));
    return name;
  }

  private static NodeBackend open(String name) {
    return KubernetesBackend.ofNode(
            name, WhenAbsent.CREATE_WITH_POD_CIDRS, access.withUserAgent("tidemark-agent"))
        .open(
            new Backend.Environment(
                ConfigSource.of(Map.of()), scheduler, effects, new Random(1), false));
  }

  private static List<String> missing(NodeBackend backend) {
    return backend.trouble().stream().filter(text -> text.contains("cannot ")).toList();
  }

  private static void note(StoreResult result, List<String> complaints) {
    if (result instanceof StoreResult.Failed failed) {
      complaints.add(failed.detail());
    } else {
      assertThat(result).isInstanceOf(StoreResult.Stored.class);
    }
  }

  private static void ciliumNodes(List<String> complaints) {
    String name = freshNode();
    try (NodeBackend backend = open(name)) {
      Eventually.holds(
          "it is created",
          () -> !missing(backend).isEmpty() || backend.store().latest(name).isPresent());
      NodeResource now =
          ciliumNodes.all().stream()
              .filter(each -> each.name().equals(name))
              .findFirst()
              .orElseGet(() -> ciliumNodes.create(NodeResource.named(name)));
      NodeResource changed = ciliumNodes.writeSpec(now.withPreAllocate(3));
      Eventually.holds(
          "the watch tells of the change",
          () ->
              !missing(backend).isEmpty()
                  || backend.store().latest(name).map(it -> it.ipam().preAllocate()).orElse(0)
                      == 3);
      complaints.addAll(missing(backend));
      note(backend.store().get(name), complaints);
      note(backend.store().update(changed, changed.withPreAllocate(4)), complaints);
    }
    ciliumNodes.clear();
  }

  private static void status(List<String> complaints) {
    NodeResource node = ciliumNodes.create(NodeResource.named(freshNode()));
    try (NodeBackend backend = open(node.name())) {
      var answered =
          node.withReleaseIps(
              Map.of(IpAddress.parse("10.0.0.1"), HandshakeState.READY_FOR_RELEASE));
      note(backend.store().updateStatus(node, answered), complaints);
    }
    ciliumNodes.clear();
  }

  private static void nodes(List<String> complaints) {
    String name = freshNode();
    try (NodeBackend backend = open(name)) {
      Eventually.holds(
          "the Node is read",
          () -> !missing(backend).isEmpty() || backend.store().latest(name).isPresent());
      complaints.addAll(missing(backend));
      assertThat(backend.store().latest(name).map(NodeResource::podCidrs).orElse(List.of()))
          .isEqualTo(complaints.isEmpty() ? List.of("10.1.0.0/24") : List.of());
    }
    ciliumNodes.clear();
  }

  private static void make(String path, String kind, Map<String, ?> metadata, Map<String, ?> spec) {
    rights
        .admin
        .client()
        .raw(
            path,
            "POST",
            Map.of("apiVersion", "v1", "kind", kind, "metadata", metadata, "spec", spec));
  }

  private static void makePod(String node, String namespace, String name, String pool) {
    make(
        "/api/v1/namespaces/" + namespace + "/pods",
        "Pod",
        Map.of("name", name, "annotations", Map.of(POOL, pool)),
        Map.of("nodeName", node, "containers", List.of(Map.of("name", "c", "image", "image"))));
  }

  private static void awaitPool(NodePodPools pools, String owner, String pool) {
    PoolMetadata.Answer expected = new PoolMetadata.Answer.Named(pool);
    Eventually.holds(
        owner + " has pool " + pool,
        () -> rights.hasWarned() || pools.poolOf(owner, IpFamily.IPV4).equals(expected));
  }

  /** The first is in the list, the second one comes by the watch. */
  private static void pods() {
    String node = "n" + ++names;
    makePod(node, "default", node + "-1", "mars");
    try (NodePodPools pools = NodePodPools.watch(rights.account, node)) {
      awaitPool(pools, "default/" + node + "-1", "mars");
      makePod(node, "default", node + "-2", "venus");
      awaitPool(pools, "default/" + node + "-2", "venus");
    }
  }

  private static void makeNamespace(String name, String pool) {
    make(
        "/api/v1/namespaces",
        "Namespace",
        Map.of("name", name, "annotations", Map.of(POOL, pool)),
        Map.of());
  }

  private static void namespaces() {
    String node = "n" + ++names;
    makeNamespace(node + "-1", "mars");
    makePod(node, node + "-1", "pod", "");
    try (NodePodPools pools = NodePodPools.watch(rights.account, node)) {
      awaitPool(pools, node + "-1/pod", "mars");
      makeNamespace(node + "-2", "venus");
      makePod(node, node + "-2", "pod", "");
      awaitPool(pools, node + "-2/pod", "venus");
    }
  }
}
