package io.tidemark.program.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A table for people")
class TextTableTest {
  @Test
  @DisplayName("aligns text to the left and numbers to the right, without trailing blanks")
  void alignment() {
    TextTable table = new TextTable("NODE", "USED", "STATE");
    table.row("worker-a", 5, "ok").row("w", 120, "blocked");

    assertThat(table.text())
        .isEqualTo(
            """
            NODE      USED  STATE
            worker-a     5  ok
            w          120  blocked
            """);
  }

  @Test
  @DisplayName("keeps a column to the left as soon as one cell is no number")
  void mixedColumn() {
    assertThat(new TextTable("A", "B").row("1", "1").row("12", "-").lines())
        .containsExactly(" A  B", " 1  1", "12  -");
  }

  @Test
  @DisplayName("refuses a row of another width")
  void width() {
    TextTable table = new TextTable("A", "B");
    assertThatThrownBy(() -> table.row("1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("1 cells for 2 columns");
  }
}
