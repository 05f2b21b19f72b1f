package io.tidemark.resilience;

import static io.tidemark.resilience.Door.ASSIGN;
import static io.tidemark.resilience.Door.CREATE;
import static io.tidemark.resilience.Door.DESCRIBE;
import static io.tidemark.resilience.Door.answer;
import static io.tidemark.resilience.Door.pending;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resilience.Priority.Rank;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The settings: ceiling, pacing, learned rates")
class CeilingTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final CallLimits WIDE = new CallLimits(1_000, 1_000, Duration.ofSeconds(5), 1);
  private static final Map<CallKind, CallLimits> ALL_WIDE =
      Map.of(ASSIGN, WIDE, CREATE, WIDE, DESCRIBE, WIDE);

  @Test
  @DisplayName("the reference profile lets out 20 calls and then four per second, over all kinds")
  void referenceProfile() {
    Door door = new Door(CloudCallsConfig.defaults().withCeiling(4, 20), 1, ALL_WIDE);
    Random random = new Random(5);
    for (int i = 0; i < 100; i++) {
      CallKind kind = Door.KINDS.get(random.nextInt(3));
      door.call(kind, HOUR);
    }
    assertThat(door.wire.sent()).hasSize(20);
    door.pass(Duration.ofMillis(249));
    assertThat(door.wire.sent()).hasSize(20);
    door.pass(Duration.ofMillis(1));
    assertThat(door.wire.sent()).hasSize(21);
    door.pass(Duration.ofSeconds(5));
    assertThat(door.wire.sent()).hasSize(41);
    door.pass(HOUR);
    assertThat(door.time.pending()).isZero();
  }

  @Test
  @DisplayName("under a ceiling the most urgent of all kinds goes first")
  void urgencyOverKinds() {
    Door door = new Door(CloudCallsConfig.defaults().withCeiling(1, 1), 1, ALL_WIDE);
    door.calls.call(ASSIGN, door.context("first", Rank.SWEEP, HOUR), attempt -> "done");
    door.calls.call(ASSIGN, door.context("sweep", Rank.SWEEP, HOUR), attempt -> "done");
    door.calls.call(DESCRIBE, door.context("verify", Rank.VERIFY, HOUR), attempt -> "done");
    door.calls.call(CREATE, door.context("low", Rank.BELOW_WATERMARK, HOUR), attempt -> "done");
    Priority worse = new Priority(Rank.BELOW_WATERMARK, 1);
    door.calls.call(ASSIGN, door.context("lower", worse, HOUR), attempt -> "done");
    door.calls.call(ASSIGN, door.context("pods", Rank.PODS_WAITING, HOUR), attempt -> "done");
    door.calls.call(CREATE, door.context("more pods", Rank.PODS_WAITING, HOUR), attempt -> "done");
    door.pass(Duration.ofSeconds(10));
    assertThat(door.wire.sent().stream().map(Wire.Sent::node))
        .containsExactly("first", "pods", "lower", "more pods", "low", "verify", "sweep");
  }

  @Test
  @DisplayName("under a ceiling a token given back serves another kind in the same turn")
  void giveBackUnderCeiling() {
    Door door = new Door(CloudCallsConfig.defaults().withCeiling(1, 1), 1, ALL_WIDE);
    CallContext held = answer(door.calls.admit(List.of(ASSIGN), door.context(HOUR)).stage());
    Admission other = door.calls.admit(List.of(CREATE), door.context(HOUR));
    assertThat(pending(other.stage())).isTrue();
    held.giveBackToken();
    assertThat(answer(other.stage()).token().orElseThrow().kind()).isEqualTo(CREATE);
  }

  @Test
  @DisplayName("without pacing all calls go out at once")
  void unlimited() {
    Door door = new Door(CloudCallsConfig.defaults());
    CloudCalls calls =
        StandardCloudCallsFactory.unlimited(door.time, door.wire, new Random(1))
            .create(Door.policy(Map.of()));
    for (int i = 0; i < 10_000; i++) {
      CallContext admitted =
          answer(calls.admit(List.of(ASSIGN, CREATE), door.context(HOUR)).stage());
      calls.call(admitted.token().orElseThrow().kind(), admitted, attempt -> "done");
    }
    assertThat(door.wire.sent()).hasSize(10_000);
    assertThat(door.time.pending()).isZero();
  }

  @Test
  @DisplayName("two doors to one account share its buckets; another account has its own")
  void accounts() {
    Door door = new Door(CloudCallsConfig.defaults());
    CloudCalls second = door.factory.create(Door.policy(Map.of()));
    CallPolicy other = new CallPolicy("other", Map.of(ASSIGN, Door.LIMITS), Door::classify);
    CloudCalls third = door.factory.create(other);
    for (int i = 0; i < 20; i++) {
      (i % 2 == 0 ? door.calls : second).call(ASSIGN, door.context(HOUR), attempt -> "done");
    }
    assertThat(door.wire.sent()).hasSize(Door.LIMITS.burst());
    assertThat(answer(third.admit(List.of(ASSIGN), door.context(HOUR)).stage()).token())
        .isPresent();
  }

  @Test
  @DisplayName("the buckets show tokens, rate, who waits, and what the cloud throttled or closed")
  void buckets() {
    Door door = new Door(CloudCallsConfig.defaults());
    BucketState fresh = bucket(door);
    assertThat(fresh.account()).isEqualTo("account");
    assertThat(fresh.tokens()).isEqualTo(Door.LIMITS.burst());
    assertThat(fresh.capacity()).isEqualTo(Door.LIMITS.burst());
    assertThat(fresh.callsPerSecond()).isEqualTo(5);
    assertThat(fresh.throttled()).isFalse();
    assertThat(fresh.closed()).isZero();

    for (int i = 0; i < Door.LIMITS.burst() + 3; i++) {
      door.call(ASSIGN, HOUR, Door.always(Failure.Kind.THROTTLED));
    }
    BucketState throttled = bucket(door);
    assertThat(throttled.waiting()).isGreaterThanOrEqualTo(3);
    assertThat(throttled.tokens()).isLessThanOrEqualTo(0);
    assertThat(throttled.throttled()).isTrue();
    assertThat(throttled.callsPerSecond()).isEqualTo(5 * 0.97);
    assertThat(door.factory.buckets())
        .extracting(BucketState::operation)
        .containsExactly("Assign", "Create", "Describe", "Tag");
  }

  private static BucketState bucket(Door door) {
    return door.factory.buckets().stream()
        .filter(each -> each.operation().equals("Assign"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  @DisplayName("learned rates are handed to the next leader")
  void learnedRates() {
    Door door = new Door(CloudCallsConfig.defaults());
    door.call(ASSIGN, HOUR, Door.always(Failure.Kind.THROTTLED));
    LearnedRates learned = door.factory.learnedRates();
    double rate = learned.of("account", "Assign").orElseThrow().callsPerSecond();
    assertThat(rate).isEqualTo(5 * 0.97);
    assertThat(learned.estimates().stream().map(LearnedRates.Estimate::operation))
        .containsExactly("Assign", "Create", "Describe", "Tag");
    StandardCloudCallsFactory next =
        new StandardCloudCallsFactory(
            CloudCallsConfig.defaults(),
            door.time,
            door.wire,
            new Random(2),
            door.measured.meters,
            learned,
            Fence.OPEN);
    next.create(Door.policy(Map.of()));
    assertThat(next.learnedRates()).isEqualTo(learned);
  }
}
