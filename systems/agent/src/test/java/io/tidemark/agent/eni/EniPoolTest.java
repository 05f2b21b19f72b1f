package io.tidemark.agent.eni;

import static io.tidemark.agent.TestNode.granted;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.AgentError;
import io.tidemark.agent.Allocation;
import io.tidemark.agent.CoolingRule;
import io.tidemark.agent.InterfaceDetails;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.UpstreamSync;
import io.tidemark.agent.crd.CrdMode;
import io.tidemark.agent.multipool.DemandRule;
import io.tidemark.agent.multipool.MultiPool;
import io.tidemark.agent.multipool.MultiPoolRules;
import io.tidemark.agent.multipool.QuarantineRule;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.Meters;
import io.tidemark.resource.AddressDemand;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodIpPool;
import io.tidemark.resource.PodPools;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A pool of the blocks of interfaces")
class EniPoolTest {
  private static final PoolName DEFAULT = new PoolName("default");

  private final VirtualTime time = new VirtualTime(0);
  private final Set<String> away = new HashSet<>();
  private final MultiPool pools =
      new MultiPool(
          Ipam.builder(time, new Random(1)).cooling(CoolingRule.OFF),
          new MultiPoolRules(
              Set.of(IpFamily.IPV4),
              Map.of(DEFAULT, 2),
              DemandRule.LINEAR,
              QuarantineRule.of(Duration.ofSeconds(15), Duration.ofMinutes(4)),
              Duration.ofMinutes(1)),
          new InterfaceRanges(CrdMode.ENI, DEFAULT, (id, mac) -> !away.contains(id), List.of()),
          new MultiPool.Origin(Optional.of("i-1"), 0, Optional.empty()),
          time,
          Meters.none());
  private NodeResource object = NodeResource.named("n").withInstanceId("i-1");

  @Test
  @DisplayName("A73 The agent lists the blocks that it takes up, and draws from them once they are")
  void takenUp() {
    pools.restored();
    object = TestEni.node(object, TestEni.of("eni-1", "10.0.0.8/31", "10.0.0.7"));
    NodeResource written = pools.applied(object);
    assertThat(written.ipam().allocatedCidrs())
        .containsExactlyInAnyOrder(Cidr.parse("10.0.0.8/31"), Cidr.parse("10.0.0.7/32"));
    assertThat(written.ipam().requested()).contains(new AddressDemand(2, 0));
    assertThat(next("early")).isInstanceOf(Allocation.Denied.class);

    object = pools.applied(written);
    assertThat(granted(next("early")).ip()).isEqualTo(IpAddress.parse("10.0.0.7"));
    object = object.withPreAllocate(5);
    assertThat(pools.applied(object).ipam().requested()).contains(new AddressDemand(6, 0));
  }

  @Test
  @DisplayName("A74 A result has the interface of its address")
  void details() {
    object = TestEni.node(object, TestEni.of("eni-1", "10.0.0.7"));
    serve();
    assertThat(granted(next("pod")).details())
        .contains(
            new InterfaceDetails(
                "eni-1",
                "mac-eni-1",
                "1",
                Optional.of(Cidr.parse("10.0.0.0/24")),
                Optional.of(IpAddress.parse("10.0.0.1")),
                List.of(Cidr.parse("10.0.0.0/16"))));
  }

  @Test
  @DisplayName("A74 A83 An address of an interface that is not here stays free, until it is")
  void interfaceAway() {
    object = TestEni.node(object, TestEni.of("eni-1", "10.0.0.7"));
    away.add("eni-1");
    serve();
    IpAddress ip = IpAddress.parse("10.0.0.7");
    assertThat(
            ((Allocation.Denied) pools.ipam().allocate(ip, "pod", DEFAULT, UpstreamSync.NOW))
                .denial()
                .code())
        .isEqualTo(AgentError.INTERFACE_UNKNOWN);
    assertThat(next("pod")).isInstanceOf(Allocation.Denied.class);
    assertThat(pools.ipam().dump().ipv4()).isEmpty();
    assertThat(pools.applied(object).ipam().requested())
        .as("it is not asked for a second time")
        .contains(new AddressDemand(3, 0));

    away.clear();
    object = pools.applied(object);
    assertThat(granted(next("pod")).ip()).isEqualTo(ip);
  }

  @Test
  @DisplayName("A71 Of a version that contradicts itself nothing is taken up, and nothing written")
  void contradiction() {
    object = contradictory(TestEni.node(object, TestEni.of("eni-1", "10.0.0.7")));
    pools.restored();
    assertThat(pools.applied(object)).isSameAs(object);
    assertThat(pools.ipam().snapshot()).isEmpty();
  }

  @Test
  @DisplayName(
      "A82 A block that was dropped and is needed again is listed, and used after the pause")
  void droppedAndNeeded() {
    object =
        TestEni.node(object, TestEni.of("eni-1", "10.0.0.7", "10.0.0.8", "10.0.0.9", "10.0.0.10"));
    serve();
    object = pools.applied(object);
    assertThat(object.ipam().allocatedCidrs())
        .as("two are wanted")
        .containsExactlyInAnyOrder(Cidr.parse("10.0.0.7/32"), Cidr.parse("10.0.0.8/32"));
    granted(next("a"));
    granted(next("b"));
    object = pools.applied(object);
    assertThat(object.ipam().allocatedCidrs()).hasSize(4);
    object = pools.applied(object);
    assertThat(next("c")).isInstanceOf(Allocation.Denied.class);
    pools.applied(contradictory(object));
    time.runUntil(time.nanos() + Duration.ofMinutes(4).toNanos());
    pools.applied(contradictory(object));
    assertThat(pools.nextLookNanos().orElseThrow())
        .as("nothing ends while no version counts")
        .isGreaterThan(time.nanos());
    object = pools.applied(object);
    granted(next("c"));
  }

  @Test
  @DisplayName("A82 On a new node a block has no quarantine, although it comes after the demand")
  void blockAfterDemand() {
    serve();
    assertThat(object.ipam().requested()).contains(new AddressDemand(2, 0));
    object = TestEni.node(object, TestEni.of("eni-1", "10.0.0.7"));
    serve();
    granted(next("pod"));
  }

  @Test
  @DisplayName("A82 Where an agent was before that left no record, every block has a quarantine")
  void blockOfUnknownPast() {
    object =
        object.withPools(
            new PodPools(
                new TreeMap<>(Map.of("default", new AddressDemand(2, 0))), new TreeMap<>()));
    serve();
    object = TestEni.node(object, TestEni.of("eni-1", "10.0.0.7"));
    serve();
    assertThat(next("pod")).isInstanceOf(Allocation.Denied.class);
    time.runUntil(time.nanos() + Duration.ofMinutes(4).toNanos());
    object = pools.applied(object);
    granted(next("pod"));
  }

  @Test
  @DisplayName("A84 The object of another instance is not this node's")
  void otherInstance() {
    assertThat(pools.isOurs(object)).isTrue();
    assertThat(pools.isOurs(object.withInstanceId("i-0"))).isFalse();
  }

  /** The agent sees its object and its own answer. */
  private void serve() {
    pools.restored();
    object = pools.applied(object);
    object = pools.applied(object);
  }

  private Allocation next(String owner) {
    return pools.ipam().allocateNext(IpFamily.IPV4, owner, DEFAULT, UpstreamSync.NOW);
  }

  private static NodeResource contradictory(NodeResource node) {
    return node.withPool(PodIpPool.of(Map.of("eni-2", AddressSet.of(IpAddress.parse("10.0.0.8")))));
  }
}
