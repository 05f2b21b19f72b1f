package io.tidemark.operator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.node.NodeReport;
import io.tidemark.node.NodeState;
import io.tidemark.operator.view.EngineView;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Every reason why a node waits")
class BlockedReasonsTest {
  @ParameterizedTest
  @EnumSource(BlockedReason.class)
  @DisplayName("asks for attention, and stands in the report with numbers, code and remedy")
  void reported(BlockedReason reason) {
    NodeReport node =
        new NodeReport(
            "worker-a",
            3,
            2,
            0,
            0,
            0,
            0,
            0,
            OptionalInt.empty(),
            "",
            false,
            NodeState.BLOCKED,
            Optional.of(new Blocked(reason, "the offending value")),
            true);
    RunReport report = new RunReport(List.of(EngineView.row(node)), new TreeMap<>(), List.of());

    assertThat(report.needsAttention()).isTrue();
    assertThat(ReportText.print(report))
        .containsPattern("worker-a +2 +3 +0 .* " + reason.label() + "\\n")
        .contains("worker-a: " + reason.label() + " " + reason + ": the offending value. ")
        .contains(reason.remedy());
  }
}
