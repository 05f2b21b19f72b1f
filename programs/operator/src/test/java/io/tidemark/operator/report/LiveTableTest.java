package io.tidemark.operator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.node.NodeReport;
import io.tidemark.node.NodeState;
import io.tidemark.operator.view.EngineView;
import io.tidemark.program.console.ScreenSize;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The live table of nodes")
class LiveTableTest {
  private static NodeRow ok(String name) {
    return EngineView.row(
        new NodeReport(
            name,
            8,
            0,
            0,
            0,
            0,
            1,
            20,
            OptionalInt.empty(),
            "",
            false,
            NodeState.OK,
            Optional.empty(),
            true));
  }

  private static NodeRow stuck(String name) {
    Blocked why = new Blocked(BlockedReason.OUT_OF_INTERFACES, "2 addresses missing");
    return EngineView.row(
        new NodeReport(
            name,
            8,
            8,
            2,
            0,
            0,
            3,
            20,
            OptionalInt.of(22),
            "",
            false,
            NodeState.BLOCKED,
            Optional.of(why),
            true));
  }

  @Test
  @DisplayName(
      "shows sums, then used, available, needed, excess, interfaces and state of each node")
  void fits() {
    assertThat(LiveTable.lines(List.of(ok("a"), stuck("b")), "addresses", 7, 1, ScreenSize.USUAL))
        .containsExactly(
            "2 nodes: 1 ok, 1 waiting with a reason; 2 addresses missing; 7 calls; 1 problems in"
                .concat(" files")
                .substring(0, 79),
            "NODE  USED  AVAILABLE  NEEDED  EXCESS  INTERFACES  STATE    REASON",
            "a        0          8       0       0           1  ok       -",
            "b        8          8       2       0           3  blocked  TM-1201");
  }

  @Test
  @DisplayName("CO-3 says what a start waits for, as long as there are no nodes")
  void starting() {
    assertThat(LiveTable.starting(List.of("a.yaml was changed only just now"), ScreenSize.USUAL))
        .containsExactly("starting: a.yaml was changed only just now");
  }

  @Test
  @DisplayName("shows nodes with work or trouble first when the screen has no room for all")
  void doesNotFit() {
    List<NodeRow> nodes = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      nodes.add(ok("node-" + i));
    }
    nodes.add(stuck("trouble"));

    List<String> lines = LiveTable.lines(nodes, "addresses", 0, 0, new ScreenSize(10, 100));

    assertThat(lines).hasSizeLessThan(10);
    assertThat(lines.get(2)).startsWith("trouble ");
    assertThat(lines).last().isEqualTo("and 35 more");
  }

  @Test
  @DisplayName("never breaks a line")
  void narrow() {
    assertThat(
            LiveTable.lines(
                List.of(ok("a-node-with-a-long-name")), "addresses", 0, 0, new ScreenSize(9, 20)))
        .allSatisfy(line -> assertThat(line).hasSizeLessThan(20));
  }
}
