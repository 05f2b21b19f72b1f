package io.tidemark.demand;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.demand.DemandWatermarks.Basis;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemandWatermarksTest {
  /** The growth in 4, 16, 32, 64, 128, 512 and 2048 seconds. */
  private static final double[] GROWTH = {2, 4, 6, 8, 12, 20, 44};

  @ParameterizedTest(name = "lead time {0} s, new node needs {1}: {2}")
  @CsvSource(
      textBlock =
          """
          1,    0,   2 12 44 GROWTH
          16,   0,   4 12 44 GROWTH
          17,   0,   5 12 44 GROWTH
          24,   0,   5 12 44 GROWTH
          48,   0,   7 12 44 GROWTH
          128,  0,  12 15 44 GROWTH
          512,  0,  20 28 44 GROWTH
          2048, 0,  44 48 48 GROWTH
          8192, 0,  48 48 48 SPARE_MAX
          16,   9,   9 12 44 NEW_NODE
          16,   4,   4 12 44 NEW_NODE
          16,  45,  45 45 45 NEW_NODE
          16,  80,  48 48 48 SPARE_MAX
          """)
  @DisplayName(
      "D-26 Below the growth of one lead time a node asks, for that of the next; above that of half"
          + " an hour it gives back")
  void watermarks(int leadSeconds, double onNew, String expected) {
    DemandWatermarks marks =
        DemandWatermarks.of(
            new GrowthForecast(GROWTH, onNew, true),
            Duration.ofSeconds(leadSeconds),
            new DemandSettings(0.999, 2, 48),
            8);

    assertEquals(
        expected, marks.low() + " " + marks.target() + " " + marks.high() + " " + marks.basis());
  }

  @Test
  @DisplayName("The text says the quantile as it is set")
  void text() {
    DemandSettings settings = new DemandSettings(0.57, 2, 48);
    DemandWatermarks marks =
        DemandWatermarks.of(
            new GrowthForecast(GROWTH, 0, true), Duration.ofSeconds(16), settings, 8);

    assertEquals("4 cover 57 % of pods in the 16 s until more can be used", marks.text(settings));
  }

  @Test
  @DisplayName("The bounds hold for each watermark, and the static number while nothing is known")
  void bounds() {
    Duration lead = Duration.ofSeconds(16);
    DemandSettings settings = new DemandSettings(0.999, 5, 10);

    assertEquals(
        new DemandWatermarks(5, 10, 10, lead, Basis.SPARE_MIN),
        DemandWatermarks.of(new GrowthForecast(GROWTH, 0, true), lead, settings, 8));
    assertEquals(
        new DemandWatermarks(8, 8, 8, lead, Basis.STATIC),
        DemandWatermarks.of(GrowthForecast.UNKNOWN, lead, settings, 8));
    assertEquals(
        new DemandWatermarks(10, 10, 10, lead, Basis.STATIC),
        DemandWatermarks.of(GrowthForecast.UNKNOWN, lead, settings, 20));
    assertEquals(
        Basis.SPARE_MAX,
        DemandWatermarks.of(new GrowthForecast(GROWTH, 0, false), lead, settings, 20).basis());
    assertEquals(
        new DemandWatermarks(8, 10, 10, lead, Basis.STATIC),
        DemandWatermarks.of(new GrowthForecast(GROWTH, 0, false), lead, settings, 8));
  }
}
