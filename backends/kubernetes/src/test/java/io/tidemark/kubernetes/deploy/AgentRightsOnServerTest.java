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
import io.tidemark.kubernetes.deploy.Rights.Use;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
@DisplayName(
    "The rights of deploy/agent: all that is asked for is allowed, and nothing is too much")
class AgentRightsOnServerTest extends RightsContract {
  private static final String POOL = "ipam.cilium.io/ip-pool";

  @TempDir private Path folder;

  AgentRightsOnServerTest() {
    super(Manifests.AGENT);
  }

  @Override
  Map<String, Use> uses() {
    return Map.of(
        "ciliumnodes",
        this::ciliumNodes,
        "ciliumnodes/status",
        this::status,
        "nodes",
        this::nodes,
        "pods",
        complaints -> pods(),
        "namespaces",
        complaints -> namespaces());
  }

  private CiliumNodes objects() {
    return new CiliumNodes(rights.admin);
  }

  /** A Kubernetes Node of a new name, with CIDRs. */
  private String freshNode() {
    String name = "n" + rights.next();
    rights.make(
        "/api/v1/nodes", "Node", "\"name\":\"" + name + '"', "\"podCIDRs\":[\"10.1.0.0/24\"]");
    return name;
  }

  private NodeBackend open(String name) throws IOException {
    ClusterAccess access = rights.access(folder, rights.token()).withUserAgent("tidemark-agent");
    return KubernetesBackend.ofNode(name, WhenAbsent.CREATE_WITH_POD_CIDRS, access)
        .open(
            new Backend.Environment(
                ConfigSource.of(Map.of()), rights.scheduler, rights.effects, new Random(1), false));
  }

  private static List<String> missing(NodeBackend backend) {
    return backend.trouble().stream().filter(text -> text.contains("cannot ")).toList();
  }

  private void ciliumNodes(List<String> complaints) throws IOException {
    String name = freshNode();
    try (NodeBackend backend = open(name)) {
      Eventually.holds(
          "it is created",
          () -> !missing(backend).isEmpty() || backend.store().latest(name).isPresent());
      NodeResource now =
          objects().all().stream()
              .filter(each -> each.name().equals(name))
              .findFirst()
              .orElseGet(() -> objects().create(NodeResource.named(name)));
      NodeResource changed = objects().writeSpec(now.withPreAllocate(3));
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
    objects().clear();
  }

  private void status(List<String> complaints) throws IOException {
    NodeResource node = objects().create(NodeResource.named(freshNode()));
    try (NodeBackend backend = open(node.name())) {
      var answered =
          node.withReleaseIps(
              Map.of(IpAddress.parse("10.0.0.1"), HandshakeState.READY_FOR_RELEASE));
      note(backend.store().updateStatus(node, answered), complaints);
    }
    objects().clear();
  }

  private void nodes(List<String> complaints) throws IOException {
    String name = freshNode();
    try (NodeBackend backend = open(name)) {
      Eventually.holds(
          "the Node is read",
          () -> !missing(backend).isEmpty() || backend.store().latest(name).isPresent());
      complaints.addAll(missing(backend));
      assertThat(backend.store().latest(name).map(NodeResource::podCidrs).orElse(List.of()))
          .isEqualTo(complaints.isEmpty() ? List.of("10.1.0.0/24") : List.of());
    }
    objects().clear();
  }

  private static String named(String name, String pool) {
    return "\"name\":\"%s\",\"annotations\":{\"%s\":\"%s\"}".formatted(name, POOL, pool);
  }

  private void makePod(String node, String namespace, String name, String pool) {
    rights.make(
        "/api/v1/namespaces/" + namespace + "/pods",
        "Pod",
        named(name, pool),
        "\"nodeName\":\"" + node + "\",\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]");
  }

  private void awaitPool(NodePodPools pools, String owner, String pool) {
    PoolMetadata.Answer expected = new PoolMetadata.Answer.Named(pool);
    Eventually.holds(
        owner + " has pool " + pool,
        () -> rights.hasWarned() || pools.poolOf(owner, IpFamily.IPV4).equals(expected));
  }

  /** The first is in the list, the second one comes by the watch. */
  private void pods() {
    String node = "n" + rights.next();
    makePod(node, "default", node + "-1", "mars");
    try (NodePodPools pools = NodePodPools.watch(rights.account, node)) {
      awaitPool(pools, "default/" + node + "-1", "mars");
      makePod(node, "default", node + "-2", "venus");
      awaitPool(pools, "default/" + node + "-2", "venus");
    }
  }

  private void makeNamespace(String name, String pool) {
    rights.make("/api/v1/namespaces", "Namespace", named(name, pool), "");
  }

  private void namespaces() {
    String node = "n" + rights.next();
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
