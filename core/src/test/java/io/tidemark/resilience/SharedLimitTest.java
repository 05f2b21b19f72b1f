package io.tidemark.resilience;

import static io.tidemark.resilience.Door.ASSIGN;
import static io.tidemark.resilience.Door.CREATE;
import static io.tidemark.resilience.Door.DESCRIBE;
import static io.tidemark.resilience.Door.answer;
import static io.tidemark.resilience.Door.pending;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.metrics.Metric;
import io.tidemark.resilience.Priority.Rank;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A limit that several kinds of requests share")
class SharedLimitTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final CallLimits FREE =
      new CallLimits(Double.POSITIVE_INFINITY, 1, Duration.ofSeconds(5), 1);

  /** Not of {@code CREATE}. */
  private static final SharedLimit BOTH = new SharedLimit("Both", 2, 4, Set.of(ASSIGN, DESCRIBE));

  private final Door door = new Door(CloudCallsConfig.defaults());
  private final CloudCalls calls = calls(FREE, FREE);

  private CloudCalls calls(CallLimits assign, CallLimits describe) {
    return factory(CloudCallsConfig.defaults(), LearnedRates.NONE).create(policy(assign, describe));
  }

  private StandardCloudCallsFactory factory(CloudCallsConfig config, LearnedRates learned) {
    return new StandardCloudCallsFactory(
        config, door.time, door.wire, new Random(1), door.measured.meters, learned, Fence.OPEN);
  }

  private static CallPolicy policy(CallLimits assign, CallLimits describe) {
    return new CallPolicy(
        "account",
        Map.of(ASSIGN, assign, DESCRIBE, describe, CREATE, FREE),
        List.of(BOTH),
        new FailureClassifier() {
          @Override
          public Failure classify(CallKind kind, Throwable thrown) {
            return Door.classify(kind, thrown);
          }

          @Override
          public Limit limitOf(Failure throttle) {
            return Limit.valueOf(throttle.condition());
          }
        });
  }

  private void send(CloudCalls calls, CallKind kind, int times) {
    for (int i = 0; i < times; i++) {
      calls.call(kind, door.context(HOUR), attempt -> "done");
    }
  }

  private void throttled(CloudCalls calls, CallKind kind, String condition, int pauseSeconds) {
    calls.call(
        kind,
        door.context(HOUR),
        attempt -> {
          throw new Door.CloudError(
              new Failure(
                  Failure.Kind.THROTTLED,
                  condition,
                  "too often",
                  Optional.of(Duration.ofSeconds(pauseSeconds))));
        });
  }

  private long sent(CallKind kind) {
    return door.wire.sent().stream().filter(sent -> sent.operation().equals(kind.name())).count();
  }

  @Test
  @DisplayName("is used up by all of them together, and by nobody else")
  void together() {
    send(calls, ASSIGN, 10);
    send(calls, DESCRIBE, 10);
    send(calls, CREATE, 10);
    assertThat(sent(ASSIGN) + sent(DESCRIBE)).isEqualTo(4);
    assertThat(sent(CREATE)).isEqualTo(10);
    door.pass(Duration.ofSeconds(3));
    assertThat(sent(ASSIGN) + sent(DESCRIBE)).isEqualTo(4 + 6);
    door.pass(HOUR);
    assertThat(sent(ASSIGN) + sent(DESCRIBE)).isEqualTo(20);
    assertThat(door.time.pending()).isZero();
  }

  @Test
  @DisplayName("goes to the most urgent of all kinds")
  void urgency() {
    send(calls, ASSIGN, 4);
    calls.call(DESCRIBE, door.context("sweep", Rank.SWEEP, HOUR), attempt -> "done");
    calls.call(DESCRIBE, door.context("verify", Rank.VERIFY, HOUR), attempt -> "done");
    calls.call(ASSIGN, door.context("pods", Rank.PODS_WAITING, HOUR), attempt -> "done");
    door.pass(Duration.ofSeconds(2));
    assertThat(door.wire.sent().stream().skip(4).map(Wire.Sent::node))
        .containsExactly("pods", "verify", "sweep");
  }

  @Test
  @DisplayName("comes on top of what a kind has for itself")
  void own() {
    CloudCalls narrow = calls(new CallLimits(1, 1, SECOND, 1), FREE);
    send(narrow, ASSIGN, 3);
    assertThat(sent(ASSIGN)).isEqualTo(1);
    send(narrow, DESCRIBE, 4);
    assertThat(sent(DESCRIBE)).as("what the other kind left").isEqualTo(3);
    door.pass(Duration.ofMillis(600));
    assertThat(sent(DESCRIBE)).isEqualTo(4);
    assertThat(sent(ASSIGN)).as("no token of its own yet").isEqualTo(1);
    door.pass(SECOND);
    assertThat(sent(ASSIGN)).isEqualTo(2);
  }

  @Test
  @DisplayName("gets back what one kind does not use, for another one")
  void givenBack() {
    CallContext held = answer(calls.admit(List.of(ASSIGN), door.context(HOUR)).stage());
    send(calls, DESCRIBE, 3);
    Admission other = calls.admit(List.of(DESCRIBE), door.context(HOUR));
    assertThat(pending(other.stage())).isTrue();
    held.giveBackToken();
    assertThat(answer(other.stage()).token().orElseThrow().kind()).isEqualTo(DESCRIBE);
  }

  @Test
  @DisplayName("is closed for all by a throttle, unless that is about the kind's own limit")
  void throttle() {
    throttled(calls, ASSIGN, "SHARED", 30);
    send(calls, DESCRIBE, 1);
    send(calls, CREATE, 1);
    door.pass(Duration.ofSeconds(29));
    assertThat(sent(DESCRIBE)).isZero();
    assertThat(sent(CREATE)).isEqualTo(1);
    door.pass(Duration.ofSeconds(2));
    assertThat(sent(DESCRIBE)).isEqualTo(1);

    throttled(calls, ASSIGN, "KIND", 30);
    send(calls, ASSIGN, 1);
    send(calls, DESCRIBE, 1);
    door.pass(Duration.ofSeconds(29));
    assertThat(sent(DESCRIBE)).isEqualTo(2);
    assertThat(sent(ASSIGN)).as("the throttled two").isEqualTo(2);
    door.pass(Duration.ofSeconds(2));
    assertThat(sent(ASSIGN)).isEqualTo(3);
  }

  @Test
  @DisplayName("is not concerned by a throttle of one resource, nor is the kind's own")
  void resource() {
    throttled(calls, ASSIGN, "RESOURCE", 30);
    send(calls, ASSIGN, 1);
    send(calls, DESCRIBE, 1);
    assertThat(sent(ASSIGN) + sent(DESCRIBE)).isEqualTo(3);
    assertThat(door.measured.all(Metric.API_RATE)).containsEntry("Both", 2.0);
  }

  @Test
  @DisplayName("is learned downwards, and back up to what is documented")
  void learned() {
    StandardCloudCallsFactory factory = factory(CloudCallsConfig.defaults(), LearnedRates.NONE);
    CloudCalls learning = factory.create(policy(FREE, FREE));
    throttled(learning, ASSIGN, "SHARED", 0);
    LearnedRates learned = factory.learnedRates();
    assertThat(learned.estimates())
        .containsExactly(new LearnedRates.Estimate("account", "Both", 2 * AdaptiveBucket.CUT));
    assertThat(door.measured.all(Metric.API_RATE)).containsEntry("Both", 2 * AdaptiveBucket.CUT);
    StandardCloudCallsFactory next = factory(CloudCallsConfig.defaults(), learned);
    next.create(policy(FREE, FREE));
    assertThat(next.learnedRates()).isEqualTo(learned);
    for (int i = 0; i < 2_000; i++) {
      send(learning, DESCRIBE, 3);
      door.pass(SECOND);
    }
    assertThat(door.measured.all(Metric.API_RATE)).containsEntry("Both", 2.0);
  }

  @Test
  @DisplayName("is paced beside a ceiling over all calls, and not at all without pacing")
  void otherPacing() {
    CloudCalls under =
        factory(CloudCallsConfig.defaults().withCeiling(100, 6), LearnedRates.NONE)
            .create(policy(FREE, FREE));
    send(under, ASSIGN, 5);
    send(under, CREATE, 5);
    assertThat(sent(ASSIGN)).isEqualTo(4);
    assertThat(sent(CREATE)).isEqualTo(2);
    send(
        StandardCloudCallsFactory.unlimited(door.time, door.wire, new Random(1))
            .create(policy(FREE, FREE)),
        DESCRIBE,
        100);
    assertThat(sent(DESCRIBE)).isEqualTo(100);
  }

  @Test
  @DisplayName("without a size or a refill it is refused")
  void refused() {
    assertThatThrownBy(() -> new SharedLimit("Both", 0, 4, Set.of(ASSIGN)))
        .hasMessage("calls-per-second is 0.0; expected above 0");
    assertThatThrownBy(() -> new SharedLimit("Both", 1, 0, Set.of(ASSIGN)))
        .hasMessageContaining("burst is 0");
  }
}
