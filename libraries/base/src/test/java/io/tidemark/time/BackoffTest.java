package io.tidemark.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BackoffTest {
  private static final BackoffPolicy POLICY = BackoffPolicy.DEFAULT;

  @DisplayName("node-manager 3.1: the pause grows with attempts and nodes, up to five minutes")
  @ParameterizedTest(name = "{0} nodes")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # nodes | k=1 | k=2 | k=3 | k=4 | k=5 | k=6 | k=7 | k=8
          1    | 0.7-1.4  | 0.7-2.8  | 0.7-5.5  | 0.7-11.1 | 0.7-22.2 | 0.7-44.4 | 0.7-88.7 | 0.7-177
          10   | 2.4-4.8  | 2.4-9.6  | 2.4-19.2 | 2.4-38.4 | 2.4-76.7 | 2.4-153  | 2.4-300  | 2.4-300
          100  | 4.6-9.2  | 4.6-18.5 | 4.6-36.9 | 4.6-73.8 | 4.6-148  | 4.6-295  | 4.6-300  | 4.6-300
          1000 | 6.9-13.8 | 6.9-27.6 | 6.9-55.3 | 6.9-110  | 6.9-221  | 6.9-300  | 6.9-300  | 6.9-300
          """)
  void table(
      int nodes,
      String k1,
      String k2,
      String k3,
      String k4,
      String k5,
      String k6,
      String k7,
      String k8) {
    String[] ranges = {k1, k2, k3, k4, k5, k6, k7, k8};
    for (int attempt = 1; attempt <= ranges.length; attempt++) {
      String[] ends = ranges[attempt - 1].split("-", -1);
      assertSeconds(POLICY.pause(attempt, nodes, new FixedDraw(0)), ends[0]);
      assertSeconds(POLICY.pause(attempt, nodes, new FixedDraw(Math.nextDown(1.0))), ends[1]);
    }
  }

  private static void assertSeconds(Duration pause, String printed) {
    double lastDigit = printed.contains(".") ? 0.1 : 1;
    assertThat(pause.toNanos() / 1e9).isCloseTo(Double.parseDouble(printed), within(lastDigit));
  }

  @Test
  @DisplayName("Without nodes nothing is scaled, without jitter nothing is drawn")
  void plain() {
    BackoffPolicy still =
        new BackoffPolicy(
            Duration.ofMillis(100), 3, Duration.ofSeconds(5), false, true, Duration.ofMinutes(1));
    assertThat(still.pause(1, 0, new FixedDraw(0.5))).hasMillis(300);
    assertThat(still.pause(2, 0, new FixedDraw(0.5))).hasMillis(900);
    assertThat(still.pause(4, 0, new FixedDraw(0.5))).hasSeconds(5);
    assertThat(still.pause(Integer.MAX_VALUE, 1, new FixedDraw(0.5)).toMillis()).isEqualTo(3465);
  }

  @DisplayName("C-34 jitter never draws the same pause twice in a row")
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 5, 8, 13})
  void jitter(long seed) {
    BackoffPolicy policy =
        new BackoffPolicy(
            Duration.ofSeconds(1), 2, Duration.ofSeconds(60), true, true, Duration.ofMinutes(10));
    SplittableRandom random = new SplittableRandom(seed);
    Duration last = Duration.ZERO;
    for (int draw = 0; draw < 100; draw++) {
      Duration next = policy.pause(1, 0, random);
      assertThat(next).as("draw %d", draw).isNotEqualTo(last);
      assertThat(next).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
      last = next;
    }
  }

  @Test
  @DisplayName("C-35 the size of the cluster scales the pause, no size leaves it")
  void clusterSize() {
    FixedDraw least = new FixedDraw(0);
    assertThat(POLICY.pause(1, 3, least).toMillis()).isEqualTo(1386);
    assertThat(POLICY.pause(1, least)).hasSeconds(1);
  }

  @Test
  @DisplayName("Attempts count from one")
  void attempts() {
    assertThatThrownBy(() -> POLICY.pause(0, 1, new FixedDraw(0)))
        .hasMessageContaining("attempt is 0");
  }

  @DisplayName("A policy cannot hold nonsense")
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "base is PT0S, PT0S, 2, PT1S, PT1S",
    "factor is 0.5, PT1S, 0.5, PT1S, PT1S",
    "factor is NaN, PT1S, NaN, PT1S, PT1S",
    "cap is PT1S, PT2S, 2, PT1S, PT1S",
    "reset is PT-1S, PT1S, 2, PT1S, PT-1S"
  })
  void nonsense(String says, Duration base, double factor, Duration cap, Duration reset) {
    assertThatThrownBy(() -> new BackoffPolicy(base, factor, cap, true, true, reset))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(says);
  }
}
