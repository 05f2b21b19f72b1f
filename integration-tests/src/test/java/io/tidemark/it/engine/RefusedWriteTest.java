package io.tidemark.it.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.ApiServer.User;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.node.NodeState;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodIpPool;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("kubernetes")
@Tag("long")
@DisplayName("An object of which the server's schema refuses what the operator writes")
class RefusedWriteTest {
  /** A rule that only this cluster has. */
  private static final String RULE =
      """
      [{"op":"add",
        "path":"/spec/versions/0/schema/openAPIV3Schema/properties/spec/x-kubernetes-validations",
        "value":[{"rule":"!has(self.ipam) || !has(self.ipam.pool) || has(self.bootid)",
          "message":"no pool without a boot id"}]}]
      """;

  /** Far less than the time until a refused write is tried again by itself. */
  private static final Duration SOON = Duration.ofSeconds(4);

  private static void define(ClusterConnection outside, CiliumNodes nodes) {
    outside
        .client()
        .apiextensions()
        .v1()
        .customResourceDefinitions()
        .withName("ciliumnodes.cilium.io")
        .patch(PatchContext.of(PatchType.JSON), RULE);
    NodeResource probe =
        NodeResource.named("probe")
            .withPool(PodIpPool.of(Map.of("eni-1", AddressSet.of(IpAddress.parse("10.9.9.9")))));
    Eventually.holds(
        "the rule counts",
        () -> {
          try {
            nodes.tryToCreate(probe);
            return false;
          } catch (KubernetesClientException e) {
            return String.valueOf(e.getMessage()).contains("boot id");
          }
        });
  }

  @Test
  @DisplayName("its node says why, others go on, the server is left in peace, and it mends")
  void refused() throws Exception {
    try (ApiServer server = ApiServer.start();
        ClusterConnection outside = server.connect(User.ADMIN);
        ClusterConnection cluster = server.connect(User.ADMIN);
        LiveEngine engine =
            new LiveEngine(cluster, List.of("bad", "good"), EngineConfig.defaults())) {
      CiliumNodes nodes = new CiliumNodes(outside);
      define(outside, nodes);
      IpamSpec marks = IpamSpec.of(4, 0, 0, 0);
      nodes.create(MockAccount.introduced("bad", marks));
      NodeResource good = SequenceJson.withBootId(MockAccount.introduced("good", marks), "b");
      nodes.create(good);
      Eventually.holds("the other is supplied", () -> nodes.node("good").pool().size() == 4);
      Eventually.holds("it is told", () -> !engine.events().isEmpty());
      assertThat(engine.report("bad").state()).isEqualTo(NodeState.BLOCKED);
      assertThat(engine.report("bad").blocked().map(Blocked::reason))
          .contains(BlockedReason.INVALID_RESOURCE);
      assertThat(engine.report("bad").blocked().map(Blocked::detail).orElseThrow())
          .contains("no pool without a boot id");
      assertThat(engine.events()).hasSize(1);
      assertThat(engine.events().get(0))
          .contains("bad", "INVALID_RESOURCE", "no pool without a boot id");
      assertThat(engine.report("good").state()).isEqualTo(NodeState.OK);

      int before = engine.requests.of("bad");
      for (int size = 5; size <= 12; size++) {
        supplyAgain(engine, nodes, size);
      }
      assertThat(engine.requests.of("bad"))
          .as("requests for it: at most one more, for what came in amid the first")
          .isLessThanOrEqualTo(before + 1);

      nodes.writeSpec(SequenceJson.withBootId(nodes.node("bad"), "b"));
      Eventually.holds(
          "it is mended", SOON, () -> nodes.node("bad").pool().size() == 4 && engine.isSettled());
      assertThat(engine.report("bad").state()).isEqualTo(NodeState.OK);
      Eventually.holds(
          "that is told", () -> engine.events().contains("bad INVALID_RESOURCE cleared"));
    }
  }

  /** The other node is written, read, supplied and written again, all of it through the engine. */
  private static void supplyAgain(LiveEngine engine, CiliumNodes nodes, int size) {
    Eventually.holds("nothing of it is under way", () -> engine.report("good").settled());
    nodes.writeSpec(nodes.node("good").withIpam(IpamSpec.of(size, 0, 0, 0)));
    Eventually.holds(
        "the other is supplied with " + size, () -> nodes.node("good").pool().size() == size);
  }
}
