package io.tidemark.nodecidr.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.ledger.LedgerRange.Giving;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("How far into a range blocks may be given out")
class LedgerRangeTest {
  /** 64 blocks, of which 4 are published ahead. */
  private final BlockSpace space = BlockSpace.of(Cidr.parse("10.0.0.0/18"), 24, List.of());

  private final LedgerRange frontier = new LedgerRange(space);

  private void give(int blocks) {
    for (int i = 0; i < blocks; i++) {
      assertThat(frontier.giving()).isEqualTo(Giving.YES);
      frontier.reached(space.endIndex(space.allocateNext().orElseThrow()));
    }
  }

  private void publish() {
    frontier.published(frontier.due().orElseThrow());
  }

  @Test
  @DisplayName("NC-AM18 at the end of the range the round is over, and everything may follow")
  void end() {
    frontier.require();
    frontier.reached(60);
    publish();
    assertThat(frontier.position()).isEqualTo(64);
    give(64);
    assertThat(frontier.due()).isEmpty();
  }

  @Test
  @DisplayName("NC-AM18 taken blocks ahead are passed over, and so is the position")
  void taken() {
    assertThat(space.occupy(Cidr.parse("10.0.0.0/20"))).isEqualTo(16);
    frontier.require();
    publish();
    assertThat(frontier.position()).isEqualTo(20);
    give(4);
  }

  @Test
  @DisplayName("NC-AM18 of a range without an end, 4096 blocks ahead")
  void sparse() {
    BlockSpace large = BlockSpace.of(Cidr.parse("fd00::/8"), 64, List.of());
    LedgerRange ahead = new LedgerRange(large);
    ahead.require();
    assertThat(ahead.due()).isEqualTo(OptionalLong.of(4096));
  }
}
