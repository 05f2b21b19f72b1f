package io.tidemark.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resilience.Admission;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Failure;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Before the end")
class DrainingTest {
  private static final Duration SPAN = Duration.ofMillis(100);

  private final VirtualTime time = new VirtualTime(0);
  private final Draining draining = new Draining(time);

  private CloudCalls calls() {
    return draining.watching(Requests.door(time)).create(Requests.POLICY);
  }

  private void change(CloudCalls calls) {
    calls.call(Requests.CHANGE, Requests.context(new Cancellation()), attempt -> "done");
  }

  @Test
  @DisplayName("a change that is under way is waited for, and a while after it")
  void waitsForChanges() {
    change(calls());
    draining.begin();

    time.runUntil(Duration.ofMillis(900).toNanos());
    assertThat(draining.quietFor(SPAN)).isFalse();
    assertThat(draining.unknown()).containsExactly("Assign for node worker-a");

    time.runUntil(Duration.ofMillis(1_050).toNanos());
    assertThat(draining.quietFor(SPAN)).isFalse();

    time.runUntil(Duration.ofMillis(1_200).toNanos());
    assertThat(draining.quietFor(SPAN)).isTrue();
    assertThat(draining.unknown()).isEmpty();
  }

  @Test
  @DisplayName("a read is not waited for")
  void ignoresReads() {
    time.runUntil(Duration.ofSeconds(1).toNanos());
    draining.begin();
    calls().call(Requests.READ, Requests.context(new Cancellation()), attempt -> "done");

    assertThat(draining.quietFor(SPAN)).isFalse();
    time.runUntil(Duration.ofMillis(1_100).toNanos());
    assertThat(draining.quietFor(SPAN)).isTrue();
  }

  @Test
  @DisplayName("no new pass begins")
  void admitsNobody() {
    CloudCalls calls = calls();
    draining.begin();
    Admission admission =
        calls.admit(List.of(Requests.CHANGE), Requests.context(new Cancellation()));

    CompletableFuture<CallResult<CallContext>> end = admission.stage().toCompletableFuture();
    assertThat(end).isCompletedWithValueMatching(result -> kind(result) == Failure.Kind.CANCELLED);
  }

  @Test
  @DisplayName("a pass that has begun takes its further steps")
  void stepsGoOn() {
    CloudCalls calls = calls();
    draining.begin();
    CompletableFuture<CallResult<String>> end =
        calls
            .call(Requests.CHANGE, Requests.context(new Cancellation()), attempt -> "done")
            .toCompletableFuture();
    time.runUntil(Duration.ofSeconds(2).toNanos());

    assertThat(end).isCompletedWithValue(new CallResult.Answered<>("done"));
  }

  @Test
  @DisplayName("a change whose answer was lost stays unknown")
  void lostAnswer() {
    CloudCalls calls = draining.watching(Requests.deafDoor(time)).create(Requests.POLICY);
    change(calls);
    draining.begin();
    time.runUntil(Duration.ofSeconds(30).toNanos());

    assertThat(draining.quietFor(SPAN)).isTrue();
    assertThat(draining.unknown()).containsExactly("Assign for node worker-a");
  }

  private static Failure.Kind kind(CallResult<CallContext> result) {
    return result.match(context -> Failure.Kind.TRANSIENT, Failure::kind);
  }
}
