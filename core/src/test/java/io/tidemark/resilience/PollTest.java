package io.tidemark.resilience;

import static io.tidemark.resilience.Door.DESCRIBE;
import static io.tidemark.resilience.Door.answer;
import static io.tidemark.resilience.Door.failure;
import static io.tidemark.resilience.Door.pending;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.resilience.CloudCalls.Leaf;
import io.tidemark.resilience.Door.CloudError;
import io.tidemark.resilience.Failure.Kind;
import io.tidemark.resilience.Poll.Polled;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A poll: reads until a long-running operation has ended")
class PollTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration TEN = Duration.ofSeconds(10);
  private final Door door = new Door(CloudCallsConfig.defaults());

  private CompletionStage<CallResult<String>> poll(Duration firstDelay, Leaf<Polled<String>> leaf) {
    return poll(door.context(MINUTE), firstDelay, leaf);
  }

  private CompletionStage<CallResult<String>> poll(
      CallContext context, Duration firstDelay, Leaf<Polled<String>> leaf) {
    long first = door.time.nanos() + firstDelay.toNanos();
    return Poll.start(door.calls, door.time, DESCRIBE, context, () -> first, leaf);
  }

  private List<Long> sentSeconds() {
    return door.wire.sent().stream().map(sent -> sent.nanos() / 1_000_000_000L).toList();
  }

  @Test
  @DisplayName("waits for the first delay, then as long as each answer says")
  void namesItsOwnTime() {
    AtomicInteger round = new AtomicInteger();
    var stage =
        poll(
            Duration.ofSeconds(3),
            attempt ->
                switch (round.incrementAndGet()) {
                  case 1 -> Polled.again(Duration.ofSeconds(2));
                  case 2 -> Polled.again(Duration.ofSeconds(20));
                  default -> Polled.done("ready");
                });
    assertThat(door.wire.sent()).isEmpty();
    door.pass(MINUTE);
    assertThat(answer(stage)).isEqualTo("ready");
    assertThat(sentSeconds()).containsExactly(3L, 5L, 25L);
    assertThat(door.time.pending()).isZero();
  }

  @Test
  @DisplayName("puts its first read off while the time of it moves on")
  void firstReadMovesOn() {
    AtomicLong firstNanos = new AtomicLong(Duration.ofSeconds(10).toNanos());
    var stage =
        Poll.start(
            door.calls,
            door.time,
            DESCRIBE,
            door.context(MINUTE),
            firstNanos::get,
            attempt -> Polled.done("ready"));
    door.pass(Duration.ofSeconds(9));
    firstNanos.set(Duration.ofSeconds(20).toNanos());
    door.pass(Duration.ofSeconds(9));
    firstNanos.set(Duration.ofSeconds(15).toNanos());
    assertThat(pending(stage)).isTrue();
    door.pass(Duration.ofSeconds(9));
    assertThat(sentSeconds()).as("an earlier time is not noticed").containsExactly(20L);
    assertThat(answer(stage)).isEqualTo("ready");
    assertThat(door.time.pending()).isZero();
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"THROTTLED", "TRANSIENT", "LOST"})
  @DisplayName("goes on after a failure that may pass by itself, no earlier than the cloud asks")
  void passes(Kind kind) {
    Door once = new Door(CloudCallsConfig.defaults(), 1, single());
    AtomicInteger round = new AtomicInteger();
    Leaf<Polled<String>> leaf =
        attempt ->
            switch (round.incrementAndGet()) {
              case 1 -> Polled.again(Duration.ofSeconds(4));
              case 2 -> throw new CloudError(kind);
              case 3 ->
                  throw new CloudError(
                      new Failure(kind, "later", "", Optional.of(Duration.ofSeconds(15))));
              default -> Polled.done("ready");
            };
    var stage =
        Poll.start(once.calls, once.time, DESCRIBE, once.context(MINUTE), once.time::nanos, leaf);
    once.pass(MINUTE);
    assertThat(answer(stage)).isEqualTo("ready");
    assertThat(once.wire.sent().stream().map(sent -> sent.nanos() / 1_000_000_000L))
        .containsExactly(0L, 4L, 8L, 23L);
  }

  private static Map<CallKind, CallLimits> single() {
    return Map.of(DESCRIBE, new CallLimits(5, 10, Duration.ofSeconds(5), 1));
  }

  @Test
  @DisplayName("a failure of the first read is read again after a second")
  void firstFails() {
    Door once = new Door(CloudCallsConfig.defaults(), 1, single());
    AtomicInteger round = new AtomicInteger();
    var stage =
        Poll.start(
            once.calls,
            once.time,
            DESCRIBE,
            once.context(MINUTE),
            once.time::nanos,
            attempt -> {
              if (round.incrementAndGet() == 1) {
                throw new CloudError(Kind.TRANSIENT);
              }
              return Polled.done("at " + Duration.ofNanos(once.time.nanos()));
            });
    once.pass(MINUTE);
    assertThat(answer(stage)).isEqualTo("at PT1S");
  }

  @Test
  @DisplayName("ends when no further read can come before its deadline")
  void deadline() {
    var stage = poll(Duration.ZERO, attempt -> Polled.again(TEN));
    door.pass(Duration.ofSeconds(49));
    assertThat(pending(stage)).isTrue();
    assertThat(door.wire.sent()).hasSize(5);
    door.pass(Duration.ofSeconds(1));
    assertThat(failure(stage).condition()).isEqualTo("pollTimeout");
    assertThat(door.wire.sent()).hasSize(6);
    assertThat(failure(poll(MINUTE, attempt -> Polled.done("late"))).condition())
        .isEqualTo("pollTimeout");
  }

  @Test
  @DisplayName("ends at once when it is cancelled in a pause, and with what is final")
  void ends() {
    CallContext context = door.context(MINUTE);
    var cancelled = poll(context, TEN, attempt -> Polled.done("never"));
    assertThat(pending(cancelled)).isTrue();
    context.cancellation().cancel();
    assertThat(failure(cancelled).kind()).isEqualTo(Kind.CANCELLED);
    assertThat(failure(poll(context, TEN, attempt -> Polled.done("never"))).kind())
        .isEqualTo(Kind.CANCELLED);
    var gone = poll(Duration.ZERO, Door.always(Kind.NOT_FOUND));
    assertThat(failure(gone).kind()).isEqualTo(Kind.NOT_FOUND);
    assertThat(door.time.pending()).isZero();
  }

  @Test
  @DisplayName("an answer that goes on must name a time")
  void needsATime() {
    assertThatThrownBy(() -> Polled.again(Duration.ZERO)).hasMessageContaining("PT0S");
  }
}
