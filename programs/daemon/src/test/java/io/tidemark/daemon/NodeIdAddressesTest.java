package io.tidemark.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.Denial;
import io.tidemark.cluster.ClaimBackend;
import io.tidemark.cluster.ClaimStore;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.InMemoryClaims;
import io.tidemark.cluster.InMemoryClusterNodes;
import io.tidemark.cluster.NodeChange;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigSource;
import io.tidemark.daemon.AgentKey.Claimant;
import io.tidemark.metrics.Meters;
import io.tidemark.nodeid.NodeIdSubnets;
import io.tidemark.nodeid.claim.NodeIdMirror;
import io.tidemark.nodeid.config.NodeIdConfig;
import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.time.Effect;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.StopSignal;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A node whose addresses follow from its id")
class NodeIdAddressesTest {
  private final VirtualTime time = new VirtualTime(0);
  private final InMemoryClusterNodes nodes = new InMemoryClusterNodes(time);
  private final InMemoryClaims claims = new InMemoryClaims();
  private boolean answers = true;

  /** Requests that are answered at once. */
  private record AtOnce() implements EffectRunner {
    @Override
    public <T> Effect<T> run(EffectSite site, Duration timeout, Callable<T> leaf) {
      CompletableFuture<T> end = new CompletableFuture<>();
      try {
        end.complete(leaf.call());
      } catch (Exception e) {
        end.completeExceptionally(e);
      }
      return new Effect<>() {
        @Override
        public CompletionStage<T> stage() {
          return end;
        }

        @Override
        public void interrupt() {}

        @Override
        public boolean started() {
          return true;
        }
      };
    }
  }

  private final class Memory implements ClaimBackend {
    @Override
    public ClusterNodeStore nodes() {
      return nodes.client(
          "agent",
          time,
          DeliveryDelay.NONE,
          (request, name) ->
              answers ? Optional.empty() : Optional.of(new NodeChange.Unknown("no answer")));
    }

    @Override
    public ClaimStore claims() {
      return claims.client(time);
    }

    @Override
    public void close() {}
  }

  private NodeIdAddresses addresses(Claimant claimant) {
    NodeIdSubnets subnets =
        new NodeIdSubnets(
            NodeIdConfig.read(ConfigSource.of(Map.of()), new ConfigProblems())
                .orElseThrow()
                .ranges());
    ClaimBackend memory = new Memory();
    return new NodeIdAddresses(
        new AgentNode(
            "n1",
            it -> {
              throw new AssertionError("no CiliumNode is needed");
            },
            Optional.of(it -> memory),
            "the test"),
        new NodeIds(subnets, "claims", claimant),
        memory,
        new AgentRuntime(time, new AtOnce(), Runnable::run, new Random(1), Meters.none()));
  }

  private void pass(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }

  /** The code of the refusal to give a new address; empty when there is none. */
  private static String refusal(NodeIdPodRange range) {
    return Optional.ofNullable(range.unable()).map(Denial::code).map(it -> it.label()).orElse("");
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource
  @DisplayName(
      "NI-33 NI-34 Every five minutes it compares its id: with another claimant or without a claim or"
          + " Node it gives no new address, and without an answer it goes on")
  void compared(Claimant claimant) throws Exception {
    boolean mirrored = claimant == Claimant.OPERATOR;
    ClusterNode node = ClusterNode.named("n1", "");
    String uid =
        nodes
            .create(mirrored ? node.withAnnotations(Map.of(NodeIdMirror.ID, "1")) : node)
            .orElseThrow()
            .uid();
    if (mirrored) {
      claims.put("node-id-1", "n1", uid);
    }
    try (NodeIdAddresses addresses = addresses(claimant)) {
      NodeIdPodRange range = addresses.await(Duration.ZERO, new StopSignal()).orElseThrow();
      assertThat(range.origin()).isEqualTo("10.1.1.0/24");
      assertThat(claims.all()).hasSize(1);
      assertThat(refusal(range)).isEmpty();

      claims.put("node-id-1", "n2", "u-2");
      pass(Duration.ofMinutes(4));
      assertThat(refusal(range)).isEmpty();
      pass(Duration.ofMinutes(2));
      assertThat(refusal(range)).isEqualTo("TM-1502");
      assertThat(range.takeNext()).isEqualTo(-1);

      answers = false;
      claims.put("node-id-1", "n1", uid);
      pass(Duration.ofMinutes(6));
      assertThat(refusal(range)).as("nothing new is known").isEqualTo("TM-1502");
      answers = true;
      pass(Duration.ofMinutes(6));
      assertThat(refusal(range)).isEmpty();
      assertThat(range.takeNext()).isPositive();

      claims.remove("node-id-1");
      pass(Duration.ofMinutes(6));
      assertThat(refusal(range)).isEqualTo("TM-1506");
    }
    assertThat(time.pending()).as("what is left to do after the end").isZero();
  }
}
