package io.tidemark.nodeid.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClaimChange;
import io.tidemark.cluster.InMemoryClaims;
import io.tidemark.cluster.InMemoryClaims.Interference;
import io.tidemark.cluster.InMemoryClaims.Request;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.NodeIdError;
import io.tidemark.nodeid.NodeIdSubnets;
import io.tidemark.nodeid.TestRanges;
import io.tidemark.nodeid.claim.IdAgreement;
import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectModel;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An agent that claims the id of its node (node-id 19.2 AM11, AM12)")
class OwnNodeIdTest {
  private static final Duration WITHIN = Duration.ofMinutes(2);

  private final VirtualTime time = new VirtualTime(0);
  private final InMemoryClaims server = new InMemoryClaims();
  private EffectModel network = EffectModel.reliable(Duration.ofMillis(5), Duration.ofMillis(5));
  private Interference faults = Interference.NONE;

  private CompletableFuture<NodeId> claim(String node, String uid) {
    return new OwnNodeId(
            node,
            uid,
            254,
            server.client(
                time, DeliveryDelay.NONE, (request, name) -> faults.before(request, name)),
            time,
            time.effects((site, timeout) -> network.decide(site, timeout)),
            new Random(node.hashCode()))
        .claim(WITHIN)
        .toCompletableFuture();
  }

  private void pass(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }

  @Test
  @DisplayName("NI-26 NI-33 NI-D16 64 agents that start at once have the ids 1 to 64, no failure")
  void race() {
    Random random = new Random(7);
    network =
        (site, timeout) ->
            EffectFate.answered(
                Duration.ofMillis(random.nextInt(30)), Duration.ofMillis(random.nextInt(30)));
    AtomicInteger lists = new AtomicInteger();
    faults =
        (request, name) -> {
          lists.addAndGet(request == Request.LIST ? 1 : 0);
          return Optional.empty();
        };
    List<CompletableFuture<NodeId>> agents = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      agents.add(claim("n" + i, "u-" + i));
    }
    pass(WITHIN);
    assertThat(agents.stream().map(CompletableFuture::join).map(NodeId::number).sorted())
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 64).boxed().toList());
    assertThat(lists).as("lists, one for each agent").hasValue(64);
  }

  @Test
  @DisplayName("NI-33 A node that restarts keeps its id; one that was created again keeps it too")
  void keeps() {
    Claim claim = server.put("node-id-7", "n1", "u-1");
    CompletableFuture<NodeId> restarted = claim("n1", "u-1");
    pass(WITHIN);
    assertThat(restarted).isCompletedWithValue(NodeId.of(7));
    assertThat(server.all()).containsExactly(claim);
    CompletableFuture<NodeId> again = claim("n1", "u-2");
    pass(WITHIN);
    assertThat(again).isCompletedWithValue(NodeId.of(7));
    assertThat(server.all()).singleElement().matches(it -> it.isHeldBy("n1", "u-2"));
  }

  @Test
  @DisplayName("NI-33 A creation whose answer is lost is sent again, and found to be its own")
  void lostAnswer() {
    AtomicInteger creations = new AtomicInteger();
    network =
        (site, timeout) ->
            site.operation().equals("createClaim") && creations.getAndIncrement() == 0
                ? EffectFate.answerLost(Duration.ofMillis(5))
                : EffectFate.answered(Duration.ofMillis(5), Duration.ofMillis(5));
    CompletableFuture<NodeId> id = claim("n1", "u-1");
    pass(WITHIN);
    assertThat(id).isCompletedWithValue(NodeId.of(1));
    assertThat(server.all()).hasSize(1);
  }

  @Test
  @DisplayName("NI-33 NI-35 Why an agent has no id: forbidden, none free, no answer in time")
  void fails() {
    faults =
        (request, name) ->
            request == Request.CREATE
                ? Optional.of(new ClaimChange.Refused("leases are forbidden"))
                : Optional.empty();
    CompletableFuture<NodeId> forbidden = claim("n1", "u-1");
    pass(WITHIN);
    assertThatThrownBy(forbidden::join)
        .hasMessageContaining(NodeIdError.CLAIMS_FORBIDDEN.label())
        .hasMessageContaining("leases are forbidden");
    faults = (request, name) -> Optional.of(new ClaimChange.AskedToWait("busy"));
    CompletableFuture<NodeId> late = claim("n1", "u-1");
    pass(WITHIN.multipliedBy(2));
    assertThatThrownBy(late::join).hasMessageContaining(NodeIdError.AWAITING_POD_CIDR.label());
    faults = Interference.NONE;
    for (int id = 1; id <= 254; id++) {
      server.put("node-id-" + id, "other-" + id, "u");
    }
    CompletableFuture<NodeId> exhausted = claim("n1", "u-1");
    pass(WITHIN);
    assertThatThrownBy(exhausted::join).hasMessageContaining(NodeIdError.NODE_ID_EXHAUSTED.label());
  }

  @Test
  @DisplayName("NI-34 NI-D19 While id, mirror and claim disagree no new pod gets an address")
  void withheld() {
    NodeLocalIpam ipam =
        new NodeLocalIpam("n1", new NodeIdSubnets(TestRanges.DEFAULTS), PodRules.INTERNAL, time);
    ipam.resync(
        new NodeIpamEvent.StartupResync(),
        NodeId.of(5),
        new KubeState(Optional.empty(), List.of()),
        1);
    PodId first = new PodId("ns", "a");
    PodAllocation had = ipam.allocatePodIp(first, "", "");
    assertThat(had).isInstanceOf(PodAllocation.Allocated.class);
    ipam.agreement(
        new IdAgreement.Withheld(NodeIdError.NODE_ID_CONFLICT, "node n1 uses id 5 and shows 6"));
    assertThat(ipam.allocatePodIp(first, "", "")).isEqualTo(had);
    assertThat(ipam.allocatePodIp(new PodId("ns", "b"), "", ""))
        .isEqualTo(
            new PodAllocation.Refused(
                NodeIdError.NODE_ID_CONFLICT, "node n1 uses id 5 and shows 6"));
    ipam.agreement(new IdAgreement.Agreed(NodeId.of(5)));
    assertThat(ipam.allocatePodIp(new PodId("ns", "b"), "", ""))
        .isInstanceOf(PodAllocation.Allocated.class);
  }
}
