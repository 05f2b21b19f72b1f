package io.tidemark.resilience;

import static io.tidemark.resilience.Door.ASSIGN;
import static io.tidemark.resilience.Door.CREATE;
import static io.tidemark.resilience.Door.DESCRIBE;
import static io.tidemark.resilience.Door.answer;
import static io.tidemark.resilience.Door.failure;
import static io.tidemark.resilience.Door.pending;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.metrics.Metric;
import io.tidemark.resilience.Failure.Kind;
import io.tidemark.resilience.Priority.Rank;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The program has run for an hour, so that an instant is not taken for a duration. */
@DisplayName("One attempt: its bounds, and what is free again when it ends")
class AttemptTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final CallLimits ONCE = new CallLimits(1, 2, Duration.ofSeconds(5), 1);
  private static final CloudCallsConfig FIXED =
      CloudCallsConfig.defaults().withPacing(CloudCallsConfig.Pacing.FIXED).withWorkers(1);

  private final Door door = new Door(FIXED, 1, Map.of(ASSIGN, ONCE));

  @BeforeEach
  void runForAnHour() {
    door.pass(HOUR);
  }

  private CompletionStage<CallResult<String>> call(CallKind kind, Duration deadline) {
    return door.calls.call(kind, door.context(deadline), attempt -> "done");
  }

  private CompletionStage<CallResult<CallContext>> admission(String node, Duration deadline) {
    CallContext context = door.context(node, Rank.BELOW_WATERMARK, deadline);
    return door.calls.admit(List.of(ASSIGN), context).stage();
  }

  @Test
  @DisplayName("the meters show how long it took, and how long its token was waited for")
  void durations() {
    door.wire.latency(site -> Duration.ofMillis(300));
    call(DESCRIBE, MINUTE);
    door.pass(SECOND);
    assertThat(door.measured.time(Metric.API_DURATION, "Describe", "OK")).hasMillis(300);
    assertThat(door.measured.time(Metric.API_RATE_LIMIT_DURATION, "Describe")).isZero();
    door.wire.latency(site -> Duration.ZERO);
    call(ASSIGN, MINUTE);
    call(ASSIGN, MINUTE);
    call(ASSIGN, MINUTE);
    door.pass(SECOND);
    assertThat(door.measured.time(Metric.API_RATE_LIMIT_DURATION, "Assign")).isEqualTo(SECOND);
  }

  @ParameterizedTest
  @CsvSource({"1249, 0", "1250, 1"})
  @DisplayName("what must not be repeated is sent with a quarter of its time left, not with less")
  void shortestTime(int millis, int sent) {
    var call = call(ASSIGN, Duration.ofMillis(millis));
    assertThat(pending(call)).isFalse();
    assertThat(door.wire.sent()).hasSize(sent);
  }

  @Test
  @DisplayName("who is too late to send makes room for the next at once")
  void tooLate() {
    CallContext late = answer(admission("late", Duration.ofSeconds(6)));
    var next = admission("next", MINUTE);
    door.pass(Duration.ofSeconds(5));
    assertThat(pending(next)).as("there is one worker").isTrue();
    assertThat(failure(door.calls.call(ASSIGN, late, attempt -> "done")).condition())
        .isEqualTo("waitedForToken");
    assertThat(answer(next).node()).isEqualTo("next");
  }

  @Test
  @DisplayName("what the pool of threads refuses fails, and makes room for the next at once")
  void refused() {
    CallContext first = answer(admission("first", MINUTE));
    var next = admission("next", MINUTE);
    door.wire.refuses = true;
    assertThat(failure(door.calls.call(ASSIGN, first, attempt -> "done")).kind())
        .isEqualTo(Kind.TRANSIENT);
    assertThat(answer(next).node()).isEqualTo("next");
  }

  @ParameterizedTest
  @CsvSource({"false", "true"})
  @DisplayName("a cancelled call ends at once; its worker is free when the request has ended")
  void cancelled(boolean deaf) {
    door.wire.deaf = deaf;
    door.wire.latency(site -> Duration.ofSeconds(3));
    CallContext context = door.context(MINUTE);
    var call = door.calls.call(ASSIGN, context, attempt -> "done");
    var next = admission("next", MINUTE);
    door.pass(SECOND);
    assertThat(pending(call)).isTrue();
    context.cancellation().cancel();
    assertThat(failure(call).kind()).isEqualTo(Kind.LOST);
    assertThat(pending(next)).isEqualTo(deaf);
    door.pass(Duration.ofSeconds(2));
    assertThat(answer(next).node()).isEqualTo("next");
  }

  @Test
  @DisplayName("a call that is cancelled while it waits leaves its place, and its waiting counts")
  void cancelledWhileWaiting() {
    Door narrow =
        new Door(Door.fixed(1, 1, Door.RETRIES, Door.BREAKER), 1, Map.of(ASSIGN, slow(1)));
    narrow.call(ASSIGN, HOUR, attempt -> "drained");
    CallContext context = narrow.context(HOUR);
    var call = narrow.calls.call(ASSIGN, context, attempt -> "waits");
    var tooMany = narrow.call(ASSIGN, HOUR, attempt -> "no place");
    assertThat(failure(tooMany).condition()).isEqualTo("queueFull");
    narrow.pass(Duration.ofMillis(400));
    context.cancellation().cancel();
    assertThat(failure(call).kind()).isEqualTo(Kind.CANCELLED);
    assertThat(narrow.measured.time(Metric.API_RATE_LIMIT_DURATION, "Assign")).hasMillis(400);
    var next = narrow.call(ASSIGN, HOUR, attempt -> "next");
    narrow.pass(Duration.ofMillis(600));
    assertThat(answer(next)).isEqualTo("next");
  }

  @Test
  @DisplayName("a pause that reaches past the deadline is not begun")
  void noPausePastTheDeadline() {
    Duration twenty = Duration.ofSeconds(20);
    Door slow =
        new Door(
            Door.fixed(1, 1, new CloudCallsConfig.Retries(twenty, twenty, twenty), Door.BREAKER),
            1,
            Map.of());
    slow.pass(HOUR);
    var call = slow.call(DESCRIBE, Duration.ofMillis(50), Door.always(Kind.TRANSIENT));
    assertThat(failure(call).condition()).isEqualTo("codeTRANSIENT");
  }

  @Test
  @DisplayName("who was admitted through one queue leaves its place in the others to the next")
  void leavesOtherQueues() {
    Door narrow =
        new Door(
            Door.fixed(1, 1, Door.RETRIES, Door.BREAKER),
            1,
            Map.of(ASSIGN, slow(1), CREATE, slow(0.5)));
    for (CallKind kind : List.of(ASSIGN, CREATE)) {
      narrow.call(kind, HOUR, attempt -> "drained");
    }
    Admission either = narrow.calls.admit(List.of(CREATE, ASSIGN), narrow.context(HOUR));
    narrow.pass(SECOND);
    assertThat(answer(either.stage()).token().orElseThrow().kind()).isEqualTo(ASSIGN);
    Admission next = narrow.calls.admit(List.of(CREATE), narrow.context(HOUR));
    assertThat(pending(next.stage())).as("it has a place").isTrue();
    narrow.pass(SECOND);
    assertThat(answer(next.stage()).token().orElseThrow().kind()).isEqualTo(CREATE);
  }

  private static CallLimits slow(double perSecond) {
    return new CallLimits(perSecond, 1, Duration.ofSeconds(5), 1);
  }

  @Test
  @DisplayName("what was learned counts where buckets adapt, and nowhere else")
  void learnedAndFixed() {
    LearnedRates learned =
        new LearnedRates(List.of(new LearnedRates.Estimate("account", "Describe", 0.5)));
    for (CloudCallsConfig.Pacing pacing :
        List.of(CloudCallsConfig.Pacing.FIXED, CloudCallsConfig.Pacing.ADAPTIVE)) {
      Door other = new Door(FIXED);
      CloudCalls calls =
          new StandardCloudCallsFactory(
                  FIXED.withPacing(pacing),
                  other.time,
                  other.wire,
                  new Random(1),
                  other.measured.meters,
                  learned,
                  Fence.OPEN)
              .create(Door.policy(Map.of()));
      for (int i = 0; i < 10; i++) {
        calls.call(DESCRIBE, other.context(MINUTE), attempt -> "done");
      }
      assertThat(other.wire.sent())
          .as("sent at once, %s", pacing)
          .hasSize(pacing == CloudCallsConfig.Pacing.FIXED ? 10 : 2);
    }
  }
}
