package io.tidemark.resilience;

import static io.tidemark.resilience.Door.ASSIGN;
import static io.tidemark.resilience.Door.CREATE;
import static io.tidemark.resilience.Door.DESCRIBE;
import static io.tidemark.resilience.Door.TAG;
import static io.tidemark.resilience.Door.answer;
import static io.tidemark.resilience.Door.failing;
import static io.tidemark.resilience.Door.failure;
import static io.tidemark.resilience.Door.pending;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.metrics.Metric;
import io.tidemark.resilience.CloudCalls.Leaf;
import io.tidemark.resilience.Door.CloudError;
import io.tidemark.resilience.Failure.Kind;
import io.tidemark.time.Effect;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A call: deadline, retry, token, wire")
class CallOrderTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private final Door door = new Door(CloudCallsConfig.defaults());

  @Test
  @DisplayName("answers in the caller's turn when a token is free and the wire takes no time")
  void synchronous() {
    var stage = door.call(ASSIGN, MINUTE, attempt -> "yes");
    assertThat(answer(stage)).isEqualTo("yes");
    assertThat(door.time.pending()).isZero();
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"CAPACITY", "CONFLICT", "NOT_FOUND", "NOT_RUNNING", "CONFIGURATION", "CANCELLED"})
  @DisplayName("a refusal with a reason is the answer: it is not repeated")
  void neverRepeated(Kind kind) {
    var stage = door.call(DESCRIBE, MINUTE, failing(kind));
    assertThat(failure(stage).kind()).isEqualTo(kind);
    assertThat(door.wire.sent()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"THROTTLED", "TRANSIENT"})
  @DisplayName("what changed nothing is repeated, whatever the kind of request")
  void repeated(Kind kind) {
    for (CallKind call : Door.KINDS) {
      var stage = door.call(call, MINUTE, failing(kind, kind));
      assertThat(pending(stage)).isTrue();
      door.pass(MINUTE);
      assertThat(answer(stage)).isEqualTo("done after 3");
    }
  }

  @Test
  @DisplayName("F-9 a throttle that outlasts the attempts ends as throttled")
  void throttleOutlasts() {
    Kind[] throttles = {Kind.THROTTLED, Kind.THROTTLED, Kind.THROTTLED, Kind.THROTTLED};
    var stage = door.call(ASSIGN, MINUTE, failing(throttles));
    door.pass(MINUTE);
    assertThat(failure(stage).kind()).isEqualTo(Kind.THROTTLED);
    assertThat(door.wire.sent()).hasSize(4);
    assertThat(door.factory.counts().throttled()).containsExactly(Map.entry("Assign", 4L));
    assertThat(door.factory.counts().calls()).containsExactly(Map.entry("Assign", 4L));
  }

  @Test
  @DisplayName("a throttle with a hint holds back all calls of its kind, and no others, until then")
  void retryAfter() {
    List<String> sent = new ArrayList<>();
    Failure inHalfAMinute =
        new Failure(Kind.THROTTLED, "requestLimit", "", Optional.of(Duration.ofSeconds(30)));
    Leaf<String> once =
        attempt -> {
          if (attempt.number() > 1) {
            return "at " + Duration.ofNanos(door.time.nanos());
          }
          throw new CloudError(inHalfAMinute);
        };
    var again = door.call(ASSIGN, MINUTE, once);
    for (CallKind kind : List.of(ASSIGN, CREATE)) {
      door.calls.call(
          kind,
          door.context("n2", Priority.Rank.PODS_WAITING, MINUTE),
          attempt -> sent.add(kind + " at " + Duration.ofNanos(door.time.nanos())));
    }
    door.pass(MINUTE);
    assertThat(answer(again)).isEqualTo("at PT30S");
    assertThat(sent).containsExactly("Create at PT0S", "Assign at PT30S");
    assertThat(door.measured.all(Metric.API_RETRIES)).isEqualTo(Map.of(ASSIGN.name(), 1.0));
    var tooLate = door.call(ASSIGN, Duration.ofSeconds(20), once);
    assertThat(failure(tooLate).kind()).as("without waiting for it").isEqualTo(Kind.THROTTLED);
  }

  @Test
  @DisplayName("ONCE is never repeated after a lost answer")
  void onceIsNotRepeated() {
    var stage = door.call(ASSIGN, MINUTE, failing(Kind.LOST));
    assertThat(failure(stage).kind()).isEqualTo(Kind.LOST);
    door.pass(MINUTE);
    assertThat(door.wire.sent()).hasSize(1);
  }

  @Test
  @DisplayName("TOKENED is repeated after a lost answer, with the same request token")
  void tokenedKeepsItsToken() {
    List<String> tokens = new ArrayList<>();
    Leaf<String> lostTwice =
        attempt -> {
          tokens.add(attempt.requestToken());
          if (tokens.size() < 3) {
            throw new Wire.Silence();
          }
          return "created";
        };
    var first = door.call(CREATE, MINUTE, lostTwice);
    door.pass(MINUTE);
    assertThat(answer(first)).isEqualTo("created");
    assertThat(tokens).hasSize(3);
    assertThat(tokens.get(0)).matches("[0-9a-f]{32}");
    assertThat(tokens.stream().distinct()).hasSize(1);
    door.call(CREATE, MINUTE, lostTwice);
    assertThat(tokens.stream().distinct()).hasSize(2);
  }

  @Test
  @DisplayName("REPEATABLE and READ are repeated after a lost answer")
  void repeatable() {
    for (CallKind kind : List.of(TAG, DESCRIBE)) {
      var stage = door.call(kind, MINUTE, failing(Kind.LOST));
      door.pass(MINUTE);
      assertThat(answer(stage)).isEqualTo("done after 2");
    }
  }

  @Test
  @DisplayName("after a lost answer no later failure may claim that nothing changed")
  void lossIsNotForgotten() {
    for (Kind last : List.of(Kind.CAPACITY, Kind.CONFLICT, Kind.NOT_RUNNING, Kind.CONFIGURATION)) {
      var stage = door.call(CREATE, MINUTE, failing(Kind.LOST, last));
      door.pass(MINUTE);
      assertThat(failure(stage).kind()).as("%s after LOST", last).isEqualTo(Kind.LOST);
    }
    var gone = door.call(TAG, MINUTE, failing(Kind.LOST, Kind.NOT_FOUND));
    door.pass(MINUTE);
    assertThat(failure(gone).kind()).isEqualTo(Kind.NOT_FOUND);
    var read = door.call(DESCRIBE, MINUTE, failing(Kind.LOST, Kind.CAPACITY));
    door.pass(MINUTE);
    assertThat(failure(read).kind()).isEqualTo(Kind.CAPACITY);
  }

  @Test
  @DisplayName("a classifier that fails, or an answer of nothing, leaves the effect unknown")
  @SuppressWarnings("NullAway") // the leaf breaks its contract
  void unclassified() {
    Leaf<String> strange =
        attempt -> {
          throw new IllegalStateException("strange");
        };
    Failure failure = failure(door.call(ASSIGN, MINUTE, strange));
    assertThat(failure.kind()).isEqualTo(Kind.LOST);
    assertThat(failure.condition()).isEqualTo("unclassified");
    Leaf<String> nothing = attempt -> null;
    failure = failure(door.call(ASSIGN, MINUTE, nothing));
    assertThat(failure.kind()).isEqualTo(Kind.LOST);
  }

  @Test
  @DisplayName("a hung attempt ends by the attempt timeout as lost")
  void attemptTimeout() {
    var stage = door.call(ASSIGN, MINUTE, Door.SILENT);
    door.pass(Duration.ofMillis(4_999));
    assertThat(pending(stage)).isTrue();
    door.pass(Duration.ofMillis(1));
    assertThat(failure(stage).condition()).isEqualTo("timeout");
  }

  @Test
  @DisplayName("a call on the wire ends by its deadline as lost")
  void deadlineOnTheWire() {
    door.wire.latency(site -> Duration.ofSeconds(4));
    var stage = door.call(DESCRIBE, Duration.ofSeconds(2), attempt -> "late");
    door.pass(Duration.ofSeconds(2));
    assertThat(failure(stage).kind()).isEqualTo(Kind.LOST);
    door.pass(MINUTE);
    assertThat(door.time.pending()).isZero();
  }

  @Test
  @DisplayName("what must not be repeated is not sent without time left to hear what became of it")
  void tooLateForOneAttempt() {
    CallContext late = door.context(Duration.ofSeconds(1));
    Failure failure = failure(door.calls.call(ASSIGN, late, attempt -> "no"));
    assertThat(failure.kind()).isEqualTo(Kind.THROTTLED);
    assertThat(failure.condition()).isEqualTo("waitedForToken");
    assertThat(door.wire.sent()).isEmpty();
    var harmless = door.calls.call(DESCRIBE, late, attempt -> "yes");
    assertThat(answer(harmless)).isEqualTo("yes");
    var inTime = door.call(ASSIGN, Duration.ofSeconds(2), attempt -> "yes");
    assertThat(answer(inTime)).isEqualTo("yes");
  }

  @Test
  @DisplayName("a call after its deadline is not sent, nor one that was cancelled")
  void notSent() {
    CallContext late = door.context(Duration.ZERO);
    assertThat(failure(door.calls.call(TAG, late, attempt -> "no")).kind())
        .isEqualTo(Kind.TRANSIENT);
    CallContext cancelled = door.context(MINUTE);
    cancelled.cancellation().cancel();
    assertThat(failure(door.calls.call(TAG, cancelled, attempt -> "no")).kind())
        .isEqualTo(Kind.CANCELLED);
    assertThat(door.wire.sent()).isEmpty();
  }

  @Test
  @DisplayName("cancelling interrupts what is on the wire: it ends at once as lost")
  void cancelOnTheWire() {
    door.wire.latency(site -> Duration.ofSeconds(3));
    CallContext context = door.context(MINUTE);
    var stage = door.calls.call(DESCRIBE, context, attempt -> "late");
    door.pass(Duration.ofSeconds(1));
    context.cancellation().cancel();
    assertThat(failure(stage).kind()).isEqualTo(Kind.LOST);
    assertThat(door.wire.onTheWire()).isZero();
    door.pass(MINUTE);
    assertThat(door.wire.sent()).hasSize(1);
  }

  @Test
  @DisplayName("cancelling a pause between attempts ends it as cancelled, or lost if one was lost")
  void cancelInPause() {
    CallContext context = door.context(MINUTE);
    var stage = door.calls.call(ASSIGN, context, failing(Kind.TRANSIENT));
    context.cancellation().cancel();
    assertThat(failure(stage).kind()).isEqualTo(Kind.CANCELLED);
    CallContext other = door.context(MINUTE);
    var lost = door.calls.call(CREATE, other, failing(Kind.LOST));
    other.cancellation().cancel();
    assertThat(failure(lost).kind()).isEqualTo(Kind.LOST);
    assertThat(door.time.pending()).isZero();
  }

  @Test
  @DisplayName("a kind without limits is refused")
  void unknownKind() {
    CallKind unknown = new CallKind("Terminate", CallKind.Effect.ONCE);
    Failure call = failure(door.call(unknown, MINUTE, attempt -> "no"));
    assertThat(call.kind()).isEqualTo(Kind.CONFIGURATION);
    Failure admission =
        failure(door.calls.admit(List.of(ASSIGN, unknown), door.context(MINUTE)).stage());
    assertThat(admission.detail()).contains("Terminate").contains("account");
  }

  /** A runner whose threads are all busy for ever, or that takes nothing at all. */
  private record Busy(boolean refuses) implements EffectRunner {
    @Override
    public <T> Effect<T> run(EffectSite site, Duration timeout, Callable<T> leaf) {
      CompletableFuture<T> stage = new CompletableFuture<>();
      if (refuses) {
        stage.completeExceptionally(new RejectedExecutionException("no room"));
      }
      return new Effect<>() {
        @Override
        public CompletionStage<T> stage() {
          return stage;
        }

        @Override
        public void interrupt() {
          stage.completeExceptionally(new CancellationException());
        }

        @Override
        public boolean started() {
          return false;
        }
      };
    }
  }

  private CloudCalls over(EffectRunner runner) {
    return StandardCloudCallsFactory.unlimited(door.time, runner, new Random(1))
        .create(Door.policy(Map.of()));
  }

  @Test
  @DisplayName("what never reached a worker changed nothing: cancelled, or to be tried again")
  void neverStarted() {
    CloudCalls busy = over(new Busy(false));
    CallContext context = door.context(MINUTE);
    var cancelled = busy.call(ASSIGN, context, attempt -> "no");
    context.cancellation().cancel();
    assertThat(failure(cancelled).kind()).isEqualTo(Kind.CANCELLED);
    var late = busy.call(ASSIGN, door.context(MINUTE), attempt -> "no");
    door.pass(MINUTE);
    assertThat(failure(late).kind()).isEqualTo(Kind.TRANSIENT);
    var refused = over(new Busy(true)).call(ASSIGN, door.context(MINUTE), attempt -> "no");
    door.pass(MINUTE);
    assertThat(failure(refused).condition()).isEqualTo("notSent");
  }

  @Test
  @DisplayName("meters see each attempt with its code")
  void meters() {
    var stage = door.call(TAG, MINUTE, failing(Kind.TRANSIENT));
    door.pass(MINUTE);
    assertThat(answer(stage)).isEqualTo("done after 2");
    assertThat(door.measured.all(Metric.API_DURATION))
        .containsEntry("Tag codeTRANSIENT", 1.0)
        .containsEntry("Tag OK", 1.0);
  }
}
