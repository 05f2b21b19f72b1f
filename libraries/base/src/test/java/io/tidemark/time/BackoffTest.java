package io.tidemark.time;

import static org.assertj.core.api.Assertions.assertThat;
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
  private static final BackoffPolicy REFERENCE = POLICY.referenceCompatible();
  private static final long TEN_MINUTES = Duration.ofMinutes(10).toNanos();

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

  @DisplayName("node-manager 5.8: a minute grows with the logarithm of the cluster")
  @ParameterizedTest(name = "{0} nodes: {1} s")
  @CsvSource({"0, 60", "1, 41.589", "2, 65.917", "16, 169.993", "1024, 415.947", "16384, 582.247"})
  void minute(int nodes, double seconds) {
    Duration scaled = BackoffPolicy.scaled(Duration.ofMinutes(1), nodes);
    assertThat(scaled.toNanos() / 1e9).isCloseTo(seconds, within(0.0005));
  }

  @Test
  @DisplayName("D-14 a success starts the count anew")
  void success() {
    BackoffState twice = BackoffState.NONE.failed(POLICY, 1).failed(POLICY, 2);
    assertThat(twice.failures()).isEqualTo(2);
    assertThat(twice.succeeded(POLICY)).isEqualTo(BackoffState.NONE);
    assertThat(twice.succeeded(POLICY).failed(POLICY, 3).failures()).isEqualTo(1);
  }

  @Test
  @DisplayName("In the reference-compatible profile a success changes nothing")
  void referenceSuccess() {
    BackoffState twice = BackoffState.NONE.failed(REFERENCE, 1).failed(REFERENCE, 2);
    assertThat(twice.succeeded(REFERENCE)).isEqualTo(twice);
    assertThat(twice.succeeded(REFERENCE).failed(REFERENCE, 3).failures()).isEqualTo(3);
  }

  @Test
  @DisplayName(
      "node-manager 3.1: more than ten minutes after the previous pause the count restarts")
  void forgotten() {
    BackoffState twice = BackoffState.NONE.failed(REFERENCE, 1).failed(REFERENCE, 2);
    assertThat(twice.failed(REFERENCE, 2 + TEN_MINUTES).failures()).isEqualTo(3);
    assertThat(twice.failed(REFERENCE, 3 + TEN_MINUTES).failures()).isEqualTo(1);
  }
}
