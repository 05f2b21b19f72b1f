package io.tidemark.agent.multipool;

import static io.tidemark.agent.TestNode.denied;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.CoolingRule;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.PoolName;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.Metric;
import io.tidemark.metrics.TestMeters;
import io.tidemark.resource.NodeResource;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a pool of blocks measures, and when it looks again")
class FamilyPoolTest {
  private static final PoolName MARS = new PoolName("mars");

  private final TestMeters measured = new TestMeters();
  private final VirtualTime time = new VirtualTime(0);
  private final TestPools node =
      new TestPools(
          time,
          NodeResource.named("n"),
          new MultiPool(
              Ipam.builder(time, new Random(1)).cooling(CoolingRule.OFF),
              new MultiPoolRules(
                  Set.of(IpFamily.IPV4),
                  Map.of(MARS, 8),
                  DemandRule.STEPS,
                  TestPools.QUARANTINE,
                  Duration.ofMinutes(1)),
              RangeSource.ALLOCATED,
              new MultiPool.Origin(Optional.empty(), 0, Optional.empty()),
              time,
              measured.meters));

  /** Owners that wait, addresses in quarantine, and those on offer that are not taken. */
  private List<Integer> counts() {
    return Stream.of(
            Metric.AGENT_PENDING, Metric.AGENT_QUARANTINED, Metric.AGENT_OFFERED_NOT_TAKEN_IPS)
        .map(each -> (int) measured.value(each, "mars", "ipv4"))
        .toList();
  }

  @Test
  @DisplayName("A82 Free addresses in quarantine, and owners that wait for one, are counted")
  void counted() {
    node.restored().offers("mars", "10.0.0.0/28", "10.0.1.0/28").writes();
    assertThat(node.allocated("mars")).hasSize(1);
    assertThat(counts()).containsExactly(0, 0, 0);
    for (int i = 0; i < 14; i++) {
      node.take("mars", "pod-" + i);
    }
    denied(node.next(IpFamily.IPV4, "mars", "waits"));
    node.offers("mars", "10.0.0.0/28", "10.0.1.0/28").pass(Duration.ZERO);
    assertThat(quarantinedBlocks()).isEqualTo(1);
    assertThat(counts()).containsExactly(1, 14, 0);
  }

  private long quarantinedBlocks() {
    FamilyPool mars = Objects.requireNonNull(node.pools.find(MARS, IpFamily.IPV4), "mars");
    return mars.ranges().states().entries().stream()
        .filter(each -> each.phase() == CidrEntry.Phase.QUARANTINED)
        .count();
  }

  @Test
  @DisplayName("A79 Addresses that are not handed out are counted, and so is what that leads to")
  void rebuilt() {
    node.restored().offers("mars", "10.0.0.0/29");
    FamilyPool mars = Objects.requireNonNull(node.pools.find(MARS, IpFamily.IPV4), "mars");
    assertThat(mars.nextLookNanos()).isEmpty();
    assertThat(mars.ranges().take(0)).isTrue();
    node.pass(Duration.ZERO);
    assertThat(counts()).containsExactly(0, 0, 1);
    assertThat(mars.nextLookNanos()).hasValue(Duration.ofMinutes(1).toNanos());
    assertThat(mars.unexplained()).isEqualTo(1);
    node.pass(Duration.ofMinutes(1));
    assertThat(measured.value(Metric.AGENT_OFFER_REBUILT)).isEqualTo(1);
    assertThat(counts()).containsExactly(0, 0, 0);
    assertThat(mars.ranges().freeIn(Cidr.parse("10.0.0.0/29"))).isEqualTo(6);
  }
}
