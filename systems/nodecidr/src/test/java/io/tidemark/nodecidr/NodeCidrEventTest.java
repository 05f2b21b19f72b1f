package io.tidemark.nodecidr;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.NodeProblem;
import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.nodecidr.ledger.RangeUsage;
import io.tidemark.nodecidr.ledger.ReserveOutcome;
import io.tidemark.testing.ErrorDocs;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("What an Event says about a node")
class NodeCidrEventTest {
  private static final String NODE = "n1";
  private static final RangeUsage USAGE =
      new RangeUsage(Cidr.parse("10.0.0.0/22"), 24, 4, 1, 1, 1, 1, 0);

  @ParameterizedTest
  @EnumSource
  @DisplayName("NC-AM24 begins with the reference's words, and has code and remedy")
  void everyCode(NodeCidrError code) {
    NodeCidrEvent event = NodeCidrEvent.of(NODE, new NodeProblem(code, "what was found"));
    assertThat(event.reason()).matches("(Cloud)?CIDR[A-Za-z]+");
    assertThat(event.text())
        .isEqualTo(
            "Node n1 status is now: %s. %s %s: what was found. %s"
                .formatted(event.reason(), code.label(), code.name(), code.remedy()));
  }

  @DisplayName("NC-AM24 has the reference's reason where it has one")
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "CIDR_EXHAUSTED, CIDRNotAvailable",
    "CIDR_WITHHELD, CIDRNotAvailable",
    "CLOUD_RANGE_MISSING, CIDRNotAvailable",
    "CIDR_WRITE_FAILED, CIDRAssignmentFailed",
    "CIDR_FORBIDDEN, CIDRAssignmentFailed",
    "CIDR_MODE, CloudCIDRAllocatorInvalidMode",
    "CIDR_CONFLICT, CIDRConflict",
  })
  void reason(NodeCidrError code, String reason) {
    assertThat(NodeCidrEvent.of(NODE, new NodeProblem(code, "x")).reason()).isEqualTo(reason);
  }

  @Test
  @DisplayName("NC-AM24 tells the numbers of the ranges that lack blocks, or what is waited for")
  void numbers() {
    assertThat(text(new ReserveOutcome.Exhausted(List.of(USAGE, USAGE))))
        .startsWith(
            "Node n1 status is now: CIDRNotAvailable. TM-1401 CIDR_EXHAUSTED: 10.0.0.0/22 has 4"
                + " blocks of /24: 2 used, 1 excluded, 1 cooling, 0 free; 10.0.0.0/22 has 4 blocks");
    assertThat(text(new ReserveOutcome.Withheld(List.of(USAGE))))
        .contains("TM-1410 CIDR_WITHHELD: 10.0.0.0/22 has 4 blocks of /24: 2 used");
    assertThat(text(new ReserveOutcome.Withheld(List.of())))
        .contains("TM-1410 CIDR_WITHHELD: requests of a former leader may still have an effect.");
    NodeProblem finding = new NodeProblem(NodeCidrError.CIDR_FOREIGN, "10.0.0.0/24", "found");
    assertThat(NodeCidrEvent.of(NODE, finding).text())
        .contains("TM-1404 CIDR_FOREIGN: found. Configure");
  }

  private static String text(ReserveOutcome outcome) {
    return NodeCidrEvent.of(NODE, outcome.shortage().orElseThrow()).text();
  }

  @Test
  @DisplayName("docs/errors.md lists every code of node CIDRs as it is")
  void documented() {
    ErrorDocs.assertListed(1400, 1499, List.of(NodeCidrError.class));
    ErrorDocs.assertSound(List.of(NodeCidrError.class));
  }
}
