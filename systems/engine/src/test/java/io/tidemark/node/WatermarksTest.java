package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.demand.DemandWatermarks;
import io.tidemark.demand.DemandWatermarks.Basis;
import io.tidemark.resource.IpamSpec;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Watermarks (node-manager 2)")
class WatermarksTest {

  @DisplayName("C-1 needed table")
  @ParameterizedTest(name = "a={0} u={1} p={2} m={3} M={4} -> {5}")
  @CsvSource({
    "0, 0, 0, 16, 0, 16",
    "0, 0, 8, 16, 0, 16",
    "0, 0, 16, 8, 0, 16",
    "0, 0, 16, 0, 0, 16",
    "8, 0, 0, 16, 0, 8",
    "8, 4, 8, 0, 0, 4",
    "8, 4, 8, 8, 0, 4",
    "8, 4, 8, 8, 6, 0",
    "8, 4, 8, 0, 8, 0",
    "4, 4, 8, 0, 8, 4",
  })
  void needed(int a, int u, int p, int m, int max, int expected) {
    assertEquals(expected, marks(p, m, max, 0).needed(a, u));
  }

  @DisplayName("C-2 excess table")
  @ParameterizedTest(name = "a={0} u={1} p={2} m={3} w={4} -> {5}")
  @CsvSource({
    "0, 0, 0, 16, 0, 0",
    "15, 0, 8, 16, 8, 0",
    "17, 0, 8, 16, 0, 1",
    "20, 0, 8, 16, 4, 0",
    "21, 0, 8, 0, 4, 9",
    "20, 0, 8, 20, 8, 0",
    "16, 1, 8, 16, 8, 0",
    "20, 4, 8, 17, 8, 0",
    "20, 4, 8, 0, 0, 8",
    "20, 4, 8, 0, 8, 0",
    // negative marks count as they stand (N2)
    "6, 4, -1, 4, 0, 2",
    "2, 0, 3, 5, -3, 0",
  })
  void excess(int a, int u, int p, int m, int w, int expected) {
    assertEquals(expected, marks(p, m, 0, w).excess(a, u));
  }

  @DisplayName("Worked numbers of section 2.6")
  @ParameterizedTest(name = "row {0}: {9}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # row | a | u | p | m | M | w | needed | excess | because
          1  |  0 |  0 |  8 |  0 |  0 | 0 |  8 |  0 | bootstrap
          2  |  8 |  7 |  8 |  0 |  0 | 0 |  7 |  0 | to 15 attached
          3  | 10 |  8 |  8 | 20 |  0 | 0 | 10 |  0 | min wins over pre
          4  | 19 | 19 |  4 | 15 |  0 | 4 |  4 |  0 | the pass asks for 8
          5  | 27 | 10 |  4 | 15 |  0 | 4 |  0 |  8 | middle branch
          6  | 61 | 29 | 20 | 60 |  0 | 0 |  0 |  1 | the floor holds
          7  | 16 | 14 |  8 |  0 | 18 | 0 |  2 |  0 | clipped by max-allocate
          8  | 20 | 18 |  8 |  0 | 18 | 0 |  0 |  0 | above max-allocate
          9  | 16 | 12 |  8 |  0 |  0 | 0 |  4 |  0 | one block covers it
          10 | 16 |  7 |  8 |  0 |  0 | 0 |  0 |  1 | plain use
          11 | 30 |  6 |  8 | 10 |  0 | 4 |  0 | 16 | the target is the floor
          12 | 30 |  7 |  8 | 10 |  0 | 4 |  0 | 11 | one more pod moves it by five
          13 | 20 |  0 |  8 | 20 | 42 | 0 |  0 |  0 | below the instance ceiling
          14 | 20 | 40 |  8 | 20 | 42 | 0 | 22 |  0 | more used than attached
          """)
  void worked(
      int row, int a, int u, int p, int m, int max, int w, int needed, int excess, String because) {
    Watermarks marks = marks(p, m, max, w);
    assertEquals(needed, marks.needed(a, u), because);
    assertEquals(excess, marks.excess(a, u), because);
  }

  @DisplayName("NM-M1 what a pass asks for never passes max-allocate")
  @ParameterizedTest(name = "M={0} a={1} needed={2} w={3} pending={4} -> wants {5}, room {6}")
  @CsvSource({
    "18, 15, 3, 4, 6, 10, 3",
    "18, 18, 0, 4, 0, 4, 0",
    "18, 20, 0, 0, 0, 0, 0",
    "0, 15, 3, 4, 6, 10, -1",
    "0, 8, 7, 0, 3, 7, -1",
    "0, 8, 1, 0, 3, 3, -1",
  })
  void asksWithinTheCeiling(int max, int a, int needed, int w, int pending, int wants, int room) {
    Watermarks marks = marks(8, 0, max, w);
    assertEquals(wants, marks.wanted(a, 0, needed, pending));
    assertEquals(room < 0 ? OptionalInt.empty() : OptionalInt.of(room), marks.room(a));
  }

  @DisplayName("D-12 hysteresis keeps max(m + w, u + p + w)")
  @ParameterizedTest(name = "a={0} u={1} -> {2}")
  @CsvSource({
    "30, 6, 12",
    "30, 7, 11",
    "14, 6, 0",
    "19, 7, 0",
    "19, 6, 1",
    "30, 0, 16",
    "15, 0, 1",
    "14, 0, 0"
  })
  void hysteresis(int a, int u, int expected) {
    assertEquals(expected, marks(8, 10, 0, 4).excessWithHysteresis(a, u));
  }

  @DisplayName("What the ceiling forbids of what is missing")
  @ParameterizedTest(name = "a={0} u={1} M={2} -> {3}")
  @CsvSource({"8, 7, 0, 0", "8, 7, 10, 5", "8, 7, 15, 0", "8, 7, 14, 1", "8, 0, 4, 0"})
  void heldBack(int a, int u, int max, int expected) {
    assertEquals(expected, marks(8, 0, max, 0).heldBack(a, u));
  }

  @DisplayName("Absurd numbers saturate and never overflow")
  @ParameterizedTest(name = "p={0} m={1} a={2} u={3}")
  @CsvSource({
    "2147483647, 2147483647, 0, 2147483647",
    "-2147483648, 0, 2147483647, 0",
    "2147483647, 0, -2147483648, 2147483647"
  })
  void saturates(int p, int m, int a, int u) {
    Watermarks marks = marks(p, m, 0, Integer.MAX_VALUE);
    assertThat(marks.needed(a, u)).as("needed").isNotNegative();
    assertThat(marks.excess(a, u)).as("excess").isNotNegative();
    assertThat(marks.wanted(a, u, marks.needed(a, u), Integer.MAX_VALUE))
        .as("wanted")
        .isNotNegative();
  }

  /** As the reference's tables: 0 stands for no ceiling; p is taken as it is. */
  private static Watermarks marks(int p, int m, int max, int w) {
    return new Watermarks(p, m, max == 0 ? OptionalInt.empty() : OptionalInt.of(max), w);
  }

  @DisplayName("D-25/D-26 By demand (3, 6, 10) a node still has what its agent starts with")
  @ParameterizedTest(name = "a={0} u={1} m={2} M={3} w={4} -> {5}, {6}, {7}, {8}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # a | u | m | M | w | needed | wanted | excess | with hysteresis
          0  |  0 |  0 |  0 | 0 |  8 |  8 |  0 |  0
          0  |  0 |  0 |  0 | 4 |  8 | 12 |  0 |  0
          7  |  3 |  0 |  0 | 0 |  1 |  2 |  0 |  0
          7  |  5 |  0 |  0 | 0 |  1 |  4 |  0 |  0
          8  |  0 |  0 |  0 | 0 |  0 |  0 |  0 |  0
          10 |  8 |  0 |  0 | 0 |  1 |  4 |  0 |  0
          10 |  8 |  0 |  0 | 4 |  1 |  8 |  0 |  0
          10 |  8 | 20 |  0 | 0 | 10 | 10 |  0 |  0
          10 |  8 |  0 | 10 | 0 |  0 |  0 |  0 |  0
          5  |  0 |  4 |  0 | 0 |  0 |  0 |  0 |  0
          30 | 10 |  0 |  0 | 0 |  0 |  0 | 10 | 10
          30 |  0 |  4 |  0 | 0 |  0 |  0 | 20 | 20
          30 | 10 |  0 |  0 | 4 |  0 |  0 |  6 |  6
          30 |  3 |  0 |  0 | 0 |  0 |  0 | 17 | 17
          30 |  3 | 20 |  0 | 0 |  0 |  0 | 10 | 10
          30 |  3 | 12 |  0 | 4 |  0 |  0 | 14 | 13
          """)
  void following(
      int a, int u, int m, int max, int w, int needed, int wanted, int excess, int hysteresis) {
    Watermarks marks =
        marks(8, m, max, w).following(new DemandWatermarks(3, 6, 10, Duration.ZERO, Basis.GROWTH));
    assertEquals(needed, marks.needed(a, u));
    assertEquals(wanted, needed == 0 ? 0 : marks.wanted(a, u, needed, 0));
    assertEquals(excess, marks.excess(a, u));
    assertEquals(hysteresis, marks.excessWithHysteresis(a, u));
  }

  @DisplayName("Effective parameters (2.1): 0 is read as 8, max-allocate beats the instance")
  @ParameterizedTest(name = "pre={0} max={1} instance={2} -> p={3} M={4}")
  @CsvSource({"0, 0, 27, 8, 27", "4, 18, 27, 4, 18", "-1, 0, -1, -1, -1", "0, 40, 27, 8, 40"})
  void effective(int pre, int max, int instance, int p, int ceiling) {
    OptionalInt limit = instance < 0 ? OptionalInt.empty() : OptionalInt.of(instance);
    Watermarks marks = Watermarks.of(IpamSpec.of(pre, 0, max, 0), limit);
    assertEquals(p, marks.preAllocate());
    assertEquals(ceiling < 0 ? OptionalInt.empty() : OptionalInt.of(ceiling), marks.ceiling());
  }
}
