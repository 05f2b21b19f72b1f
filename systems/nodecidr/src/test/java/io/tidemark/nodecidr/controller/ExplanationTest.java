package io.tidemark.nodecidr.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.controller.CidrNodeReport.Matter;
import io.tidemark.nodecidr.controller.CidrNodeReport.State;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.nodecidr.ledger.NodeOwner;
import io.tidemark.nodecidr.ledger.RangeUsage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The explanation of a node")
class ExplanationTest {
  private static final Cidr CIDR = Cidr.parse("10.0.0.0/24");
  private static final RangeUsage FULL =
      new RangeUsage(Cidr.parse("10.0.0.0/24"), 24, 1, 0, 1, 0, 0, 0);

  @DisplayName("counts the use of the ranges, which takes long, only for a node that has no CIDRs")
  @ParameterizedTest(name = "{0}")
  @EnumSource(State.class)
  void counts(State state) {
    List<String> counted = new ArrayList<>();
    boolean parked = state == State.PARKED;
    CidrNodeReport report =
        new CidrNodeReport(
            new NodeOwner("n", "u"),
            parked ? List.of() : List.of(CIDR),
            state,
            parked ? List.of(new Matter(NodeCidrError.CIDR_EXHAUSTED, "none is free")) : List.of(),
            0,
            0);

    CidrExplanation explanation =
        CidrExplanation.of(
            report,
            () -> {
              counted.add("once");
              return List.of(FULL);
            },
            0);

    assertThat(counted).hasSize(parked ? 1 : 0);
    assertThat(explanation.lines()).hasSize(parked ? 3 : 1);
    if (parked) {
      assertThat(explanation.lines().get(2)).isEqualTo(FULL + ".");
    } else {
      assertThat(explanation.lines().get(0)).contains(CIDR.toString());
    }
  }
}
