package io.tidemark.nodecidr.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.TestCidrs;
import io.tidemark.nodecidr.ledger.CidrLedger;
import io.tidemark.nodecidr.ledger.ClusterCidrs;
import io.tidemark.nodecidr.ledger.ReserveOutcome;
import io.tidemark.nodecidr.plan.CapacityPlan.FamilyCapacity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The plan of a cluster's node CIDRs")
class CapacityPlanTest {
  @DisplayName("NC-AM32 counts blocks, what is excluded, and nodes until the first family ends")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # ranges and exclusions                         | blocks, excluded, usable, addresses, first, last          | nodes | scarcest
          10.244.0.0/16,24                                | 256 0 256 256 10.244.0.0/24 10.244.255.0/24               | 256   | IPv4
          10.0.0.0/8,24 -10.96.0.0/12                     | 65536 4096 61440 256 10.0.0.0/24 10.255.255.0/24          | 61440 | IPv4
          10.0.0.0/16,24 -10.0.0.0/20 -10.0.255.9/32 -10.0.254.0/24 | 256 18 238 256 10.0.16.0/24 10.0.253.0/24 | 238 | IPv4
          10.244.0.0/16,24 fd00::/48,64                   | 256 0 256 256 10.244.0.0/24 10.244.255.0/24; 65536 0 65536 18446744073709551616 fd00::/64 fd00:0:0:ffff::/64 | 256 | IPv4
          fd00::/62,64 10.0.0.0/16,24 -fd00::/64          | 4 1 3 18446744073709551616 fd00:0:0:1::/64 fd00:0:0:3::/64; 256 0 256 256 10.0.0.0/24 10.0.255.0/24 | 3 | IPv6
          10.0.0.0/24,10.9.0.0/23,24 -10.9.1.0/24         | 3 1 2 256 10.0.0.0/24 10.9.0.0/24                         | 2     | IPv4
          2000::/10,98                                    | 309485009821345068724781056 0 309485009821345068724781056 1073741824 2000::/98 203f:ffff:ffff:ffff:ffff:ffff:c000:0/98 | 309485009821345068724781056 | IPv6
          2001:db8::/32,96 -2001:db8::/34 -fd00::/8       | 18446744073709551616 4611686018427387904 13835058055282163712 4294967296 2001:db8:4000::/96 2001:db8:ffff:ffff:ffff:ffff::/96 | 13835058055282163712 | IPv6
          10.0.0.0/24,24                                  | 1 0 1 256 10.0.0.0/24 10.0.0.0/24                         | 1     | IPv4
          10.0.0.0/30,32 -10.0.0.3/32                     | 4 1 3 1 10.0.0.0/32 10.0.0.2/32                           | 3     | IPv4
          """)
  void plan(String ranges, String families, String nodes, String scarcest) {
    CapacityPlan plan = CapacityPlan.of(TestCidrs.of(ranges), OptionalLong.empty());
    assertThat(plan.families().stream().map(CapacityPlanTest::line))
        .containsExactly(families.split("; "));
    assertThat(plan.nodes()).hasToString(nodes);
    assertThat(plan.scarcest().family()).hasToString(scarcest);
    assertThat(plan.lacking()).isEmpty();
  }

  private static String line(FamilyCapacity family) {
    String counts = family.blocks() + " " + family.excluded() + " " + family.usable();
    return counts + " " + family.addressesPerNode() + " " + family.first() + " " + family.last();
  }

  @Test
  @DisplayName("NC-AM32 says how many of the planned nodes stay without CIDRs")
  void lacking() {
    ClusterCidrs cidrs = TestCidrs.of("10.244.0.0/16,24");
    assertThat(CapacityPlan.of(cidrs, OptionalLong.of(256)).lacking()).isEmpty();
    assertThat(CapacityPlan.of(cidrs, OptionalLong.of(300)).lacking())
        .hasValueSatisfying(missing -> assertThat(missing).hasToString("44"));
  }

  @Test
  @DisplayName("NC-AM32 agrees with a ledger that is filled to its end")
  void likeLedger() {
    for (long seed = 1; seed <= 50; seed++) {
      Random random = new Random(seed * 0x9E3779B97F4A7C15L);
      Cidr range = Cidr.parse("10.0.0.0/24");
      StringBuilder text = new StringBuilder("10.0.0.0/24,28");
      random
          .ints(random.nextInt(5), 0, 256)
          .mapToObj(host -> Cidr.containing(range.address(host), 25 + random.nextInt(8)))
          .forEach(excluded -> text.append(" -").append(excluded));
      ClusterCidrs cidrs = TestCidrs.of(text.toString());
      CidrLedger ledger = new CidrLedger(cidrs, Duration.ZERO);
      List<Cidr> blocks = new ArrayList<>();
      while (ledger.reserve(TestCidrs.named("n" + blocks.size()), 0)
          instanceof ReserveOutcome.Reserved reserved) {
        blocks.addAll(reserved.reservation().blocks());
      }
      if (blocks.isEmpty()) {
        assertThatThrownBy(() -> CapacityPlan.of(cidrs, OptionalLong.empty()))
            .hasMessage("exclusions leave nothing of 10.0.0.0/24");
      } else {
        FamilyCapacity family = CapacityPlan.of(cidrs, OptionalLong.empty()).families().get(0);
        assertThat(family.usable()).as("seed %d", seed).hasToString("" + blocks.size());
        assertThat(family.first()).isEqualTo(blocks.get(0));
        assertThat(family.last()).as("seed %d", seed).isEqualTo(blocks.get(blocks.size() - 1));
      }
    }
  }
}
