package io.tidemark.agent.multipool;

import static io.tidemark.agent.TestNode.denied;
import static io.tidemark.agent.TestNode.granted;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.AgentError;
import io.tidemark.agent.Denial;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.PoolSnapshot.Held;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Addresses on offer that are not handed out")
class OfferCheckTest {
  private static final PoolName MARS = new PoolName("mars");

  private final TestPools node =
      TestPools.of(Set.of(IpFamily.IPV4), Map.of("mars", 8))
          .restored()
          .offers("mars", "10.0.0.0/29", "10.0.1.1/32");

  @Test
  @DisplayName(
      "A79 An address that is taken and that nobody has is found, and given out after a minute")
  void leak() {
    granted(node.take("mars", "10.0.0.1", "pod"));
    node.ipam.exclude(Cidr.parse("10.0.0.2/32"), "node-ip", MARS);
    leak("10.0.0.3", "10.0.0.4", "10.0.0.5", "10.0.0.6", "10.0.1.1");
    assertThat(denied(node.next(IpFamily.IPV4, "mars", "next")).code())
        .isEqualTo(AgentError.EXHAUSTED);
    node.pass(Duration.ZERO);
    assertThat(mars().unexplained()).isEqualTo(5);
    assertThat(node.pools.cidrs())
        .contains(
            new PoolCidr(
                MARS,
                Cidr.parse("10.0.0.0/29"),
                PoolCidr.State.NOT_TAKEN,
                "nothing speaks against 4 addresses that are not handed out"));
    assertThat(node.pools.nextLookNanos()).hasValue(Duration.ofMinutes(1).toNanos());

    node.pass(Duration.ofSeconds(59));
    assertThat(mars().rebuilds()).isZero();
    node.pass(Duration.ofSeconds(1));
    assertThat(mars().rebuilds()).isEqualTo(1);
    assertThat(mars().unexplained()).isZero();
    assertThat(denied(node.take("mars", "10.0.0.1", "other")))
        .isEqualTo(Denial.alreadyAllocated(ip("10.0.0.1"), "pod"));
    assertThat(denied(node.take("mars", "10.0.0.2", "other")).code())
        .isEqualTo(AgentError.EXCLUDED);
    granted(node.take("mars", "10.0.1.1", "other"));
    for (int i = 3; i <= 6; i++) {
      granted(node.next(IpFamily.IPV4, "mars", "pod-" + i));
    }
    denied(node.next(IpFamily.IPV4, "mars", "last"));
  }

  @Test
  @DisplayName("A79 What comes right within the minute is not rebuilt")
  void passing() {
    leak("10.0.1.1");
    node.pass(Duration.ZERO).pass(Duration.ofSeconds(59));
    change(ranges -> ranges.free(ranges.position(ip("10.0.1.1"))));
    node.pass(Duration.ofSeconds(1));
    leak("10.0.1.1");
    node.pass(Duration.ZERO).pass(Duration.ofSeconds(59));
    assertThat(mars().rebuilds()).isZero();
  }

  @Test
  @DisplayName("A79 A block that is in none of the states is found with all its addresses")
  void missing() {
    OfferedCidrs offer =
        RangeSource.ALLOCATED
            .offers(node.object)
            .getOrDefault(MARS, OfferedCidrs.none())
            .in(IpFamily.IPV4);
    RangeAllocator none = RangeAllocator.empty(MARS, IpFamily.IPV4, 0, CidrStates.EMPTY);
    assertThat(OfferCheck.unexplained(offer, none, ip -> null))
        .isEqualTo(Map.of(Cidr.parse("10.0.0.0/29"), 6, Cidr.parse("10.0.1.1/32"), 1));
  }

  @Test
  @DisplayName("A79 A block that is not offered again, in use or not, is no reason")
  void explained() {
    granted(node.take("mars", "10.0.0.1", "pod"));
    OfferedCidrs none = OfferedCidrs.none();
    assertThat(OfferCheck.unexplained(none, mars().ranges(), ip -> Held.IN_USE)).isEmpty();
    assertThat(OfferCheck.unexplained(none, mars().ranges(), ip -> null))
        .isEqualTo(Map.of(Cidr.parse("10.0.0.0/29"), 1));
  }

  /** Takes addresses as a fault of the agent would. */
  private void leak(String... addresses) {
    for (String each : addresses) {
      change(ranges -> assertThat(ranges.take(ranges.position(ip(each)))).isTrue());
    }
  }

  private void change(Consumer<RangeAllocator> fault) {
    fault.accept(mars().ranges());
  }

  private FamilyPool mars() {
    return Objects.requireNonNull(node.pools.find(MARS, IpFamily.IPV4), "mars");
  }

  private static IpAddress ip(String address) {
    return IpAddress.parse(address);
  }
}
