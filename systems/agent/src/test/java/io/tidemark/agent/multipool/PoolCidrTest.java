package io.tidemark.agent.multipool;

import static io.tidemark.agent.TestNode.denied;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.CoolingRule;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.crd.CrdMode;
import io.tidemark.agent.crd.LocalInterfaces;
import io.tidemark.agent.eni.InterfaceRanges;
import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.Meters;
import io.tidemark.resource.NodeResource;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What the agent says of each CIDR")
class PoolCidrTest {
  private static final Set<IpFamily> IPV4 = Set.of(IpFamily.IPV4);

  private static List<String> texts(MultiPool pools) {
    return pools.cidrs().stream()
        .map(each -> each.pool() + " " + each.cidr() + " " + each.state() + " " + each.reason())
        .map(String::strip)
        .toList();
  }

  @Test
  @DisplayName("A60 Each CIDR that cannot be taken up is there with its reason")
  void rejected() {
    TestPools node = TestPools.of(IPV4, Map.of("default", 8));
    node.offers("default", "10.0.0.0/28", "10.0.0.8/29", "12.0.0.0/6", "f00d::/120");
    assertThat(texts(node.pools))
        .containsExactlyInAnyOrder(
            "default 10.0.0.0/28 DRAWN",
            "default 10.0.0.8/29 REJECTED another block of the pool has some of its addresses",
            "default 12.0.0.0/6 REJECTED the pool would have more than 16,777,216 addresses",
            "default f00d::/120 REJECTED the agent does not serve its family");
    assertThat(node.pools.cidrs().stream().filter(PoolCidr::isHeld)).hasSize(1);
  }

  @Test
  @DisplayName("A55 A56 A82 What was given back, is used or waits is there with its reason")
  void waits() {
    TestPools node = TestPools.of(IPV4, Map.of());
    node.offers("mars", "10.0.0.1/32", "10.0.0.2/32");
    NodeResource before = node.object;
    assertThat(node.take("mars", "pod")).isEqualTo("10.0.0.1");
    node.restored().sees(before);
    assertThat(texts(node.pools))
        .containsExactly(
            "mars 10.0.0.1/32 DRAWN", "mars 10.0.0.2/32 DROPPED given back: it is not needed");

    denied(node.next(IpFamily.IPV4, "mars", "next"));
    node.pass(Duration.ofSeconds(1));
    assertThat(texts(node.pools))
        .contains(
            "mars 10.0.0.2/32 QUARANTINED until 1970-01-01T00:04:01Z a release that began earlier"
                + " can be under way");
    node.offers("mars");
    assertThat(texts(node.pools))
        .containsExactly("mars 10.0.0.1/32 WITHDRAWN no longer on offer, and used by pods");
  }

  @Test
  @DisplayName("A83 A CIDR that is not listed yet, or whose interface is not here, is withheld")
  void withheld() {
    NodeResource node = TestPools.attached(NodeResource.named("n"), "10.0.0.16/28");
    assertThat(texts(eni(LocalInterfaces.ALL, node)))
        .containsExactly("default 10.0.0.16/28 WITHHELD the object does not list it yet");
    assertThat(texts(eni((id, mac) -> false, node)))
        .containsExactly(
            "default 10.0.0.16/28 WITHHELD its interface is not in the status or not here");
  }

  private static MultiPool eni(LocalInterfaces here, NodeResource object) {
    VirtualTime time = new VirtualTime(0);
    PoolName pool = new PoolName("default");
    MultiPool pools =
        new MultiPool(
            Ipam.builder(time, new Random(1)).cooling(CoolingRule.OFF),
            new MultiPoolRules(
                IPV4,
                Map.of(pool, 8),
                DemandRule.LINEAR,
                TestPools.QUARANTINE,
                Duration.ofMinutes(1)),
            new InterfaceRanges(CrdMode.ENI, pool, here, List.of()),
            new MultiPool.Origin(Optional.empty(), 0, Optional.empty()),
            time,
            Meters.none());
    pools.applied(object);
    return pools;
  }
}
