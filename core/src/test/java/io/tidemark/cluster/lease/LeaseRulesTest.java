package io.tidemark.cluster.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.cluster.lease.LeaseRules.Seen;
import io.tidemark.cluster.lease.LeaseRules.Step;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The rules of the lease (reliability.md, two leaders)")
class LeaseRulesTest {
  private static final Moment START = new Moment(1_000_000_000_000L, 1_700_000_000_000L);

  /** After {@link #START} by the monotonic clock and by the wall clock. */
  private static Moment after(long monotonicMillis, long wallMillis) {
    return new Moment(
        START.nanos() + monotonicMillis * 1_000_000, START.epochMillis() + wallMillis);
  }

  private static Moment after(long millis) {
    return after(millis, millis);
  }

  private static LeaseRecord heldBy(String holder, String renewals, int transitions) {
    return new LeaseRecord(
        "uid",
        "7",
        holder,
        Duration.ofSeconds(15),
        renewals,
        transitions,
        Optional.empty(),
        Map.of());
  }

  @ParameterizedTest(name = "held by {0}, seen {1} ms ago: {2}")
  @DisplayName("a lease is taken when it is ours, given back or over, and not a moment before")
  @CsvSource({
    "'', 0, TAKE",
    "me, 0, TAKE",
    "other, 0, WAIT",
    "other, 14999, WAIT",
    "other, 15000, TAKE",
    "other, 15001, TAKE"
  })
  void step(String holder, long millis, Step expected) {
    Seen seen = new Seen(heldBy(holder, "r1", 0), START);
    assertThat(LeaseRules.step(Optional.of(seen), "me", after(millis))).isEqualTo(expected);
  }

  @Test
  @DisplayName("where there is none it is created")
  void none() {
    assertThat(LeaseRules.step(Optional.empty(), "me", START)).isEqualTo(Step.CREATE);
  }

  @ParameterizedTest(name = "then {0}, renewed {1}, transition {2}: counts from {3} ms")
  @DisplayName("the holder's time begins anew with each renewal or holder, seen here")
  @CsvSource({"a, r1, 0, 0", "b, r1, 0, 9000", "a, r2, 0, 9000", "a, r1, 1, 9000"})
  void seen(String holder, String renewals, int transitions, long since) {
    Seen before = Seen.of(Optional.empty(), heldBy("a", "r1", 0), START);
    Seen now = Seen.of(Optional.of(before), heldBy(holder, renewals, transitions), after(9_000));
    assertThat(now.since()).isEqualTo(after(since));
    assertThat(now.record().holder()).isEqualTo(holder);
  }

  @ParameterizedTest(name = "{0} ms after a renewal: in {1} ms")
  @DisplayName("a lease of another is looked at often, and at its end")
  @CsvSource({"0, 500", "14499, 500", "14500, 500", "14501, 499", "14999, 1", "15000, 500"})
  void nextLook(long millis, long look) {
    Seen seen = new Seen(heldBy("other", "r1", 0), START);
    assertThat(LeaseRules.nextLook(seen, LeaseTiming.USUAL, after(millis)))
        .isEqualTo(Duration.ofMillis(look));
  }

  @ParameterizedTest(name = "{0} ms by the monotonic, {1} ms by the wall clock: {2}")
  @DisplayName("a holder acts for its renew deadline, by the clock that says more")
  @CsvSource({
    "0, 0, true",
    "9999, 9999, true",
    "10000, 0, false",
    "0, 10000, false",
    "9999, -60000, true",
    "10000, -5000, false",
    "-1, -1, false"
  })
  void mayAct(long monotonicMillis, long wallMillis, boolean acts) {
    assertThat(LeaseRules.mayAct(START, LeaseTiming.USUAL, after(monotonicMillis, wallMillis)))
        .as("may act")
        .isEqualTo(acts);
  }

  @ParameterizedTest(name = "lease {0} s, renew deadline {1} s, retry period {2} s: {3}")
  @DisplayName("the three times are refused unless each is longer than the next")
  @CsvSource({
    "15, 10, 2, true",
    "3, 2, 1, true",
    "10, 10, 2, false",
    "9, 10, 2, false",
    "15, 2, 2, false",
    "15, 1, 2, false",
    "15, 10, 0, false",
    "15, 10, -1, false"
  })
  void timing(long lease, long renewDeadline, long retryPeriod, boolean accepted) {
    if (accepted) {
      assertThat(timing(lease, renewDeadline, retryPeriod).lease()).hasSeconds(lease);
    } else {
      assertThatThrownBy(() -> timing(lease, renewDeadline, retryPeriod))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("expected lease > renew deadline > retry period > 0");
    }
  }

  private static LeaseTiming timing(long lease, long renewDeadline, long retryPeriod) {
    return new LeaseTiming(
        Duration.ofSeconds(lease),
        Duration.ofSeconds(renewDeadline),
        Duration.ofSeconds(retryPeriod));
  }
}
