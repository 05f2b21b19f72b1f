package io.tidemark.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The adaptive bucket (performance E2.2)")
class AdaptiveBucketTest {
  private static final long SECOND = 1_000_000_000L;
  private static final BucketRules RULES = BucketRules.adaptive(5, 100);

  private static AdaptiveBucket empty(double perSecond) {
    AdaptiveBucket bucket = AdaptiveBucket.learned(RULES, perSecond, 0);
    while (bucket.hasToken()) {
      bucket = bucket.reserve().spend();
    }
    return bucket;
  }

  private static long nanos(double seconds) {
    return (long) (seconds * SECOND);
  }

  @Test
  @DisplayName("starts full, refills at its rate, never above its size")
  void refill() {
    AdaptiveBucket bucket = AdaptiveBucket.full(RULES, 0);
    assertThat(bucket.tokens()).isEqualTo(100);
    for (int i = 0; i < 100; i++) {
      bucket = bucket.reserve().spend();
    }
    assertThat(bucket.hasToken()).isFalse();
    assertThat(bucket.nanosToToken()).isEqualTo(SECOND / 5);
    assertThat(bucket.at(SECOND / 5 - 10).hasToken()).isFalse();
    assertThat(bucket.at(SECOND / 5).hasToken()).isTrue();
    assertThat(bucket.at(4 * SECOND).tokens()).isCloseTo(20, within(1e-6));
    assertThat(bucket.at(4 * SECOND).at(SECOND)).isEqualTo(bucket.at(4 * SECOND));
    assertThat(bucket.at(SECOND).nanosToToken()).isZero();
    assertThat(bucket.at(1_000 * SECOND).tokens()).isEqualTo(100);
  }

  static Stream<Arguments> histories() {
    AdaptiveBucket full = AdaptiveBucket.full(RULES, 0);
    AdaptiveBucket throttled = full.throttled();
    AdaptiveBucket three = let(throttled, 0, 1, 3);
    AdaptiveBucket one = AdaptiveBucket.full(BucketRules.adaptive(5, 1), 0);
    AdaptiveBucket lowest = full;
    AdaptiveBucket highest = empty(19.99);
    for (int i = 0; i < 50; i++) {
      lowest = lowest.at(nanos(3.0 * i)).throttled();
      highest = highest.succeeded();
    }
    return Stream.of(
        arguments("a success adds 0.25 / rate", empty(5).succeeded(), 5.05, 100),
        arguments("a success adds 0.25 / rate, from below", empty(0.5).succeeded(), 1, 100),
        arguments("a success adds 0.25 / rate, from above", empty(10).succeeded(), 10.025, 100),
        arguments("up to four times the documented rate", highest, 20, 100),
        arguments(
            "no more than the documented rate by calls it did not hold back",
            full.succeeded(),
            5,
            100),
        arguments(
            "up to the documented rate by such calls",
            AdaptiveBucket.learned(RULES, 2, 0).succeeded(),
            2.125,
            100),
        arguments("with one token left it holds nobody back", one.succeeded(), 5, 1),
        arguments("without that one it does", one.reserve().succeeded(), 5.05, 1),
        arguments(
            "a throttle cuts by 3 % and leaves four seconds",
            full.at(SECOND).throttled(), 4.85, 19.4),
        arguments(
            "a further throttle cuts to what was let through since",
            let(three, 1, 2, 3).throttled(),
            3 * 0.97,
            4 * 3 * 0.97),
        arguments(
            "but at most once in 2 s",
            three.at(nanos(1.99)).throttled(),
            three.perSecond(),
            4 * three.perSecond()),
        arguments("the average of two seconds", let(throttled, 0, 2, 4).throttled(), 1.94, 7.76),
        arguments(
            "after a throttle it probes by 2 % per second",
            let(throttled, 0, 1, 1), 4.85 * 1.02, 19.4),
        arguments("less than 30 s without one", throttled.at(30 * SECOND - 1), 4.85, 19.4),
        arguments("30 s without one give it its size", throttled.at(30 * SECOND), 4.85, 100),
        arguments(
            "and it grows again", throttled.at(nanos(31)).succeeded(), 4.85 + 0.25 / 4.85, 100),
        arguments("never below one call in 5 s", lowest, 0.2, 1));
  }

  @ParameterizedTest(name = "{0}: {2}/s, {3} at the most")
  @MethodSource("histories")
  @DisplayName("rate and size follow from what the cloud let through and throttled")
  void follows(String history, AdaptiveBucket bucket, double perSecond, double capacity) {
    assertThat(bucket.perSecond()).as(history).isCloseTo(perSecond, within(1e-9));
    assertThat(bucket.capacity()).as(history).isCloseTo(capacity, within(1e-9));
  }

  @Test
  @DisplayName("what it is short of after a throttle is kept for waiting pods, and only that")
  void keptForPods() {
    AdaptiveBucket bucket = AdaptiveBucket.full(RULES, 0).throttled();
    assertThat(bucket.hasTokenFor(Urgency.PODS_WAITING)).isFalse();
    assertThat(bucket.nanosToTokenFor(Urgency.PODS_WAITING)).isEqualTo(nanos(1 / 4.85) + 1);
    assertThat(bucket.nanosToToken()).isEqualTo(nanos(4 / 4.85) + 1);
    AdaptiveBucket used = bucket.at(nanos(3 / 4.85) + 1);
    for (int i = 0; i < 3; i++) {
      assertThat(used.hasToken()).isFalse();
      assertThat(used.hasTokenFor(Urgency.PODS_WAITING)).isTrue();
      used = used.reserve().spend();
    }
    assertThat(used.hasTokenFor(Urgency.PODS_WAITING)).isFalse();
    assertThat(bucket.at(nanos(31)).kept()).isZero();
  }

  @Test
  @DisplayName("what is kept fits into the documented size beside everybody's tokens")
  void keptFits() {
    AdaptiveBucket small = AdaptiveBucket.full(BucketRules.adaptive(5, 20), 0).throttled();
    assertThat(small.capacity()).isCloseTo(19.4, within(1e-9));
    assertThat(small.kept()).isCloseTo(0.6, within(1e-9));
    assertThat(small.mostFor(Urgency.PODS_WAITING)).isEqualTo(20);
    assertThat(small.mostFor(Urgency.BELOW_WATERMARK)).isEqualTo(small.capacity());
  }

  @ParameterizedTest
  @CsvSource({"10", "29", "31", "3600"})
  @DisplayName("after a time with few calls a throttle says nothing of the refill but: 3 % less")
  void idleTimeIsNoSample(int idleSeconds) {
    AdaptiveBucket bucket = let(AdaptiveBucket.full(RULES, 0).throttled(), 0, 1, 3);
    AdaptiveBucket rested = bucket.at(nanos(1 + idleSeconds));
    AdaptiveBucket again = rested.throttled();
    assertThat(again.perSecond()).isCloseTo(rested.perSecond() * 0.97, within(1e-9));
    AdaptiveBucket sampled = let(again, 1 + idleSeconds, 4 + idleSeconds, 9).throttled();
    assertThat(sampled.perSecond()).isCloseTo(3 * 0.97, within(1e-9));
  }

  @Test
  @DisplayName("the average forgets old throttles slowly and a throttle never raises the rate")
  void average() {
    AdaptiveBucket bucket = AdaptiveBucket.full(RULES, 0).throttled();
    bucket = let(bucket, 0, 2, 4).throttled();
    AdaptiveBucket better = let(bucket, 2, 4, 40).throttled();
    assertThat(better.perSecond()).isLessThan(let(bucket, 2, 4, 40).perSecond());
    AdaptiveBucket worse = let(bucket, 2, 4, 0).throttled();
    assertThat(worse.perSecond()).isBetween(0.97, 1.94);
  }

  /** {@code count} successes between two seconds. */
  private static AdaptiveBucket let(AdaptiveBucket from, int begin, int end, int count) {
    AdaptiveBucket bucket = from;
    for (int i = 1; i <= count; i++) {
      bucket = bucket.at(nanos(begin + (end - begin) * (double) i / count)).succeeded();
    }
    return bucket.at(nanos(end));
  }

  @Test
  @DisplayName("30 s without a throttle: it fills up to its size again")
  void quiet() {
    AdaptiveBucket bucket = AdaptiveBucket.full(RULES, 0).throttled();
    assertThat(bucket.at(nanos(29.9)).tokens()).isCloseTo(19.4, within(1e-9));
    assertThat(bucket.at(nanos(31)).tokens()).isCloseTo(19.4 + 4.85, within(1e-6));
  }

  @ParameterizedTest
  @CsvSource({"19, false", "21, false", "21.1, true"})
  @DisplayName("it was idle once more came in than fits, not when it is just full")
  void idle(double seconds, boolean idle) {
    AdaptiveBucket bucket = AdaptiveBucket.learned(BucketRules.adaptive(4, 100), 4, 0);
    assertThat(bucket.tokens()).isEqualTo(16);
    assertThat(bucket.at(nanos(seconds)).throttles().idle()).isEqualTo(idle);
  }

  @Test
  @DisplayName("the end of the quiet time makes no idle bucket of one that was in use")
  void busyUntilQuiet() {
    AdaptiveBucket bucket = AdaptiveBucket.full(RULES, 1_000 * SECOND).throttled();
    for (int tenth = 1; tenth < 300; tenth++) {
      bucket = bucket.at(1_000 * SECOND + tenth * SECOND / 10);
      bucket = bucket.hasToken() ? bucket.reserve().spend() : bucket;
    }
    assertThat(bucket.at(1_030 * SECOND + SECOND / 10).throttles().idle()).isFalse();
  }

  @Test
  @DisplayName("more calls under way than fit after a throttle: their tokens do not come back")
  void underWayAtThrottle() {
    AdaptiveBucket bucket = AdaptiveBucket.full(RULES, 0);
    for (int i = 0; i < 30; i++) {
      bucket = bucket.reserve();
    }
    assertThat(bucket.mostFor(Urgency.BELOW_WATERMARK)).isEqualTo(70);
    AdaptiveBucket throttled = bucket.throttled();
    assertThat(throttled.tokens()).isEqualTo(-3);
    assertThat(throttled.at(SECOND).tokens()).as("time takes nothing away").isEqualTo(-3);
    assertThat(throttled.giveBack().tokens()).as("no room for it").isEqualTo(-3);
    for (int i = 0; i < 30; i++) {
      throttled = throttled.giveBack();
    }
    assertThat(throttled.reserved()).isZero();
    assertThat(throttled.tokens()).isLessThanOrEqualTo(throttled.capacity());
  }

  @Test
  @DisplayName("no token can be taken where there is none")
  void nothingToReserve() {
    AdaptiveBucket bucket = empty(5);
    assertThatThrownBy(bucket::reserve)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("no token to reserve");
  }

  @Test
  @DisplayName("a reserved token keeps its place until it is spent or given back")
  void reserved() {
    BucketRules rules = BucketRules.fixed(1, 2);
    AdaptiveBucket bucket = AdaptiveBucket.full(rules, 0).reserve().reserve();
    AdaptiveBucket later = bucket.at(100 * SECOND);
    assertThat(later.hasToken()).isFalse();
    assertThat(later.giveBack().tokens()).isEqualTo(1);
    assertThat(later.spend().at(200 * SECOND).tokens()).isEqualTo(1);
    assertThat(later.spend().spend().at(200 * SECOND).tokens()).isEqualTo(2);
  }

  @Test
  @DisplayName("a fixed bucket learns nothing")
  void fixed() {
    AdaptiveBucket bucket = AdaptiveBucket.full(BucketRules.fixed(5, 100), 0);
    assertThat(bucket.throttled()).isEqualTo(bucket);
    assertThat(bucket.succeeded()).isEqualTo(bucket);
  }

  @ParameterizedTest
  @CsvSource({"3, 3, 12", "0.01, 0.2, 1", "1000, 20, 80", "100, 20, 80"})
  @DisplayName("a next leader starts with the learned rate, inside the bounds, and not full")
  void learned(double known, double rate, double tokens) {
    AdaptiveBucket bucket = AdaptiveBucket.learned(RULES, known, 0);
    assertThat(bucket.perSecond()).isEqualTo(rate);
    assertThat(bucket.tokens()).isEqualTo(tokens);
    assertThat(bucket.capacity()).isEqualTo(100);
  }

  @Test
  @DisplayName("a throttle that names a time closes the bucket until then, for waiting pods too")
  void closed() {
    for (BucketRules rules : List.of(RULES, BucketRules.fixed(5, 100))) {
      AdaptiveBucket bucket =
          AdaptiveBucket.full(rules, 0).throttled(Optional.of(Duration.ofSeconds(30)));
      AdaptiveBucket almost = bucket.at(30 * SECOND - 1);
      assertThat(almost.hasToken()).isFalse();
      assertThat(almost.hasTokenFor(Urgency.PODS_WAITING)).isFalse();
      assertThat(almost.nanosToToken()).isEqualTo(1);
      assertThat(bucket.nanosToTokenFor(Urgency.PODS_WAITING)).isEqualTo(30 * SECOND);
      assertThat(bucket.at(30 * SECOND).hasToken()).isTrue();
    }
  }

  @Test
  @DisplayName(
      "a shorter time does not open a closed bucket; one throttle closes 10 minutes at most")
  void closedLonger() {
    AdaptiveBucket bucket =
        AdaptiveBucket.full(RULES, 0)
            .throttled(Optional.of(Duration.ofDays(1)))
            .throttled(Optional.of(Duration.ofSeconds(1)))
            .throttled(Optional.empty());
    assertThat(bucket.nanosToToken()).isEqualTo(600 * SECOND);
    assertThat(AdaptiveBucket.full(RULES, 0).throttled(Optional.empty()))
        .isEqualTo(AdaptiveBucket.full(RULES, 0).throttled());
  }
}
