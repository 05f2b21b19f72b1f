package io.tidemark.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A45 Whether an operator adds no more addresses")
class SettlingTest {
  @Test
  @DisplayName("shows when none came or went for twenty seconds")
  void settled() {
    Settling settling = new Settling(Duration.ofMinutes(1));
    assertThat(settling.isSettled(0, 0)).isFalse();
    assertThat(settling.isSettled(2, 5_000)).isFalse();
    assertThat(settling.isSettled(2, 24_999)).isFalse();
    assertThat(settling.isSettled(3, 25_000)).as("one came").isFalse();
    assertThat(settling.isSettled(2, 30_000)).as("one went").isFalse();
    assertThat(settling.isSettled(2, 49_999)).isFalse();
    assertThat(settling.isSettled(2, 50_000)).isTrue();
    assertThat(settling.isSettled(4, 51_000)).isFalse();
  }

  @Test
  @DisplayName("is known before the agent ends its wait")
  void patience() {
    Settling settling = new Settling(Duration.ofSeconds(4));
    assertThat(settling.isSettled(2, 1_000)).isFalse();
    assertThat(settling.isSettled(2, 2_999)).isFalse();
    assertThat(settling.isSettled(2, 3_000)).isTrue();
  }
}
