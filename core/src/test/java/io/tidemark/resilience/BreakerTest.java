package io.tidemark.resilience;

import static io.tidemark.resilience.Door.ASSIGN;
import static io.tidemark.resilience.Door.CREATE;
import static io.tidemark.resilience.Door.DESCRIBE;
import static io.tidemark.resilience.Door.always;
import static io.tidemark.resilience.Door.answer;
import static io.tidemark.resilience.Door.failure;
import static io.tidemark.resilience.Door.pending;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.metrics.Metric;
import io.tidemark.resilience.Failure.Kind;
import io.tidemark.resilience.Priority.Rank;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The breaker: a failing API is left alone")
class BreakerTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final CloudCallsConfig CONFIG =
      Door.fixed(
          50,
          50_000,
          Door.RETRIES,
          new CloudCallsConfig.Breaker(10, 10, 50, Duration.ofSeconds(10), 2));
  private static final CallLimits WIDE = new CallLimits(100, 100, Duration.ofSeconds(5), 1);

  private final Door door = new Door(CONFIG, 1, Map.of(ASSIGN, WIDE, CREATE, WIDE, DESCRIBE, WIDE));

  private void fail(CallKind kind, Kind failure, int times) {
    for (int i = 0; i < times; i++) {
      door.call(kind, MINUTE, always(failure));
    }
  }

  private String condition(CallKind kind) {
    return failure(door.call(kind, MINUTE, always(Kind.CAPACITY))).condition();
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"TRANSIENT", "LOST"})
  @DisplayName("opens on failures of the API, for all kinds of the same class and no other")
  void opens(Kind kind) {
    fail(ASSIGN, kind, 10);
    assertThat(condition(ASSIGN)).isEqualTo("circuitOpen");
    assertThat(condition(CREATE)).isEqualTo("circuitOpen");
    assertThat(condition(DESCRIBE)).isEqualTo("codeCAPACITY");
    assertThat(failure(door.calls.admit(List.of(ASSIGN, CREATE), door.context(MINUTE)).stage()))
        .satisfies(f -> assertThat(f.kind()).isEqualTo(Kind.TRANSIENT))
        .satisfies(f -> assertThat(f.condition()).isEqualTo("circuitOpen"));
    CallContext other =
        answer(door.calls.admit(List.of(ASSIGN, DESCRIBE), door.context(MINUTE)).stage());
    assertThat(other.token().orElseThrow().kind()).isEqualTo(DESCRIBE);
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"THROTTLED", "CAPACITY", "CONFLICT", "NOT_FOUND", "NOT_RUNNING", "CONFIGURATION"})
  @DisplayName("stays closed on throttles and on refusals with a reason")
  void staysClosed(Kind kind) {
    fail(ASSIGN, kind, 50);
    assertThat(condition(ASSIGN)).isEqualTo("codeCAPACITY");
  }

  @Test
  @DisplayName("stays closed on answers, however long the operator has run")
  void longRun() {
    door.pass(Duration.ofDays(1_000));
    for (int i = 0; i < 20; i++) {
      answer(door.call(ASSIGN, MINUTE));
    }
    assertThat(condition(ASSIGN)).isEqualTo("codeCAPACITY");
  }

  @ParameterizedTest
  @CsvSource({
    "answers, circuitOpen",
    "throttles, codeCAPACITY",
    "too late to send, codeCAPACITY",
  })
  @DisplayName("five failures of ten open it: answers are counted, throttles and our own ends not")
  void counted(String others, String condition) {
    fail(ASSIGN, Kind.TRANSIENT, 5);
    for (int i = 0; i < 5; i++) {
      switch (others) {
        case "answers" -> answer(door.call(ASSIGN, MINUTE));
        case "throttles" -> fail(ASSIGN, Kind.THROTTLED, 1);
        default -> failure(door.call(ASSIGN, Duration.ofSeconds(1), attempt -> "no"));
      }
    }
    assertThat(condition(ASSIGN)).isEqualTo(condition);
  }

  @Test
  @DisplayName("opens on refusals that every request of the account would get")
  void stoppedAccount() {
    FailureClassifier badCredentials =
        new FailureClassifier() {
          @Override
          public Failure classify(CallKind kind, Throwable thrown) {
            return Door.classify(kind, thrown);
          }

          @Override
          public boolean stopsAccount(Failure failure) {
            return failure.kind() == Kind.CONFIGURATION;
          }
        };
    CloudCalls calls =
        door.factory.create(new CallPolicy("other account", Map.of(ASSIGN, WIDE), badCredentials));
    for (int i = 0; i < 10; i++) {
      calls.call(ASSIGN, door.context(MINUTE), always(Kind.CONFIGURATION));
    }
    assertThat(failure(calls.call(ASSIGN, door.context(MINUTE), attempt -> "sent")).condition())
        .isEqualTo("circuitOpen");
    assertThat(condition(ASSIGN)).as("of the first account").isEqualTo("codeCAPACITY");
  }

  @Test
  @DisplayName("a token that comes while it is open goes back")
  void tokenWhileOpen() {
    CallLimits slow = new CallLimits(1, 1, Duration.ofSeconds(5), 1);
    Door narrow = new Door(CONFIG, 1, Map.of(ASSIGN, slow, CREATE, WIDE));
    answer(narrow.call(ASSIGN, HOUR, attempt -> "drained"));
    Admission waiting = narrow.calls.admit(List.of(ASSIGN), narrow.context(HOUR));
    for (int i = 0; i < 20; i++) {
      narrow.call(CREATE, HOUR, always(Kind.TRANSIENT));
    }
    narrow.pass(Duration.ofSeconds(1));
    assertThat(failure(waiting.stage()).condition()).isEqualTo("circuitOpen");
    narrow.pass(Duration.ofMillis(10_001));
    var call = narrow.call(ASSIGN, MINUTE, attempt -> "sent");
    assertThat(answer(call)).isEqualTo("sent");
  }

  @Test
  @DisplayName("lets probes through after its time: they close it, or open it again")
  void halfOpen() {
    fail(ASSIGN, Kind.TRANSIENT, 10);
    door.pass(Duration.ofSeconds(10));
    assertThat(condition(ASSIGN)).isEqualTo("circuitOpen");
    assertThat(door.wire.sent()).hasSize(10);
    door.pass(Duration.ofMillis(1));
    fail(ASSIGN, Kind.TRANSIENT, 2);
    assertThat(door.wire.sent()).hasSize(12);
    assertThat(condition(ASSIGN)).isEqualTo("circuitOpen");
    door.pass(Duration.ofMillis(10_001));
    assertThat(answer(door.calls.admit(List.of(ASSIGN), door.context(MINUTE)).stage()).token())
        .isPresent();
    for (int i = 0; i < 20; i++) {
      assertThat(condition(ASSIGN)).isEqualTo("codeCAPACITY");
    }
  }

  @Test
  @DisplayName("is a metric from the first call on: held back until a probe has closed it")
  void metric() {
    assertThat(door.measured.all(Metric.API_HELD_BACK))
        .isEqualTo(Map.of("reads", 0.0, "changes", 0.0));
    fail(ASSIGN, Kind.TRANSIENT, 10);
    assertThat(door.measured.all(Metric.API_HELD_BACK))
        .isEqualTo(Map.of("reads", 0.0, "changes", 1.0));
    door.pass(Duration.ofMillis(10_001));
    assertThat(condition(ASSIGN)).isEqualTo("codeCAPACITY");
    assertThat(door.measured.all(Metric.API_HELD_BACK)).containsEntry("changes", 1.0);
    assertThat(condition(ASSIGN)).isEqualTo("codeCAPACITY");
    assertThat(door.measured.all(Metric.API_HELD_BACK)).containsEntry("changes", 0.0);
  }

  @Test
  @DisplayName("while probes are out nobody else goes; a cancelled probe makes room for another")
  void cancelledProbe() {
    fail(ASSIGN, Kind.TRANSIENT, 10);
    door.pass(Duration.ofMillis(10_001));
    door.wire.latency(site -> Duration.ofSeconds(1));
    List<CallContext> probes = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      CallContext probe = door.context(MINUTE);
      probes.add(probe);
      door.calls.call(ASSIGN, probe, attempt -> "probed");
    }
    assertThat(condition(ASSIGN)).isEqualTo("circuitOpen");
    probes.get(0).cancellation().cancel();
    var next = door.call(ASSIGN, MINUTE, attempt -> "next probe");
    door.pass(Duration.ofSeconds(1));
    assertThat(answer(next)).isEqualTo("next probe");
    var usual = door.call(ASSIGN, MINUTE, attempt -> "closed");
    door.pass(Duration.ofSeconds(1));
    assertThat(answer(usual)).isEqualTo("closed");
  }

  @Test
  @DisplayName("whoever waits for a token when it opens hears of it when the token comes")
  void waitersHear() {
    CallLimits slow = new CallLimits(1, 10, Duration.ofSeconds(5), 1);
    Door slowDoor = new Door(CONFIG, 1, Map.of(ASSIGN, slow));
    slowDoor.wire.latency(site -> Duration.ofMillis(500));
    List<CompletionStage<CallResult<String>>> calls = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      calls.add(slowDoor.call(ASSIGN, HOUR, always(Kind.TRANSIENT)));
    }
    Admission admission = slowDoor.calls.admit(List.of(ASSIGN), slowDoor.context(HOUR));
    slowDoor.pass(Duration.ofMillis(999));
    assertThat(calls.stream().filter(Door::pending)).hasSize(90);
    assertThat(pending(admission.stage())).isTrue();
    slowDoor.pass(Duration.ofMillis(1));
    assertThat(calls.stream().filter(Door::pending)).isEmpty();
    assertThat(failure(admission.stage()).condition()).isEqualTo("circuitOpen");
    assertThat(slowDoor.wire.sent()).hasSize(10);
  }

  @Test
  @DisplayName("calls that waited minutes for their token are not slow calls of the cloud")
  void waitingIsNotSlow() {
    CallLimits slow = new CallLimits(0.5, 1, Duration.ofSeconds(5), 1);
    Door slowDoor = new Door(CONFIG, 1, Map.of(DESCRIBE, slow));
    List<CompletionStage<CallResult<String>>> calls = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      calls.add(slowDoor.call(DESCRIBE, HOUR, attempt -> "described"));
    }
    slowDoor.pass(Duration.ofMinutes(7));
    assertThat(calls).allSatisfy(call -> assertThat(answer(call)).isEqualTo("described"));
  }

  @Test
  @DisplayName("one hung kind cannot take all workers")
  void hungKind() {
    CloudCallsConfig config = CONFIG.withWorkers(8);
    Door crowded = new Door(config, 1, Map.of(ASSIGN, WIDE, DESCRIBE, WIDE));
    List<CompletionStage<CallResult<String>>> hung = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      hung.add(
          crowded.calls.call(
              ASSIGN, crowded.context("n" + i, Rank.PODS_WAITING, MINUTE), Door.SILENT));
    }
    assertThat(crowded.wire.onTheWire()).isEqualTo(6);
    var other = crowded.call(DESCRIBE, MINUTE, attempt -> "described");
    assertThat(answer(other)).isEqualTo("described");
    crowded.pass(Duration.ofSeconds(5));
    assertThat(crowded.wire.mostOnTheWire()).isLessThanOrEqualTo(7);
    assertThat(crowded.wire.sent()).hasSizeGreaterThan(12);
    crowded.pass(MINUTE);
    assertThat(hung).noneMatch(Door::pending);
    assertThat(crowded.time.pending()).isZero();
  }

  @Test
  @DisplayName("who waits for a worker goes by need, not by arrival")
  void workersByNeed() {
    Door narrow = new Door(CONFIG.withWorkers(1), 1, Map.of(ASSIGN, WIDE));
    narrow.wire.latency(site -> Duration.ofSeconds(1));
    List<Rank> ranks =
        List.of(Rank.SWEEP, Rank.RELEASE, Rank.BELOW_WATERMARK, Rank.PODS_WAITING, Rank.REPAIR);
    for (Rank rank : ranks) {
      narrow.calls.call(ASSIGN, narrow.context(rank.name(), rank, HOUR), attempt -> "done");
    }
    narrow.pass(MINUTE);
    assertThat(narrow.wire.sent().stream().map(Wire.Sent::node))
        .containsExactly("SWEEP", "PODS_WAITING", "BELOW_WATERMARK", "REPAIR", "RELEASE");
  }
}
