package io.tidemark.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.config.CallCeiling;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Settings of the calls: the least and the most that is accepted")
class CloudCallsConfigTest {
  @ParameterizedTest(name = "{0} per second, {1} at once, {2} ms, {3} attempts: {4}")
  @CsvSource({
    "0.1, 1, 1, 1, ",
    "0, 1, 1, 1, calls-per-second is 0.0; expected above 0",
    "1, 0, 1, 1, burst is 0; expected 1 or more",
    "1, 1, 0, 1, attempt-timeout is PT0S; expected above 0",
    "1, 1, -1, 1, attempt-timeout is PT-0.001S; expected above 0",
    "1, 1, 1, 0, attempts is 0; expected 1 or more",
  })
  @DisplayName("the limits of one kind")
  void limits(double perSecond, int burst, long millis, int attempts, String problem) {
    Duration timeout = Duration.ofMillis(millis);
    if (problem == null) {
      assertThat(new CallLimits(perSecond, burst, timeout, attempts).attempts()).isEqualTo(1);
    } else {
      assertThatThrownBy(() -> new CallLimits(perSecond, burst, timeout, attempts))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(problem);
    }
  }

  @Test
  @DisplayName("workers and the ceiling")
  void least() {
    CloudCallsConfig config = CloudCallsConfig.defaults();
    assertThat(IntStream.of(1, 2, 4, 50).map(all -> config.withWorkers(all).workersPerKind()))
        .as("three quarters, one at least")
        .containsExactly(1, 1, 3, 37);
    assertThat(new CallCeiling(0.1, 1).burst()).isEqualTo(1);
    assertThatThrownBy(() -> new CallCeiling(0, 1))
        .hasMessageStartingWith("ceiling is 0.0/s, burst 1; expected above 0");
    assertThatThrownBy(() -> new CallCeiling(1, 0)).hasMessageContaining("burst 0");
  }
}
