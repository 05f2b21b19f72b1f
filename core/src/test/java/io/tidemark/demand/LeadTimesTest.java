package io.tidemark.demand;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LeadTimesTest {
  private final LeadTimes times = new LeadTimes();

  private void ended(int count, int seconds) {
    for (int i = 0; i < count; i++) {
      times.ended(GrowthKind.ADDRESSES, Duration.ofSeconds(seconds).toNanos());
    }
  }

  @Test
  @DisplayName("Until one was measured, a step takes its usual time; each has its own")
  void usual() {
    ended(50, 3);

    assertEquals(Duration.ofSeconds(10), times.of(GrowthKind.INTERFACE));
    assertEquals(Duration.ofSeconds(1), times.of(GrowthKind.BLOCKS));
    assertEquals(3, times.of(GrowthKind.ADDRESSES).toMillis() / 1000.0, 0.01);
  }

  @Test
  @DisplayName("The first measured step may take twice as long the next time")
  void first() {
    ended(1, 3);

    assertEquals(Duration.ofSeconds(6), times.of(GrowthKind.ADDRESSES));
  }

  @Test
  @DisplayName("Throttling raises the lead time within three steps, and its end lowers it slowly")
  void throttled() {
    ended(50, 1);
    ended(3, 30);
    assertTrue(times.of(GrowthKind.ADDRESSES).toSeconds() >= 30);

    ended(5, 1);
    assertTrue(times.of(GrowthKind.ADDRESSES).toSeconds() >= 20);
    ended(60, 1);
    assertTrue(times.of(GrowthKind.ADDRESSES).toSeconds() <= 2);
  }
}
