package io.tidemark.demand;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes on which pods arrive and end, and the growth that they are then ready for. */
class NodeDemandTest {
  private static final long HOUR = Duration.ofHours(1).toNanos();

  private final GroupDemand group = new GroupDemand(0);

  private NodeDemand known(int used) {
    return new NodeDemand(group, used, Duration.ofDays(1), 0);
  }

  private static double growth(NodeDemand node, double quantile, int seconds, long nowNanos) {
    return node.forecast(quantile, nowNanos).within(Duration.ofSeconds(seconds));
  }

  @Test
  @DisplayName("Nothing is known before the first pod of the group; then every node knows it")
  void firstPod() {
    NodeDemand one = known(3);
    NodeDemand other = known(0);
    one.observe(2, SECONDS.toNanos(1));
    assertFalse(one.forecast(0.9, SECONDS.toNanos(1)).isKnown());

    one.observe(3, SECONDS.toNanos(2));

    assertTrue(one.forecast(0.9, SECONDS.toNanos(3)).isKnown());
    assertEquals(1, growth(other, 0.9, 4, SECONDS.toNanos(3)));
  }

  @ParameterizedTest(name = "{0} pods every {1} s, lead time {2} s: growth {3}")
  @CsvSource({
    "1, 100, 4, 1",
    "1, 100, 512, 8",
    "5, 600, 4, 5",
    "40, 3600, 16, 40",
    "1, 10, 16, 3",
    // Above the longest window in proportion.
    "1, 1024, 2048, 3",
    "1, 1024, 4096, 6",
  })
  @DisplayName("A pod that arrives counts the growth in the window before it")
  void windows(int pods, int everySeconds, int leadSeconds, int growth) {
    NodeDemand node = known(0);
    int used = 0;
    for (int i = 1; i <= 100; i++) {
      used += pods;
      node.observe(used, SECONDS.toNanos((long) i * everySeconds));
    }
    long now = SECONDS.toNanos(100L * everySeconds);

    double found = growth(node, 0.999, leadSeconds, now);

    // A window holds up to half of itself more, and classes are bounds.
    assertTrue(found >= growth * 0.85 && found <= growth * 1.6 + 0.5, () -> "growth " + found);
  }

  @Test
  @DisplayName("Pods that end make room: growth is net")
  void net() {
    NodeDemand node = known(10);
    for (int i = 1; i <= 1_000; i++) {
      node.observe(10 - i % 2, SECONDS.toNanos(i));
    }

    assertEquals(1, growth(node, 0.999, 128, SECONDS.toNanos(1_000)));
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  @DisplayName("The quantile is the share of pods that arrive within the forecast growth")
  void share(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    NodeDemand node = known(0);
    double[] weights = new double[41];
    long now = 0;
    for (int i = 0; i < 5_000; i++) {
      now += SECONDS.toNanos(40); // no window of 16 seconds sees two bursts
      int burst = random.nextInt(10) == 0 ? random.nextInt(1, 41) : 1;
      node.observe(burst, now);
      node.observe(0, now + 1);
      for (int pod = 1; pod <= burst; pod++) {
        weights[pod] += Math.pow(2, (double) now / (6 * HOUR));
      }
    }
    double all = Arrays.stream(weights).sum();
    for (double quantile : new double[] {0.5, 0.9, 0.99, 0.999}) {
      int spare = (int) Math.ceil(growth(node, quantile, 16, now));

      double above = Arrays.stream(weights, Math.min(41, spare + 1), 41).sum() / all;
      double ofFewer = Arrays.stream(weights, spare * 2 / 3, 41).sum() / all;

      String text = quantile + ": " + spare + " spare, above " + above + ", fewer " + ofFewer;
      assertTrue(above <= (1 - quantile) * 1.25, text);
      assertTrue(ofFewer >= (1 - quantile) * 0.9, text);
    }
  }

  @Test
  @DisplayName(
      "What was long ago counts less: after three days of single pods a burst is forgotten")
  void decay() {
    NodeDemand node = known(0);
    for (int i = 0; i < 50; i++) {
      node.observe(30, i * HOUR / 50);
      node.observe(0, i * HOUR / 50 + 1);
    }
    assertTrue(growth(node, 0.99, 4, HOUR) > 24);

    for (int minute = 0; minute < 3 * 24 * 60; minute++) {
      node.observe(minute % 2, HOUR + minute * SECONDS.toNanos(60));
    }

    assertTrue(growth(node, 0.99, 4, 73 * HOUR) <= 1);
  }

  @Test
  @DisplayName("A node of its own kind leaves its group's forecast once enough pods have arrived")
  void ownPods() {
    NodeDemand busy = known(0);
    for (int i = 1; i <= 500; i++) {
      busy.observe(20, SECONDS.toNanos(100L * i));
      busy.observe(0, SECONDS.toNanos(100L * i) + 1);
    }
    NodeDemand calm = known(0);
    long now = SECONDS.toNanos(50_000);
    assertTrue(growth(calm, 0.6, 4, now) > 12);

    for (int i = 1; i <= 8_000; i++) {
      now += SECONDS.toNanos(1);
      calm.observe(i % 2, now);
    }

    assertEquals(1, growth(calm, 0.6, 4, now), 0.5);
    assertTrue(growth(known(0), 0.6, 4, now) > 2);
  }

  @Test
  @DisplayName("A full counter halves those of its window, which keeps their shares")
  void fullCounter() {
    NodeDemand node = known(0);
    for (int pod = 1; pod <= 4_200; pod++) {
      node.observe(pod % 42 == 0 ? 2 : 1, 2L * pod);
      node.observe(0, 2L * pod + 1);
    }

    assertEquals(1, growth(node, 0.97, 4, 10_000));
    assertEquals(1.5, growth(node, 1 - 50.0 / 4_300, 4, 10_000), 0.05);
  }

  @ParameterizedTest(name = "after {0} half-lives")
  @ValueSource(ints = {0, 1, 29, 30, 60})
  @DisplayName("A pod counts half as much as one that arrives six hours later")
  void halfLife(int before) {
    long first = 6 * HOUR * before;
    NodeDemand node = known(0);
    for (int i = 0; i < 2; i++) {
      node.observe(0, first + 6 * HOUR * i);
      node.observe(1 + i, first + 6 * HOUR * i + 1);
      node.observe(0, first + 6 * HOUR * i + 2);
    }

    // Weights: one pod 1, two pods 2 each, one of them above 1. The group agrees.
    assertEquals(1.5, growth(node, 0.8, 4, first + 6 * HOUR + 2), 0.01);
    assertEquals(1.5, growth(known(0), 0.8, 4, first + 6 * HOUR + 2), 0.01);
  }

  @ParameterizedTest(name = "{0} pods, quantile {1}: {2}")
  @CsvSource({"999, 0.999, false", "1000, 0.999, true", "1, 0.5, false", "2, 0.5, true"})
  @DisplayName("A forecast is sure once the group has so many pods that one exceeds the quantile")
  void sure(int pods, double quantile, boolean sure) {
    NodeDemand node = known(0);
    for (int pod = 0; pod < pods; pod++) {
      node.observe(1, 0);
      node.observe(0, 0);
    }

    assertEquals(sure, node.forecast(quantile, 0).isSure());
    assertEquals(sure, known(0).forecast(quantile, 0).isSure());
    assertEquals(sure, node.forecast(quantile, 600 * HOUR).isSure());
    node.observe(1, 600 * HOUR);
    assertFalse(node.forecast(quantile, 600 * HOUR).isSure());
  }

  @ParameterizedTest(name = "{0} pods a day later: {1}, {2}")
  @CsvSource({"400, true, true", "100, true, false", "400, false, false"})
  @DisplayName("A group that is sure stays so until it has half as many pods as it needs")
  void staysSure(int pods, boolean first, boolean later) {
    NodeDemand node = known(0);
    for (int pod = 0; pod < (first ? 1_000 : 999); pod++) {
      node.observe(1, 0);
      node.observe(0, 0);
    }
    assertEquals(first, node.forecast(0.999, 0).isSure());
    long now = 6 * HOUR * 4;
    for (int pod = 0; pod < pods; pod++) {
      node.observe(1, now);
      node.observe(0, now);
    }

    assertEquals(later, node.forecast(0.999, now).isSure());
  }

  @Test
  @DisplayName("The first of several pods counts without the others")
  void severalAtOnce() {
    new NodeDemand(group, 3, Duration.ZERO, 0).observe(5, 1);
    NodeDemand other = new NodeDemand(group, 0, Duration.ZERO, 1);

    // Growth 1 and 2; since they joined 4, and 5 in the class up to 6.
    assertEquals(1.2, growth(other, 0.6, 4, 1), 1e-9);
    assertEquals(4.4, other.forecast(0.6, 1).onNew(), 1e-9);
  }

  @Test
  @DisplayName("A new node expects what others of its group got in their first five minutes")
  void newNodes() {
    for (int i = 0; i < 3; i++) {
      new NodeDemand(group, 0, Duration.ZERO, i * HOUR)
          .observe(40, i * HOUR + SECONDS.toNanos(200));
    }
    NodeDemand node = new NodeDemand(group, 0, Duration.ZERO, 4 * HOUR);

    assertEquals(40, node.forecast(0.999, 4 * HOUR).onNew(), 0.5);
    node.observe(30, 4 * HOUR + SECONDS.toNanos(60));
    assertEquals(10, node.forecast(0.999, 4 * HOUR + SECONDS.toNanos(60)).onNew(), 0.5);
    assertEquals(0, node.forecast(0.999, 4 * HOUR + SECONDS.toNanos(301)).onNew());
    assertEquals(0, known(0).forecast(0.999, 0).onNew());
  }

  @Test
  @DisplayName("Counters do not overflow: a million pods within a minute, and years without any")
  void bounds() {
    NodeDemand node = known(0);
    for (int i = 0; i < 1_000_000; i++) {
      node.observe(i % 2, i * 60_000L);
    }
    assertEquals(1, growth(node, 0.999, 4, SECONDS.toNanos(60)));

    long years = Duration.ofDays(3_650).toNanos();
    node.observe(6, years);

    assertTrue(growth(node, 0.999, 4, years) > 4);
  }
}
