package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("How long operations usually take (provider-azure Z8)")
class OperationTimesTest {
  private static final Duration PAUSE = Duration.ofSeconds(5);
  private final OperationTimes times = new OperationTimes(Duration.ofSeconds(10));

  private void goesOn(int atSeconds) {
    times.begin().goesOn(Duration.ofSeconds(atSeconds), PAUSE);
  }

  @Test
  @DisplayName("is what it began with until a poll said something")
  void start() {
    times.begin();
    assertThat(times.usual()).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  @DisplayName("is longer as soon as one is seen to go on, so that the others wait")
  void longer() {
    goesOn(10);
    assertThat(times.usual()).isEqualTo(Duration.ofMillis(12_500));
  }

  @Test
  @DisplayName("follows each operation to its end, as one of the last fifteen")
  void toItsEnd() {
    OperationTimes.Run slow = times.begin();
    for (int seconds = 10; seconds < 600; seconds += 5) {
      slow.goesOn(Duration.ofSeconds(seconds), PAUSE);
    }
    slow.ended();
    goesOn(18);
    goesOn(18);
    assertThat(times.usual()).isEqualTo(Duration.ofMillis(20_500));
  }

  @Test
  @DisplayName("is found, and kept, from operations that all take as long")
  void converges() {
    Duration takes = Duration.ofSeconds(20);
    int polls = 0;
    int rounds = 1_000;
    for (int i = 0; i < rounds; i++) {
      OperationTimes.Run run = times.begin();
      Duration at = times.usual();
      polls++;
      while (at.compareTo(takes) < 0) {
        run.goesOn(at, PAUSE);
        at = at.plus(PAUSE);
        polls++;
      }
      run.ended();
    }
    assertThat((double) polls / rounds).isLessThan(1.15);
    assertThat(times.usual()).isBetween(Duration.ofSeconds(19), Duration.ofSeconds(23));
  }

  @Test
  @DisplayName("does not grow because polls wait for their tokens")
  void lateFirstPolls() {
    goesOn(18);
    for (int i = 0; i < 30; i++) {
      times.begin().ended();
    }
    assertThat(times.usual()).isBetween(Duration.ofSeconds(15), Duration.ofMillis(20_500));
  }
}
