package io.tidemark.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resilience.Admission;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.StandardCloudCallsFactory;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A door that changes nothing")
class ReadOnlyCallsTest {
  private final VirtualTime time = new VirtualTime(0);
  private final StandardCloudCallsFactory door = Requests.door(time);
  private final ReadOnlyCalls calls = new ReadOnlyCalls(door.create(Requests.POLICY), time);

  @Test
  @DisplayName("lets reads pass")
  void reads() {
    CompletableFuture<CallResult<String>> end =
        calls
            .call(Requests.READ, Requests.context(new Cancellation()), attempt -> "seen")
            .toCompletableFuture();
    time.runUntil(Duration.ofSeconds(2).toNanos());

    assertThat(end).isCompletedWithValue(new CallResult.Answered<>("seen"));
  }

  @Test
  @DisplayName("sends no change")
  void changes() {
    CompletableFuture<CallResult<String>> end =
        calls
            .call(Requests.CHANGE, Requests.context(new Cancellation()), attempt -> "done")
            .toCompletableFuture();

    assertThat(end)
        .isCompletedWithValueMatching(
            result ->
                result
                    .match(answer -> "", failure -> failure.detail())
                    .equals("Assign was not sent: nothing is changed"));
    assertThat(door.counts().allCalls()).isZero();
  }

  @Test
  @DisplayName("lets whoever wants to change something wait, until it is cancelled")
  void waits() {
    Cancellation cancellation = new Cancellation();
    Admission admission = calls.admit(List.of(Requests.CHANGE), Requests.context(cancellation));
    CompletableFuture<CallResult<CallContext>> end = admission.stage().toCompletableFuture();
    time.runUntil(Duration.ofSeconds(30).toNanos());
    assertThat(end).isNotDone();

    cancellation.cancel();
    assertThat(end).isDone();
  }

  @Test
  @DisplayName("ends that wait by the deadline")
  void deadline() {
    Admission admission =
        calls.admit(List.of(Requests.CHANGE), Requests.context(new Cancellation()));
    time.runUntil(Duration.ofMinutes(1).toNanos());

    assertThat(admission.stage().toCompletableFuture()).isDone();
  }
}
