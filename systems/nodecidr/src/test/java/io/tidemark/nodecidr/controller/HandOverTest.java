package io.tidemark.nodecidr.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.ledger.CidrLedger;
import io.tidemark.nodecidr.ledger.ClusterCidrs;
import io.tidemark.nodecidr.ledger.CooledNode;
import io.tidemark.nodecidr.ledger.NodeOwner;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The note that a leader leaves for the next one")
class HandOverTest {
  private static final Cidr RANGE = Cidr.parse("10.0.0.0/8");
  private static final ClusterCidrs CIDRS = ClusterCidrs.of(RANGE, 24);

  private static HandOver written(HandOver note) {
    return HandOver.parse(note.text()).orElseThrow();
  }

  @Test
  @DisplayName("NC-AM18 is read as it was written")
  void same() {
    HandOver works = HandOver.working(CIDRS, Map.of(RANGE, 4096L));
    assertThat(written(works)).isEqualTo(works);
    assertThat(written(works).positions(CIDRS)).isEqualTo(Map.of(RANGE, 4096L));
    assertThat(written(works).positions(ClusterCidrs.of(RANGE, 25))).isEmpty();
    HandOver ended =
        new HandOver(
            true,
            List.of(new HandOver.Position(RANGE, 24, 7)),
            List.of(
                new CooledNode(
                    new NodeOwner("n1", "uid-1"),
                    List.of(Cidr.parse("10.0.3.0/24"), Cidr.parse("fd00::/64")),
                    Duration.ofMillis(12_300))));
    HandOver read = written(ended);
    assertThat(read.ranges()).isEqualTo(ended.ranges());
    assertThat(read.cooling().get(0).cidrs()).isEqualTo(ended.cooling().get(0).cidrs());
    assertThat(read.cooling().get(0).left()).as("rounded up").isEqualTo(Duration.ofSeconds(13));
  }

  @Test
  @DisplayName("NC-AM18 names up to 512 nodes whose blocks cool; with more, there is none")
  void cooling() {
    CidrLedger ledger = new CidrLedger(CIDRS, Duration.ofSeconds(60));
    for (int i = 0; i < 512; i++) {
      cool(ledger, i);
    }
    assertThat(HandOver.ended(ledger, 0).map(it -> it.cooling().size()))
        .isEqualTo(Optional.of(512));
    assertThat(HandOver.ended(ledger, 0).orElseThrow().text()).hasSizeLessThan(80_000);
    cool(ledger, 512);
    assertThat(HandOver.ended(ledger, 0)).isEmpty();
  }

  private static void cool(CidrLedger ledger, int number) {
    NodeOwner owner =
        new NodeOwner("ip-10-0-0-" + number + ".eu-central-1.compute.internal", "uid-" + number);
    assertThat(ledger.claim(owner, List.of(RANGE.subnet(24, number)))).isEmpty();
    ledger.absent(owner, 0);
  }
}
