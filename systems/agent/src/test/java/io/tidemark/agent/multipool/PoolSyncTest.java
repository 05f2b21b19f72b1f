package io.tidemark.agent.multipool;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.Allocation;
import io.tidemark.agent.CoolingRule;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.UpstreamSync;
import io.tidemark.agent.sync.NodeSync;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.AddressDemand;
import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.resource.InMemoryNodeResourceStore.Operation;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.StoreResult;
import io.tidemark.resource.UsedAddress;
import io.tidemark.time.EffectModel;
import io.tidemark.time.TriggerObserver;
import io.tidemark.time.VirtualProcess;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Pools that follow an object on a server, in virtual time")
class PoolSyncTest {
  private static final String NODE = "n";
  private static final Duration RATE = Duration.ofSeconds(15);
  private static final Duration LATENCY = Duration.ofMillis(5);

  private final VirtualTime time = new VirtualTime(0);
  private final InMemoryNodeResourceStore server = new InMemoryNodeResourceStore();
  private final NodeResourceStore operator = server.client(time);
  private final VirtualProcess process = time.process("agent");
  private final List<Operation> requests = new ArrayList<>();
  private Optional<StoreResult> fault = Optional.empty();
  private final MultiPool pools = start();
  private final Ipam ipam = pools.ipam();

  private MultiPool start() {
    MultiPool started =
        TestPools.pools(
            time, Set.of(IpFamily.IPV4), Map.of("default", 8), CoolingRule.OFF, Optional.empty());
    NodeSync sync =
        new NodeSync(
            new NodeSync.Settings(
                NODE,
                Set.of(IpFamily.IPV4),
                RATE,
                Duration.ofSeconds(30),
                Optional.empty(),
                TriggerObserver.NONE),
            server.client(
                NODE,
                process,
                DeliveryDelay.NONE,
                (operation, name) -> {
                  requests.add(operation);
                  return fault;
                }),
            process.effects(EffectModel.reliable(LATENCY, LATENCY)),
            process,
            process,
            started);
    started.publishedBy(sync);
    sync.start();
    return started;
  }

  @Test
  @DisplayName("A51 A59 Nothing is written before the object is seen and everything is restored")
  void gate() {
    ipam.restoreFinished(IpFamily.IPV4);
    pass(RATE);
    assertThat(requests).doesNotContain(Operation.UPDATE);
    object(NodeResource.named(NODE));
    assertThat(demand()).contains(new AddressDemand(8, 0));
    assertThat(requests).containsOnlyOnce(Operation.UPDATE);
  }

  @Test
  @DisplayName("A51 Blocks of the operator are drawn from at once, and use is written in intervals")
  void follows() {
    object(NodeResource.named(NODE));
    pass(RATE);
    assertThat(demand()).as("before restoration").isEmpty();
    ipam.restoreFinished(IpFamily.IPV4);
    assertThat(next("early")).isInstanceOf(Allocation.Denied.class);
    edit(node -> TestPools.offering(node, "default", "10.0.0.0/27"));
    for (int i = 0; i < 10; i++) {
      assertThat(next(i == 0 ? "early" : "pod-" + i)).isInstanceOf(Allocation.Granted.class);
    }
    pass(RATE);
    assertThat(demand()).contains(new AddressDemand(24, 0));
    assertThat(requests.stream().filter(Operation.UPDATE::equals).count()).isLessThanOrEqualTo(3);
  }

  @Test
  @DisplayName("A95 What an agent of single addresses published goes once the demand is written")
  void clears() {
    object(
        NodeResource.named(NODE)
            .withUsed(Map.of(IpAddress.parse("10.0.0.1"), new UsedAddress("default/pod", ""))));
    pass(RATE);
    assertThat(requests).as("before restoration").doesNotContain(Operation.UPDATE_STATUS);
    ipam.restoreFinished(IpFamily.IPV4);
    pass(RATE.multipliedBy(2));
    assertThat(demand()).isPresent();
    assertThat(server.find(NODE).orElseThrow().used().isEmpty()).isTrue();
    assertThat(requests.indexOf(Operation.UPDATE))
        .isLessThan(requests.indexOf(Operation.UPDATE_STATUS));
    assertThat(requests).containsOnlyOnce(Operation.UPDATE_STATUS);
  }

  @Test
  @DisplayName("A51 A write that fails or meets a newer version is repeated, and loses nothing")
  void repeated() {
    object(NodeResource.named(NODE));
    ipam.restoreFinished(IpFamily.IPV4);
    pass(RATE);
    edit(node -> TestPools.offering(node, "default", "10.0.0.0/28", "10.0.1.0/28"));
    fault = Optional.of(new StoreResult.Failed("no network"));
    pass(Duration.ofSeconds(70));
    assertThat(blocks()).hasSize(2);
    fault = Optional.of(new StoreResult.Conflict());
    pass(RATE);
    fault = Optional.empty();
    pass(RATE);
    assertThat(blocks()).as("one is enough").containsExactly(Cidr.parse("10.0.0.0/28"));
    assertThat(demand()).contains(new AddressDemand(8, 0));
  }

  @Test
  @DisplayName("A82 What was given back is written after the next process would know it, and then")
  void keptFirst() {
    List<List<RememberedCidr>> kept = new ArrayList<>();
    List<CompletableFuture<Optional<String>>> ends = new ArrayList<>();
    pools.keptBy(
        all -> {
          kept.add(all);
          ends.add(new CompletableFuture<>());
          return ends.get(ends.size() - 1);
        });
    object(NodeResource.named(NODE));
    edit(node -> TestPools.offering(node, "default", "10.0.0.0/28", "10.0.1.0/28"));
    ipam.restoreFinished(IpFamily.IPV4);
    pass(RATE);
    assertThat(kept).hasSize(1);
    assertThat(kept.get(0))
        .extracting(each -> each.cidr() + " " + each.state())
        .containsExactlyInAnyOrder("10.0.0.0/28 DRAWN", "10.0.1.0/28 DROPPED");
    assertThat(requests).as("while it is being kept").doesNotContain(Operation.UPDATE);
    ends.get(0).complete(Optional.of("the disk is full"));
    pass(Duration.ofMillis(50));
    assertThat(requests).as("when it is not kept").doesNotContain(Operation.UPDATE);
    assertThat(blocks()).hasSize(2);
    pass(RATE);
    assertThat(kept).hasSize(2);
    ends.get(1).complete(Optional.empty());
    pass(Duration.ofMillis(50));
    assertThat(blocks()).containsExactly(Cidr.parse("10.0.0.0/28"));
    assertThat(next("pod")).isInstanceOf(Allocation.Granted.class);
    pass(RATE);
    assertThat(kept).as("what was given back is not offered any more").hasSize(3);
    ends.get(2).complete(Optional.empty());
    pass(RATE);
    assertThat(demand()).contains(new AddressDemand(16, 0));
    assertThat(kept).as("nothing else has changed since").hasSize(3);
  }

  @Test
  @DisplayName("A53 Who does not ask any more is forgotten without an event")
  void expiry() {
    object(NodeResource.named(NODE));
    ipam.restoreFinished(IpFamily.IPV4);
    assertThat(next("pod")).isInstanceOf(Allocation.Denied.class);
    pass(RATE);
    assertThat(demand()).contains(new AddressDemand(16, 0));
    pass(Duration.ofMinutes(7));
    assertThat(demand()).contains(new AddressDemand(8, 0));
  }

  private void object(NodeResource resource) {
    assertThat(server.create(resource)).isInstanceOf(StoreResult.Stored.class);
    pass(Duration.ofMillis(50));
  }

  private void edit(UnaryOperator<NodeResource> change) {
    StoreResult read = operator.get(NODE);
    assertThat(read).isInstanceOf(StoreResult.Stored.class);
    NodeResource before = ((StoreResult.Stored) read).resource();
    assertThat(operator.update(before, change.apply(before)))
        .isInstanceOf(StoreResult.Stored.class);
    pass(Duration.ofMillis(50));
  }

  private Set<Cidr> blocks() {
    return server.find(NODE).orElseThrow().ipam().allocatedCidrs();
  }

  private Optional<AddressDemand> demand() {
    return server.find(NODE).orElseThrow().ipam().requested();
  }

  private Allocation next(String owner) {
    return ipam.allocateNext(IpFamily.IPV4, owner, new PoolName("default"), UpstreamSync.NOW);
  }

  private void pass(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }
}
