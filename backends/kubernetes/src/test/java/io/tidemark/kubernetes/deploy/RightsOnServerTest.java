package io.tidemark.kubernetes.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.NodeChange;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.ip.IpAddress;
import io.tidemark.kubernetes.ClusterConfigMap;
import io.tidemark.kubernetes.ClusterIdentity;
import io.tidemark.kubernetes.demand.ClusterPods;
import io.tidemark.kubernetes.deploy.Rights.Use;
import io.tidemark.kubernetes.gc.StaleNodes;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.store.ClusterNodes;
import io.tidemark.kubernetes.store.KubernetesNodeResourceStore;
import io.tidemark.resilience.Fence;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.time.SystemTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The rights of deploy/base: all that is asked for is allowed, and nothing is too much")
class RightsOnServerTest extends RightsContract {
  RightsOnServerTest() {
    super(Manifests.OPERATOR);
  }

  @BeforeAll
  void configMap() {
    String map =
        """
        {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"cilium-config"},
         "data":{"ipam":"eni"}}
        """;
    rights.admin.client().raw("/api/v1/namespaces/kube-system/configmaps", "POST", map);
  }

  @Override
  Map<String, Use> uses() {
    return Map.of(
        "ciliumnodes",
        this::ciliumNodes,
        "ciliumnodes/status",
        this::status,
        "pods",
        complaints -> pods(),
        "nodes",
        nodes((nodes, node, number) -> new NodeChange.Accepted(node)),
        "leases",
        rights.leases(),
        "configmaps",
        this::configMaps,
        "namespaces",
        complaints -> identity(),
        "events",
        complaints -> events());
  }

  private NodeResource ciliumNode() {
    return new CiliumNodes(rights.admin)
        .create(NodeResource.named("n" + rights.next()).withInstanceId("i"));
  }

  private void ciliumNodes(List<String> complaints) {
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
    new CiliumNodes(rights.admin).clear();
  }

  /** The reads use the administrator's rights; the deletion is not. */
  private void stale() {
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
              Duration.ofMillis(100),
              rights.scheduler,
              rights.effects,
              Fence.OPEN,
              OperatorNotices.NONE)) {
        assertThat(collector).isNotNull();
        Eventually.holds(
            "the stale node is gone, or cannot be deleted",
            () -> rights.hasWarned() || store.latest(stale.name()).isEmpty());
      }
    }
  }

  private void status(List<String> complaints) {
    NodeResource node = ciliumNode();
    try (KubernetesNodeResourceStore store =
        KubernetesNodeResourceStore.open(rights.account, SystemTime.instance(), Runnable::run)) {
      var marked =
          node.withReleaseIps(Map.of(IpAddress.parse("10.0.0.1"), HandshakeState.RELEASED));
      note(store.updateStatus(node, marked), complaints);
    }
    new CiliumNodes(rights.admin).clear();
  }

  private void pods() {
    String node = "n" + rights.next();
    try (ClusterPods pods = ClusterPods.watch(rights.account, name -> {})) {
      Eventually.holds("listed", () -> rights.hasWarned() || pods.onNode(node).isPresent());
      rights.make(
          "/api/v1/namespaces/default/pods",
          "Pod",
          "\"name\":\"" + node + '"',
          "\"nodeName\":\"" + node + "\",\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]");
      Eventually.holds(
          "the pod is counted", () -> rights.hasWarned() || pods.onNode(node).orElse(0) == 1);
    }
  }

  private void configMaps(List<String> complaints) {
    try {
      Map<String, String> read =
          new ClusterConfigMap(Manifests.NAMESPACE, "cilium-config").read(rights.account);
      assertThat(read).containsEntry("ipam", "eni");
    } catch (IpamException e) {
      complaints.add(e.getMessage());
    }
  }

  private void identity() {
    boolean known = ClusterIdentity.uid(rights.account).isPresent();
    assertThat(known || rights.hasWarned()).isTrue();
  }

  private void events() {
    Blocked why = new Blocked(BlockedReason.NO_SUBNET, "none");
    rights.reportTwice(
        (events, node) ->
            events
                .onCiliumNodes(name -> Optional.of("u"))
                .report(node, why.reason(), why.detail()));
    rights.reportTwice(
        (events, lease) ->
            events
                .onLease(Manifests.NAMESPACE, lease, () -> Optional.of("u"))
                .report(CoreError.CLUSTER_UNNAMED, "none"));
  }
}
