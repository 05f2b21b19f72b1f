package io.tidemark.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.config.CallCeiling;
import io.tidemark.resilience.CloudCallsConfig.Breaker;
import io.tidemark.resilience.CloudCallsConfig.Retries;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Settings of the calls: the least and the most that is accepted")
class CloudCallsConfigTest {
  @ParameterizedTest(name = "{0} {1} {2} {3} {4}: {5}")
  @CsvSource({
    "1, 1, 1, 1, 1, ",
    "10, 10, 100, 1, 1, ",
    "0, 1, 1, 1, 1, breaker window is 0",
    "10, 0, 1, 1, 1, breaker minimum of calls is 0; expected 1 to 10",
    "10, 11, 1, 1, 1, breaker minimum of calls is 11; expected 1 to 10",
    "10, 10, 0, 1, 1, breaker failure percentage is 0",
    "10, 10, 101, 1, 1, breaker failure percentage is 101",
    "10, 10, 50, 0, 1, breaker open time is PT0S",
    "10, 10, 50, 1, 0, breaker probes is 0",
  })
  @DisplayName("the breaker")
  void breaker(int window, int minimum, int percent, long openMillis, int probes, String problem) {
    Duration open = Duration.ofMillis(openMillis);
    if (problem == null) {
      Breaker breaker = new Breaker(window, minimum, percent, open, probes);
      assertThat(CloudCallsConfig.defaults().withBreaker(breaker).breaker()).isEqualTo(breaker);
    } else {
      assertThatThrownBy(() -> new Breaker(window, minimum, percent, open, probes))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(problem);
    }
  }

  @ParameterizedTest(name = "{0} {1} {2}: {3}")
  @CsvSource({
    "1, 1, 1, ",
    "200, 1000, 1000, ",
    "0, 1, 1, backoff base is PT0S",
    "1, 0, 1, throttle base is PT0S",
    "2, 1, 1, backoff cap is PT0.001S",
    "1, 2, 1, backoff cap is PT0.001S",
  })
  @DisplayName("the pauses, in milliseconds")
  void retries(long base, long throttleBase, long cap, String problem) {
    Duration first = Duration.ofMillis(base);
    Duration throttled = Duration.ofMillis(throttleBase);
    Duration most = Duration.ofMillis(cap);
    if (problem == null) {
      Retries retries = new Retries(first, throttled, most);
      assertThat(CloudCallsConfig.defaults().withRetries(retries).retries()).isEqualTo(retries);
    } else {
      assertThatThrownBy(() -> new Retries(first, throttled, most))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(problem);
    }
  }

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
  @DisplayName("a bucket and a learned rate need a refill, a bucket room for one token")
  void buckets() {
    assertThat(BucketRules.fixed(0.1, 1).burst()).isEqualTo(1);
    assertThatThrownBy(() -> BucketRules.fixed(0, 1)).hasMessageContaining("refilled by 0.0");
    assertThatThrownBy(() -> BucketRules.fixed(1, 0.9)).hasMessageContaining("a bucket of 0.9");
    assertThatThrownBy(() -> new LearnedRates.Estimate("a", "o", 0))
        .hasMessageContaining("is 0.0; expected above 0");
    assertThatThrownBy(() -> new LearnedRates.Estimate("a", "o", Double.NaN))
        .hasMessageContaining("NaN");
  }

  @Test
  @DisplayName("counted calls add up over all kinds")
  void counts() {
    CallCounts counts =
        new CallCounts(
            new TreeMap<>(Map.of("Assign", 5L, "Describe", 7L)),
            new TreeMap<>(Map.of("Assign", 2L, "Describe", 1L)));
    assertThat(counts.allCalls()).isEqualTo(12);
  }

  @Test
  @DisplayName("workers, waiting calls and the ceiling")
  void least() {
    CloudCallsConfig config = CloudCallsConfig.defaults();
    assertThat(IntStream.of(1, 2, 4, 50).map(all -> config.withWorkers(all).workersPerKind()))
        .as("three quarters, one at least")
        .containsExactly(1, 1, 3, 37);
    assertThatThrownBy(() -> config.withWorkers(0)).hasMessageContaining("parallel-alloc-workers");
    assertThat(config.withMaxWaiting(1).maxWaiting()).isEqualTo(1);
    assertThat(new CallCeiling(0.1, 1).burst()).isEqualTo(1);
    assertThatThrownBy(() -> config.withMaxWaiting(0)).hasMessageContaining("waiting calls is 0");
    assertThatThrownBy(() -> new CallCeiling(0, 1))
        .hasMessageStartingWith("ceiling is 0.0/s, burst 1; expected above 0");
    assertThatThrownBy(() -> new CallCeiling(1, 0)).hasMessageContaining("burst 0");
  }
}
